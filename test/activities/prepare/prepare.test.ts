import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { z } from 'zod';
import { defineAction } from '../../../src/actions/define-action';
import { createActionRegistry } from '../../../src/actions/registry';
import { createActivities } from '../../../src/activities';
import type { ActivityDependencies, PrepareDependencies } from '../../../src/activities/dependencies';
import { prepareSpec } from '../../../src/activities/prepare/prepare';
import { createModels } from '../../../src/lib/models';
import { type Sandbox, SandboxUnavailable } from '../../../src/lib/sandbox';

const spec = { generator: { action: 'llm.call', prompt: 'Write.' }, evaluator: { type: 'llm' } };

function dependencies(changes: Partial<PrepareDependencies> = {}): PrepareDependencies {
  return {
    models: createModels([], {}),
    actions: createActionRegistry([]),
    searchAttributes: () => Promise.resolve(true),
    ...changes,
  };
}

const failure = (value: unknown, changes?: Partial<PrepareDependencies>) =>
  prepareSpec(value, dependencies(changes)).then(
    () => Promise.reject(new Error('it was prepared')),
    (error: unknown) => error,
  );

describe('prepare', () => {
  test('a mistake of the spec stays one, and is not tried again', async () => {
    expect(await failure({ ...spec, generator: { action: 'nobody' } })).toMatchObject({
      type: 'UnknownAction',
      nonRetryable: true,
    });
  });

  test('what is wrong inside of hooks and judges is told beside other mistakes of theirs', async () => {
    const judge = { votes: 99, second: { type: 'function', action: 'nobody' } };
    const hooks = { onGeneration: 'nobody', onSomething: 'x' };
    const found = (await failure({ ...spec, judge, hooks })) as ApplicationFailure;
    const [problems] = found.details as [{ path: string }[]];
    expect(problems.map(({ path }) => path).toSorted()).toEqual([
      '/hooks/onGeneration',
      '/hooks/onSomething',
      '/judge/second/action',
      '/judge/votes',
    ]);
  });

  test('settings without an effect are warned of; the same ones with an effect are not', async () => {
    const settings = { questions: { most: 1 }, judge: { blockers: true }, budget: { announce: true, tokens: 9 } };
    const write = defineAction({ name: 'write', description: '', input: z.object({}), run: () => 'x' });
    const actions = createActionRegistry([write]);
    const idle = { generator: { action: 'write' }, evaluator: { type: 'schema', schema: {} }, ...settings };
    expect((await prepareSpec(idle, dependencies({ actions }))).warnings).toEqual([
      expect.stringMatching(/^\/questions: has no effect/),
      expect.stringMatching(/^\/judge\/blockers: has no effect/),
      expect.stringMatching(/^\/budget\/announce: has no effect/),
    ]);
    const used = { ...spec, generator: { ...spec.generator, tools: ['ask_person'] }, ...settings };
    expect((await prepareSpec(used, dependencies())).warnings).toBeUndefined();
  });

  test.each([
    ['an error', new RangeError('too deep for sk-abcdefgh123'), 'too deep for [redacted]'],
    ['anything else', 'a text', 'a text'],
  ])('%s in the check itself is StepFailed, and is not tried again', async (_name, thrown, said) => {
    const models = {
      ...createModels([], {}),
      problem: () => {
        throw thrown;
      },
    };
    const found = await failure({ ...spec, model: 'm' }, { models });
    expect(found).toMatchObject({
      type: 'StepFailed',
      nonRetryable: true,
      message: `The spec could not be checked: ${said}`,
      details: [{ step: 'prepare' }],
    });
    // Its cause would carry the whole message into the history.
    expect(found).toHaveProperty('cause', undefined);
  });

  test('an outage while asking for search attributes is tried again', async () => {
    const outage = new Error('14 UNAVAILABLE');
    const found = await failure(spec, { searchAttributes: () => Promise.reject(outage) });
    expect(found).toBe(outage);
    expect(found).not.toBeInstanceOf(ApplicationFailure);
  });
});

test('tools of a step of a plan are refused, with its path: nobody would answer their calls', async () => {
  const { preparePlan } = createActivities({ ...dependencies() } as ActivityDependencies);
  const step = { action: 'llm.call', prompt: 'Look it up.', tools: ['validate.schema'] };
  const plan = { id: 'plan', tasks: [{ id: 'task', description: 'Do.', step }] };
  const found = new MockActivityEnvironment().run(() =>
    preparePlan({ spec: { goal: 'Be done.', plan, planner: step } as never }),
  );
  const { details } = (await found.catch((error: unknown) => error)) as ApplicationFailure;
  const [problems] = details as [{ path: string; message: string }[]];
  const message = 'tools are for the steps of a loop: a task or a planner makes one call';
  const refused = problems.filter((problem) => problem.message === message);
  expect(refused.map(({ path }) => path)).toEqual(['/plan/tasks/0/step/tools', '/planner/tools']);
});

describe('a machine that cannot shut code in', () => {
  const run = 'return 1';
  const code = { run, language: 'javascript' };
  const custom = { type: 'custom', ...code };
  const loop = { generator: { action: 'llm.call', prompt: 'Write.' }, evaluator: { type: 'schema', schema: true } };
  const node = (action: string, given: object) => ({ nodes: [{ name: 'node', action, output: 'out', with: given }] });
  const task = (step: object) => ({ id: 'plan', tasks: [{ id: 'task', description: 'Do.', step }] });
  const refuse = () => Promise.reject(new SandboxUnavailable('namespaces', 'no kernel'));
  const refusing = {
    demand: refuse,
    check: refuse,
    problem: () => undefined,
  } as unknown as Sandbox;
  const activities = (sandbox: Sandbox) => createActivities({ ...dependencies(), sandbox } as ActivityDependencies);
  type Given = ReturnType<typeof activities>;
  type Prepare = (given: Given) => Promise<unknown>;

  const pipeline =
    (whole: object): Prepare =>
    (given) =>
      given.preparePipeline({ pipeline: whole });
  const plan =
    (more: object): Prepare =>
    (given) =>
      given.preparePlan({ spec: { goal: 'Be done.', ...more } });
  const cases: Record<string, Prepare> = {
    'a node of a pipeline': pipeline({ nodes: [{ name: 'node', ...code, output: 'out' }] }),
    'a loop of a pipeline': pipeline(node('reflection.loop', { ...loop, generator: code })),
    'a hook of such a loop': pipeline(node('reflection.loop', { ...loop, hooks: { onGeneration: code } })),
    'the second judge of such a loop': pipeline(node('reflection.loop', { ...loop, judge: { second: custom } })),
    'an evaluating node': pipeline(node('reflection.evaluate', { evaluator: custom, data: 1 })),
    'a correcting node': pipeline(node('reflection.correct', { corrector: code, data: 1, errors: ['wrong'] })),
    'a task of a plan': plan({ plan: task(code) }),
    'a loop of a plan': plan({ plan: task({ loop: { ...loop, corrector: code } }) }),
    'a planner': plan({ planner: code }),
    'what a planner gave': (given) => given.checkPlan({ output: task(code) as never, id: 'plan', finished: [] }),
    'an evaluation': (given) => given.prepareEvaluation({ request: { evaluator: custom, data: 1 } }),
    'a correction': (given) => given.prepareCorrection({ request: { corrector: code, data: 1, errors: ['wrong'] } }),
  };

  const prepared = (prepare: Prepare, sandbox: Sandbox): Promise<unknown> =>
    new MockActivityEnvironment().run(() => prepare(activities(sandbox)));

  test.each(Object.entries(cases))('is told before a run with code as %s begins', async (_name, prepare) => {
    await expect(prepared(prepare, refusing)).rejects.toMatchObject({
      type: 'StepFailed',
      nonRetryable: true,
      message: expect.stringContaining('no kernel') as string,
      details: [{ step: 'prepare' }],
    });
    const check = (_language: string, codes: string[]) => Promise.resolve(codes.map(() => undefined));
    const granting = { demand: () => Promise.resolve(), problem: () => undefined, check } as unknown as Sandbox;
    await expect(prepared(prepare, granting)).resolves.toBeDefined();
  });

  // A planner is told the mistakes of its plan, and makes another.
  const { 'what a planner gave': planned, ...given } = cases;

  test.each(Object.entries(given))('refuses code as %s in a language that is not installed', async (_name, prepare) => {
    const lacking = {
      demand: () => Promise.resolve(),
      problem: (language: string) => `${language} is missing: npm install it`,
    } as unknown as Sandbox;
    const message = 'javascript is missing: npm install it';
    await expect(prepared(planned!, lacking)).resolves.toEqual({ problems: [{ path: '/tasks/0/step/run', message }] });
    await expect(prepared(prepare, lacking)).rejects.toMatchObject({
      type: 'InvalidSpec',
      nonRetryable: true,
      details: [[{ path: expect.stringMatching(/\/run$/) as string, message }]],
    });
  });

  test('a worker that lacks the package of its memory says which', async () => {
    const memoryProblem = 'Embedded memory: it is not installed. Install with: npm install it';
    const lacking = await failure({ ...spec, memory: { agent: 'a' } }, { memoryProblem });
    expect(lacking).toMatchObject({
      type: 'InvalidSpec',
      details: [[{ path: '/memory', message: `this worker has no memory: ${memoryProblem}` }]],
    });
  });
});
