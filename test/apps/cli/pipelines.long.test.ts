import { randomUUID } from 'node:crypto';
import type { PipelineProgress } from '../../../src/kinds/pipeline/contract/pipeline-results';
import { ScriptedOpenAI } from '../../../src/apps/testing/scripted-model/server';
import { type LoopWorld, startWorld } from '../../../testing/support/loop-world';
import { type Finished, reflect } from './reflect-command';

const PIPELINE = `
name: ages
nodes:
  - name: guess
    uses: reflection.loop
    with:
      generator: { action: llm.call, prompt: "Guess the age of {{ state.who }}" }
      evaluator: { type: schema, schema: { type: object, required: [age], properties: { age: { type: integer } } } }
      max_iterations: 2
    output: person
  - name: say
    uses: llm.call
    with: { prompt: "Say it: {{ state.person.age }} {{ state.nobody }}" }
    output: said
`;

let scripted: ScriptedOpenAI;
let world: LoopWorld;
let env: NodeJS.ProcessEnv;
const id = `ages-${randomUUID()}`;

beforeAll(async () => {
  scripted = await ScriptedOpenAI.start({
    script: [
      { match: 'Guess the age of Ada', reply: { age: 'old' } },
      { match: 'was not accepted', reply: { age: 36 } },
      { match: 'Say it: 36', reply: 'She is 36.' },
    ],
  });
  world = await startWorld({ models: [{ name: 'm', model: 'm', baseUrl: scripted.baseUrl }] });
  env = { TEMPORAL_ADDRESS: world.address, REFLECT_TASK_QUEUE: world.client.taskQueue };
}, 60_000);
afterAll(async () => {
  await world.close();
  await scripted.close();
});

const command = (args: string[], input = ''): Promise<Finished> => reflect(args, { env, input });

test('run follows a pipeline node by node, with the versions of its loops, the state and a link', async () => {
  const { code, stdout } = await command(['run', '-', '--state', 'who=Ada', '--workflow-id', id], PIPELINE);
  expect(stdout).toMatch(/1\/2 guess {2}reflection\.loop/);
  expect(stdout).toMatch(/ {2}#1 {2}✗ fail[^]* {2}#2 {2}✓ pass/);
  expect(stdout).toMatch(/✓ done · quality_met after 2 versions · /);
  expect(stdout).toMatch(/2\/2 say {2}llm\.call\n {2}✓ done · [^\n]*\n {2}! [^\n]*nobody/);
  expect(stdout).toMatch(/✓ 2 nodes done · .*3 model calls/);
  expect(stdout).toMatch(/"said": "She is 36\."/);
  expect(stdout).toMatch(new RegExp(`/namespaces/default/workflows/${id}$`, 'm'));
  expect(code).toBe(0);
}, 60_000);

test('show tells of a pipeline what run told', async () => {
  const shown = JSON.parse((await command(['show', id, '--json'])).stdout) as { progress: PipelineProgress };
  expect(shown).toMatchObject({
    status: 'COMPLETED',
    progress: {
      phase: 'done',
      nodes: [
        { name: 'guess', workflowId: `${id}/guess` },
        { name: 'say', action: 'llm.call' },
      ],
    },
    result: { state: { who: 'Ada', person: { age: 36 }, said: 'She is 36.', success: true } },
  });
  expect((await command(['show', id])).stdout).toMatch(/guess +reflection\.loop +✓ done/);
}, 60_000);

test('a mistake is told with file, line and column, also one that only the worker could find', async () => {
  const form = await command(['run', '-'], PIPELINE.replace('max_iterations: 2', 'max_iterations: none'));
  expect(form).toMatchObject({ code: 1, stdout: '' });
  expect(form.stderr).toMatch(/\(stdin\):9:7 {2}nodes\[0\]\.with\.max_iterations: /);
  const model = await command(['run', '-'], PIPELINE.replace('with: { prompt', 'with: { model: nobody, prompt'));
  expect(model.code).toBe(1);
  expect(model.stderr).toMatch(/\(stdin\):13:13 {2}nodes\[1\]\.with\.model: .*nobody/);
}, 60_000);

test('a file that holds configuration has nothing to run', async () => {
  const { code, stderr } = await command(['run', '-'], 'agent: { enable_reflection: false }');
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^NothingToRun: .*configuration/) });
}, 60_000);
