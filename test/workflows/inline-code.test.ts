import { z } from 'zod';
import { defineAction, type Execution, type ReflectionWorkerOptions } from '../../src/worker';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { startWorld } from '../../testing/support/loop-world';
import { type LoopWorld } from '../../testing/support/loop-world';

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

test('generator, evaluator and corrector as inline code, each in another language', async () => {
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

test('what travels to code is what its text names; what it changes stays there', async () => {
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

test('a generator that fails is StepFailed, with step, iteration, language and line', async () => {
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

test('a corrector that fails ends the loop with what there is', async () => {
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

test('an evaluator that fails could not judge: no bad score', async () => {
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

describe('inline code as a hook', () => {
  const bad = { name: 'Ada' };
  const good = { name: 'Ada', age: 30 };
  const looped = (more: Partial<ReflectionSpec>): ReflectionSpec => ({
    generator: {
      language: 'javascript',
      run: `return reflection_iteration === 1 ? ${JSON.stringify(bad)} : ${JSON.stringify(good)}`,
    },
    evaluator: { type: 'schema', schema: { type: 'object', required: ['age'] } },
    ...more,
  });

  test('it sees the event, the output and the state, and may overrule the loop', async () => {
    const seen = ['hook', 'iteration', 'origin', 'bestIteration', 'maxIterations', 'enough'];
    const onReflection = {
      language: 'javascript' as const,
      run: `
        const says = [${seen.join()}, event.evaluation.outcome === evaluation.outcome, evaluation.outcome, output.age, state.reflection_output.age];
        if (says.join() !== words[iteration - 1]) throw new Error(says.join());
        return iteration < enough ? 'continue' : 'stop';`,
    };
    const words = [
      'onReflection,1,draft,1,9,3,true,fail,,',
      'onReflection,2,regeneration,2,9,3,true,pass,30,30',
      'onReflection,3,regeneration,2,9,3,true,pass,30,30',
    ];
    // A key of the event wins over one of the state, which is still there as `state.iteration`.
    const state = { enough: 3, words, iteration: 'of the state' };
    const result = await world.client.run(looped({ state, hooks: { onReflection }, maxIterations: 9 }));
    expect(result.history.versions.flatMap(({ warnings }) => warnings)).toEqual([]);
    // The second passed, too; at the third, a pass is a better reason than the hook's stop.
    expect(result).toMatchObject({ convergenceReason: 'quality_met', success: true, iterationsUsed: 3 });
  });

  test('in Prolog and Lua; nothing to say is no mistake', async () => {
    const stops = {
      language: 'prolog' as const,
      run: 'event(evaluation, E), E.outcome == "fail", Event.iteration =:= 1, Result = stop.',
    };
    const stopped = await world.client.run(looped({ hooks: { onReflection: stops } }));
    expect(stopped).toMatchObject({
      convergenceReason: 'stopped',
      success: false,
      finalOutput: bad,
      iterationsUsed: 1,
    });
    const corrector = { language: 'lua' as const, run: 'output.age = 30 return output' };
    const onRevision = {
      language: 'lua' as const,
      run: 'if previousOutput.age or output.age ~= 30 then error("no") end',
    };
    const revised = await world.client.run(looped({ corrector, hooks: { onRevision, onReflection: onRevision } }));
    expect(revised).toMatchObject({ success: true, iterationsUsed: 2 });
    // `onReflection` has no earlier output.
    expect(revised.history.versions.map(({ warnings }) => warnings.length)).toEqual([1, 1]);
  });

  test('one that fails is left out, with language and line in the warning', async () => {
    const hooks = {
      onGeneration: { language: 'javascript' as const, run: '\nreturn missing.name' },
      onReflection: { language: 'javascript' as const, run: 'return iteration === 1 ? "maybe" : undefined' },
    };
    const result = await world.client.run(looped({ hooks }));
    expect(result).toMatchObject({ success: true, iterationsUsed: 2 });
    const failed = expect.stringMatching(
      /onGeneration failed and was left out: JavaScript, line 2: ReferenceError/,
    ) as string;
    expect(result.history.versions.map(({ warnings }) => warnings)).toEqual([
      [
        failed,
        expect.stringMatching(
          /onReflection failed .* JavaScript: answered "maybe"; it may answer auto, continue, stop/,
        ),
      ],
      [failed],
    ]);
  });

  test('code that cannot be a hook is found before anything runs', async () => {
    executions.length = 0;
    const hooks = {
      onGeneration: { run: ' ' },
      onRevision: { run: 'x', language: 'cobol' },
      onReflection: { action: 'x' },
    };
    const spec = looped({ hooks: hooks as unknown as NonNullable<ReflectionSpec['hooks']> });
    const failure = await world.client.run(spec).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      problems: [
        { path: '/hooks/onReflection', message: expect.stringMatching(/registered action, or an object with `run`/) },
        { path: '/hooks/onRevision/language', message: expect.stringMatching(/python/) },
      ],
    });
    const empty = world.client.run(looped({ hooks: { onGeneration: { run: ' ' } } }));
    await expect(empty).rejects.toMatchObject({
      type: 'InvalidSpec',
      problems: [{ path: '/hooks/onGeneration/run', message: 'has no code' }],
    });
    expect(executions).toEqual([]);
  });
});

test('code is refused, with what to do, where the level that is demanded is not granted', async () => {
  const platform = Object.getOwnPropertyDescriptor(process, 'platform')!;
  Object.defineProperty(process, 'platform', { value: 'darwin' });
  try {
    let answers = 0;
    const answer = defineAction({
      name: 'answer',
      description: 'Counts its calls.',
      input: z.unknown(),
      run: () => (answers += 1),
    });
    await withWorld({ sandbox: { level: 'namespaces' }, actions: [answer] }, async ({ client }) => {
      const refused = client.run({ generator: { run: 'return 1' }, evaluator: { type: 'schema', schema: true } });
      await expect(refused).rejects.toMatchObject({
        type: 'StepFailed',
        message: expect.stringMatching(/sandbox level "namespaces".*darwin.*reflect doctor.*REFLECT_SANDBOX/),
        details: [{ step: 'prepare' }],
      });
      const hooks = { onReflection: { run: 'return "stop"' } };
      const unheard = client.run({
        generator: { action: 'answer' },
        evaluator: { type: 'schema', schema: true },
        hooks,
      });
      await expect(unheard).rejects.toMatchObject({ type: 'StepFailed', details: [{ step: 'prepare' }] });
      expect(answers).toBe(0);
    });
  } finally {
    Object.defineProperty(process, 'platform', platform);
  }
});
