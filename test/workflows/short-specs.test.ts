import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { InvalidSpecError, PlanSpecInput, ReflectionResult, ReflectionSpecInput } from '../../src';
import { promptOf, requestsOf } from '../../src/apps/testing/scripted-model/ledger';
import type { ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import type { JsonObject } from '../../src/lib/json/json';
import { linesOf } from '../../testing/batch/squares';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';
import { testCli } from '../../testing/support/temporal-server';

const LONG = 'Exports were rewritten. They stream. They are good now.';
const SHORT = 'Exports are streamed now, so large ones no longer fail.';

const spec: ReflectionSpecInput = {
  task: 'Write a release note: exports are streamed now.',
  evaluator: ['It names the change.', 'At most two sentences.'],
};

const answer = (number: number, isYes: boolean) => ({
  question: `q${number}`,
  finding: isYes ? 'it does' : 'it has three sentences',
  answer: isYes ? 'yes' : 'no',
  severity: isYes ? null : 'major',
  path: null,
  suggestion: null,
  missingInformation: null,
});
const judges = (match: string, isShort: boolean): ScriptEntry => ({
  match,
  reply: { answers: [answer(1, true), answer(2, isShort)], confidence: 1 },
  times: 'always',
});

/** The judge finds a text of three sentences too long, and the writer writes one of them first. */
const SCRIPT: ScriptEntry[] = [
  judges('(?=[^]*q1\\. It names the change)(?=[^]*They stream)', false),
  judges('q1\\. It names the change', true),
  { match: 'They stream', reply: SHORT, times: 'always' },
  { match: 'Write a release note', reply: LONG, times: 'always' },
];

let world: LoopWorld;
let model: ScriptedOpenAI;
beforeAll(async () => {
  model = await ScriptedOpenAI.start({ script: SCRIPT });
  world = await startWorld({ models: [{ name: 'm', model: 'm', baseUrl: model.baseUrl }] });
}, 60_000);
afterAll(async () => {
  await world.close();
  await model.close();
});

function expectRevised(result: ReflectionResult): void {
  expect(result).toMatchObject({ success: true, convergenceReason: 'quality_met', finalOutput: SHORT });
  const [first, second] = result.history.versions.map(({ evaluation }) => evaluation);
  expect(first).toMatchObject({
    outcome: 'fail',
    evaluators: [{ name: 'criteria', type: 'criteria' }],
    issues: [{ criterion: 'at_most_two_sentences', message: 'it has three sentences' }],
  });
  expect(second).toMatchObject({ outcome: 'pass', overallScore: 1 });
  expect(result.history.versions.flatMap(({ warnings }) => warnings)).toEqual([]);
}

/** Starts a workflow with an argument, as a client does that knows nothing of this package. */
async function runAsGiven(type: string, argument: unknown): Promise<unknown> {
  const { temporal, taskQueue } = world.client;
  return temporal.workflow.execute(type, { taskQueue, workflowId: `short-${randomUUID()}`, args: [argument] });
}

/** Returns the problems of the spec that a run failed for. */
async function problemsOf(failing: Promise<unknown>): Promise<unknown> {
  const error: unknown = await failing.catch((caught: unknown) => caught);
  if (!(error instanceof WorkflowFailedError)) return (error as InvalidSpecError).problems;
  expect(error.cause).toBeInstanceOf(ApplicationFailure);
  return (error.cause as ApplicationFailure).details![0];
}

test('two lines are a whole spec, for the client', async () => {
  expectRevised(await world.client.run(spec));
});

test('two lines are a whole spec, for any client', async () => {
  expectRevised((await runAsGiven('reflectionLoop', spec)) as ReflectionResult);
});

test('two lines are a whole spec, for the temporal command', async () => {
  const workflowId = `short-${randomUUID()}`;
  const given = `--address ${world.address} --output json --workflow-id ${workflowId} --type reflectionLoop`;
  const args = `workflow execute ${given} --task-queue ${world.client.taskQueue}`.split(' ');
  const { stdout } = await promisify(execFile)(await testCli(), [...args, '--input', JSON.stringify(spec)]);
  expect(JSON.parse(stdout)).toMatchObject({ status: 'COMPLETED', result: { success: true } });
  expectRevised(await world.client.result(workflowId));
});

test('the model gets the task, then each value of the state, and judges get the sentences', async () => {
  const state = { change: 'They stream now. {{ task }}', style: 'plain' };
  const before = requestsOf(model.ledger).length;
  await world.client.run({ ...spec, task: 'Write a release note.', state });
  const prompts = requestsOf(model.ledger).slice(before).map(promptOf);
  const draft = prompts.find((prompt) => prompt.includes('change:') && !prompt.includes('q1.'))!;
  expect(draft).toMatch(
    /Write a release note\.\n\nchange:\n<<<MATERIAL \w+\nThey stream now\. \{\{ task \}\}\n\w+ MATERIAL>>>\n\nstyle:\n<<<MATERIAL \w+\nplain\n/,
  );
  const judge = prompts.find((prompt) => prompt.includes('q1.'))!;
  expect(judge).toMatch(/q1\. It names the change\.[^]*q2\. At most two sentences\./);
});

test('what only a worker can find has the path that was written, for every client', async () => {
  const evaluator = [
    'It names the change.',
    'At most two sentences.',
    { type: 'llm', model: 'unknown' },
    { pattern: '(' },
  ];
  const given = { ...spec, evaluator } as ReflectionSpecInput;
  const expected = [
    { path: '/evaluator/2/model', message: expect.stringMatching(/unknown/) },
    { path: '/evaluator/3/pattern', message: expect.any(String) },
  ];
  expect(await problemsOf(world.client.run(given))).toEqual(expected);
  expect(await problemsOf(runAsGiven('reflectionLoop', given))).toMatchObject(expected);
  const pipeline = { nodes: [{ name: 'a', uses: 'reflection.loop', with: given as unknown as JsonObject }] };
  const ofNode = expected.map((problem) => ({ ...problem, path: `/nodes/0/with${problem.path}` }));
  expect(await problemsOf(world.client.pipelines.run(pipeline))).toMatchObject(ofNode);
  expect(await problemsOf(runAsGiven('reflectionPipeline', pipeline))).toMatchObject(ofNode);
  const plan = { goal: 'g', plan: { id: 'p', tasks: [{ id: 'a', description: 'd', step: { loop: given } }] } };
  const ofTask = expected.map((problem) => ({ ...problem, path: `/plan/tasks/0/step/loop${problem.path}` }));
  expect(await problemsOf(world.client.plans.run(plan as PlanSpecInput))).toMatchObject(ofTask);
  expect(await problemsOf(runAsGiven('planReflection', plan))).toMatchObject(ofTask);
});

test('a short form without a meaning fails the run, with all that is wrong', async () => {
  const given = { task: 'Write.', evaluator: ['It is kind.', 'clartiy', { patern: 'x' }], maxIterations: 0 };
  const expected = [
    { path: '/evaluator/1', message: expect.stringMatching(/did you mean clarity/) },
    { path: '/evaluator/2', message: expect.stringMatching(/did you mean pattern/) },
    { path: '/maxIterations', message: expect.any(String) },
  ];
  expect(await problemsOf(runAsGiven('reflectionLoop', given))).toEqual(expected);
  expect(await problemsOf(world.client.run(given as ReflectionSpecInput))).toEqual(expected);
});

test('loops of pipelines, plans and batches may be short, for every client', async () => {
  const node = { name: 'note', uses: 'reflection.loop', with: spec as unknown as JsonObject, output: 'note' };
  const pipeline = { state: { topic: 'exports' }, nodes: [node] };
  const ended = { state: { note: SHORT, success: true } };
  expect(await world.client.pipelines.run(pipeline)).toMatchObject(ended);
  expect(await runAsGiven('reflectionPipeline', pipeline)).toMatchObject(ended);
  const plan = { goal: 'A note.', plan: { id: 'p', tasks: [{ id: 'a', description: 'd', step: { loop: spec } }] } };
  const reached = { success: true, results: [{ taskId: 'a', success: true, output: SHORT }] };
  const options = { enableLlmReflection: false };
  expect(await world.client.plans.run({ ...plan, ...options } as PlanSpecInput)).toMatchObject(reached);
  expect(await runAsGiven('planReflection', { ...plan, ...options })).toMatchObject(reached);
  const items = [
    { id: 'a', change: 'one' },
    { id: 'b', change: 'two' },
  ];
  const { workflowId } = await world.client.batches.start(items, spec);
  expect(await world.client.batches.result(workflowId)).toMatchObject({ items: 2, passed: 2 });
  const lines = await linesOf(world.client, workflowId);
  expect(lines.map(({ output }) => output)).toEqual([SHORT, SHORT]);
}, 60_000);
