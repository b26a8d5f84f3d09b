import type { Execution, ReflectionWorkerOptions } from '../../src/worker';
import type { ReflectionSpec } from '../../src/domain/spec';
import { startWorld } from '../support/loop-world';
import { type LoopWorld } from '../support/loop-world';

jest.setTimeout(120_000);

const executions: Execution[] = [];

async function withWorld<T>(options: ReflectionWorkerOptions, work: (world: LoopWorld) => Promise<T>): Promise<T> {
  const world = await startWorld(options);
  try {
    return await work(world);
  } finally {
    await world.close();
  }
}

let world: LoopWorld;
beforeAll(async () => {
  world = await startWorld({ sandbox: { poolSize: 1, onExecution: (execution) => executions.push(execution) } });
});
afterAll(() => world.close());

/** Writes a list, which is checked in Lua and corrected in Prolog. */
const SPEC: ReflectionSpec = {
  name: 'three languages',
  state: { wanted: 3, secretive: 'not named by any code' },
  generator: {
    language: 'javascript',
    run: 'wanted = 99\nstate.wanted = 99\nreturn { items: ["a"], seen: Object.keys(state).sort(), n: reflection_iteration }',
  },
  evaluator: {
    type: 'custom',
    language: 'lua',
    run: `
local count = #output.items
result = {
  valid = count >= wanted,
  score = math.min(1, count / wanted),
  errors = count >= wanted and {} or { { message = 'only ' .. count .. ' of ' .. wanted } },
}`,
  },
  corrector: {
    language: 'prolog',
    run: 'output(O), state(reflection_errors, [E|_]), append(O.items, ["more"], Items), Result = O.put(_{items: Items, because: E.message}).',
  },
  maxIterations: 4,
};

test('T1 T7 generator, evaluator and corrector as inline code, each in another language', async () => {
  executions.length = 0;
  const result = await world.client.run(SPEC);
  expect(result).toMatchObject({ success: true, convergenceReason: 'quality_met', iterationsUsed: 3 });
  expect(result.finalOutput).toMatchObject({ items: ['a', 'more', 'more'], because: 'only 2 of 3' });
  expect(result.history.versions.map((version) => version.evaluation.outcome)).toEqual(['fail', 'fail', 'pass']);
  expect(result.history.versions[0]!.evaluation.issues[0]).toMatchObject({
    message: 'only 1 of 3',
    evaluator: 'custom',
  });
  expect(executions.map(({ language, reason }) => `${language} ${reason}`)).toEqual([
    'javascript result',
    'lua result',
    'prolog result',
    'lua result',
    'prolog result',
    'lua result',
  ]);
});

test('T7 what travels to code is what its text names; what it changes stays there', async () => {
  const generator = {
    language: 'javascript' as const,
    run: 'kept = 1; return [typeof kept, typeof globalScope, topic]',
  };
  const spec: ReflectionSpec = {
    state: { topic: 'tides', kept: 'as it was', other: 'x'.repeat(1000) },
    generator,
    evaluator: { type: 'custom', language: 'javascript', run: 'return topic === "tides" && kept === "as it was"' },
  };
  const handle = await world.client.start(spec);
  const result = await world.client.result(handle.workflowId);
  expect(result).toMatchObject({ success: true, finalOutput: ['number', 'undefined', 'tides'] });
  const history = await world.client.temporal.workflow.getHandle(handle.workflowId).fetchHistory();
  const inputs = history.events!.flatMap(
    (event) => event.activityTaskScheduledEventAttributes?.input?.payloads?.map(({ data }) => String(data)) ?? [],
  );
  expect(inputs.length).toBeGreaterThan(0);
  for (const input of inputs) expect(Buffer.from(input).toString()).not.toContain('x'.repeat(1000));
});

test('T14 a generator that fails is StepFailed, with step, iteration, language and line', async () => {
  const evaluator = { type: 'schema' as const, schema: true };
  const failing = world.client.run({ generator: { language: 'lua', run: 'local a = 1\nerror("no ink")' }, evaluator });
  await expect(failing).rejects.toMatchObject({
    type: 'StepFailed',
    message: 'The generator failed in iteration 1: Lua, line 2: Error: no ink',
    details: [
      { step: 'generator', iteration: 1 },
      { language: 'lua', line: 2 },
    ],
  });
  const empty = world.client.run({ generator: { language: 'javascript', run: 'const a = 1' }, evaluator });
  await expect(empty).rejects.toMatchObject({ type: 'StepFailed', message: expect.stringMatching(/neither returned/) });
});

test('T14 a corrector that fails ends the loop with what there is', async () => {
  const { workflowId } = await world.client.start({
    generator: { language: 'javascript', run: 'return "draft"' },
    evaluator: { type: 'custom', language: 'javascript', run: 'return 0.5' },
    corrector: { language: 'lua', run: 'error({ message = "no ink" })' },
  });
  const result = await world.client.result(workflowId);
  expect(result).toMatchObject({ success: false, finalOutput: 'draft', convergenceReason: 'error' });
  const { events } = await world.client.temporal.workflow.getHandle(workflowId).fetchHistory();
  const failures = events!.flatMap((event) => event.activityTaskFailedEventAttributes?.failure ?? []);
  expect(failures).toEqual([
    expect.objectContaining({
      message: expect.stringMatching(/^Lua/) as string,
      applicationFailureInfo: expect.anything() as unknown,
    }),
  ]);
});

test('T14 an evaluator that fails could not judge: no bad score', async () => {
  const result = await world.client.run({
    generator: { language: 'javascript', run: 'return "draft"' },
    evaluator: { type: 'custom', language: 'javascript', run: '\nreturn missing.name' },
  });
  expect(result).toMatchObject({ convergenceReason: 'blocked', finalOutput: 'draft' });
  expect(result.finalEvaluation).toMatchObject({
    outcome: 'inconclusive',
    overallScore: null,
    reason: expect.stringMatching(/JavaScript, line 2: ReferenceError/),
  });
});

test('code is refused, with what to do, where the level that is demanded is not granted', async () => {
  const platform = Object.getOwnPropertyDescriptor(process, 'platform')!;
  Object.defineProperty(process, 'platform', { value: 'darwin' });
  try {
    await withWorld({ sandbox: { level: 'namespaces' } }, async ({ client }) => {
      const refused = client.run({ generator: { run: 'return 1' }, evaluator: { type: 'schema', schema: true } });
      await expect(refused).rejects.toMatchObject({
        type: 'StepFailed',
        message: expect.stringMatching(/sandbox level "namespaces".*darwin.*reflect doctor.*REFLECT_SANDBOX/),
      });
    });
  } finally {
    Object.defineProperty(process, 'platform', platform);
  }
});
