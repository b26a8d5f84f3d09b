import { randomUUID } from 'node:crypto';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import { doctor } from '../../../../src/apps/cli/commands/doctor';
import { exitCodeOf } from '../../../../src/apps/cli/support/exit-codes';
import { omitUndefined } from '../../../../src/lib/base/defined';
import { ReflectionFailedError } from '../../../../src/loop/errors/errors';
import { run, type RunOptions } from '../../../../src/apps/cli/runs/run';
import { defineAction } from '../../../../src/worker';
import { type LoopWorld, startWorld } from '../../../../testing/support/loop-world';
import { InProcess } from '../in-process';
import { reflect } from '../reflect-command';

const answers = defineAction({
  name: 'answers',
  description: 'Gives the value of an iteration, the last one from then on.',
  input: z.object({ values: z.array(z.json()) }),
  run: ({ values }, { iteration }) => values[Math.min(iteration || 1, values.length) - 1]!,
});

const loop = (values: object[], more = '') => `
generator: { action: answers, with: { values: ${JSON.stringify(values)} } }
evaluator: { type: schema, schema: { type: object, required: [age] } }
max_iterations: 2
${more}`;
const pipeline = (value: object) => `
name: two
nodes:
  - { name: first, uses: answers, with: { values: [{ a: 1 }] } }
  - { name: second, uses: answers, with: { values: [${JSON.stringify(value)}] } }
`;
const plan = (field: string) => `
goal: Know the age
enable_llm_reflection: false
max_replanning_attempts: 0
plan:
  tasks:
    - id: ask
      description: Ask
      step:
        loop:
          generator: { action: answers, with: { values: [{ age: 36 }] } }
          evaluator: { type: schema, schema: { type: object, required: [${field}] } }
          max_iterations: 1
`;

let world: LoopWorld;
let commands: InProcess;
beforeAll(async () => {
  world = await startWorld({ actions: [answers], memory: false });
  commands = new InProcess(world);
}, 60_000);
afterAll(async () => {
  commands.close();
  await world.close();
});

/** Runs a file as `reflect run` does, in this process. */
async function ran(text: string, options: Partial<RunOptions> = {}) {
  const streams = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    jest.spyOn(process[name], 'write').mockImplementation((piece) => {
      streams[name] += String(piece);
      return true;
    }),
  );
  const errors = jest.spyOn(console, 'error').mockImplementation((line: unknown) => {
    streams.stderr += `${String(line)}\n`;
  });
  let code = -1;
  try {
    const printed = await commands.printed(async () => {
      code = await run(commands.file(text), { state: [], stateFile: [], ...options });
    });
    return {
      code,
      printed,
      news: stripVTControlCharacters(streams.stdout),
      errors: stripVTControlCharacters(streams.stderr),
    };
  } finally {
    for (const spy of [...spies, errors]) spy.mockRestore();
  }
}

describe('reflect run', () => {
  test('a loop is followed version by version, and its exit code says how it ended', async () => {
    const good = await ran(loop([{ name: 'Ada' }, { age: 36 }]));
    expect(good).toMatchObject({ code: 0, errors: '' });
    expect(good.news).toMatch(/^reflection {2}\S+\nhttp[^\n]+\n\n#1 {2}✗ fail[^]*#2 {2}✓ pass/);
    expect(good.printed).toMatch(/✓ quality_met · 2 versions · [^]*"age": 36[^]*The run in the Web UI:\shttp/);
    const bad = await ran(loop([{ name: 'Ada' }, { name: 'Bob' }]), { json: true });
    expect(bad).toMatchObject({ code: 2, news: '', errors: expect.stringMatching(/#2 {2}✗ fail/) });
    expect(JSON.parse(bad.printed)).toMatchObject({ success: false, convergenceReason: 'max_iterations' });
    const raised = ran(loop([{ name: 'Ada' }], 'on_failure: raise'));
    // `main` tells it, and ends with the exit code for it.
    const error: unknown = await raised.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ReflectionFailedError);
    expect(exitCodeOf(error)).toBe(2);
  }, 30_000);

  test('--set takes the place of fields of the file, also of one from standard input', async () => {
    const values = [{ name: 'Ada' }, { name: 'Ada' }, { age: 36 }];
    const good = await ran(loop(values), { set: ['max_iterations=3', 'evaluator.schema.required=["age"]'] });
    expect(good).toMatchObject({ code: 0, printed: expect.stringMatching(/quality_met · 3 versions/) });
    const renamed = await ran(loop(values), { set: ['evaluator.schema.required=["name"]'], json: true });
    expect(JSON.parse(renamed.printed)).toMatchObject({ success: true, finalOutput: { name: 'Ada' } });
    const refused = await reflect(['run', '-', '--set', 'max_iteration=5', '--json'], { input: loop(values) });
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      error: { type: 'UnknownPath', message: expect.stringContaining('(did you mean max_iterations?)') },
    });
    await expect(ran(loop(values), { set: ['max_iterations'] })).rejects.toMatchObject({ type: 'InvalidSetting' });
  }, 60_000);

  test('a pipeline is followed node by node', async () => {
    const good = await ran(pipeline({ b: 2 }), { state: ['c=3'] });
    expect(good.code).toBe(0);
    expect(good.news).toMatch(/^two {2}\S+\n[^]*1\/2 first[^]*✓ done[^]*2\/2 second[^]*✓ done/);
    expect(good.printed).toMatch(/✓ 2 nodes done[^]*"c": ?"?3/);
    const bad = await ran(pipeline({ success: false }), { json: true });
    expect({ code: bad.code, state: JSON.parse(bad.printed).state }).toMatchObject({
      code: 2,
      state: { success: false },
    });
  }, 30_000);

  test('a plan is followed task by task', async () => {
    const good = await ran(plan('age'));
    expect(good).toMatchObject({ code: 0, news: expect.stringMatching(/▶ ask {2}Ask[^]* {2}#1 {2}✓ pass[^]*✓ ask/) });
    const bad = await ran(plan('name'));
    expect(bad).toMatchObject({ code: 2, printed: expect.stringMatching(/✗ did not succeed · 0 of 1 task/) });
  }, 30_000);

  test('one that is let go of says its id alone; the same id twice at a time is refused', async () => {
    const workflowId = `twice-${randomUUID()}`;
    const waits = loop([{ name: 'Ada' }], 'review: { when: every_iteration }');
    expect(await ran(waits, { workflowId, detach: true })).toMatchObject({ code: 0, printed: workflowId, news: '' });
    await expect(ran(waits, { workflowId })).rejects.toMatchObject({
      type: 'AlreadyRunning',
      advice: expect.stringContaining(`npx reflect show ${workflowId}`),
    });
    const detached = await ran(loop([{ age: 1 }]), { detach: true, json: true });
    expect(JSON.parse(detached.printed)).toEqual({ workflowId: expect.any(String), runId: expect.any(String) });
    await world.client.temporal.workflow.getHandle(workflowId).terminate();
  }, 30_000);

  test('doctor finds the server, the attributes and the workers that such runs need', async () => {
    const [key, baseUrl] = [process.env['OPENAI_API_KEY'], process.env['OPENAI_BASE_URL']];
    for (const name of ['OPENAI_API_KEY', 'OPENAI_BASE_URL']) delete process.env[name];
    const text = await commands.printed(() => doctor({ worker: 'http://127.0.0.1:9' }));
    Object.assign(process.env, omitUndefined({ OPENAI_API_KEY: key, OPENAI_BASE_URL: baseUrl }));
    const { taskQueue } = world.client;
    expect(text).toContain(`✓ Temporal server at ${world.address}, namespace default`);
    expect(text).toMatch(/✓ Temporal SDK 1\.\d+\.\d+\n/);
    expect(text).toMatch(/✓ Search attributes Reflection/);
    expect(text).toMatch(
      new RegExp(`✓ Queue ${taskQueue}: a worker [^]*✓ Queue ${taskQueue}-models \\(model calls\\)`),
    );
    expect(text).toMatch(/✗ The worker at http:\/\/127\.0\.0\.1:9 does not tell its circuits: .*\n +Start the worker/);
    expect(text).toMatch(/^! OPENAI_API_KEY is not set here\n +That is right where a worker elsewhere has the key/m);
    expect(text).toMatch(/ missing \(1 warning\)\.$/);
  }, 30_000);
});
