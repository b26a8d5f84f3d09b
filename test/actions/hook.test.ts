import { type HookCall, runHook } from '../../src/actions/hook';
import { createActionRegistry } from '../../src/actions/registry';
import { demandSandbox } from '../../src/activities/prepare/demand-sandbox';
import type { InlineStep } from '../../src/loop/contract/steps';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { createSandbox, type Sandbox, SandboxUnavailable } from '../../src/lib/sandbox';

describe('inline code as a hook', () => {
  const sandbox = createSandbox({ level: 'trusted', poolSize: 0 });
  afterAll(() => sandbox.close());

  const event = { iteration: 2, output: { age: 30 }, evaluation: { outcome: 'fail' }, bestIteration: null };
  const tell = (run: string, more: Partial<HookCall> = {}, using: Sandbox | undefined = sandbox) => {
    const code: InlineStep = { language: 'javascript', run };
    const place = { iteration: 2, workflowId: 'w', state: { iteration: 'own', words: ['stop'] } };
    const call = { hook: 'onReflection' as const, event, code, timeoutMs: 10_000, ...place, ...more } as HookCall;
    const actions = createActionRegistry([]);
    return runHook(call, { actions, ...(using && { sandbox: using }), signal: new AbortController().signal });
  };

  test('it sees event, output and state, and what it says is heard', async () => {
    const sees =
      'hook === event.hook && evaluation.outcome === event.evaluation.outcome && output.age === 30 && bestIteration === null';
    expect(
      await tell(`return ${sees} && iteration === 2 && state.iteration === "own" ? words[0] : "seen nothing"`),
    ).toBe('stop');
    expect(await tell('const nothing = 1')).toBe('auto');
    expect(await tell('return null')).toBe('auto');
  });

  test('what it may not say is an error in its language; only evaluations are a question', async () => {
    await expect(tell('return "maybe"')).rejects.toThrow(
      'JavaScript: answered "maybe"; it may answer auto, continue, stop, or nothing',
    );
    await expect(tell('\nreturn missing')).rejects.toThrow(/JavaScript, line 2: ReferenceError/);
    expect(await tell('return "maybe"', { hook: 'onGeneration' })).toBe('auto');
  });

  test('without a sandbox it is refused', async () => {
    const none = { ...sandbox, run: () => Promise.reject(new SandboxUnavailable('namespaces', 'no kernel')) };
    await expect(tell('return 1', {}, none)).rejects.toBeInstanceOf(SandboxUnavailable);
  });
});

describe('a machine that cannot shut code in', () => {
  const demand = jest.fn(() => Promise.reject(new SandboxUnavailable('namespaces', 'no kernel')));
  const refusing = { demand, problem: () => undefined } as unknown as Sandbox;
  beforeEach(() => demand.mockClear());

  const spec: ReflectionSpec = { generator: { action: 'write' }, evaluator: { type: 'schema', schema: true } };
  const run = 'return 1';
  test.each<[string, Partial<ReflectionSpec>]>([
    ['generator', { generator: { run } }],
    ['corrector', { corrector: { run } }],
    ['hook', { hooks: { onGeneration: 'tell', onRevision: { run } } }],
    ['evaluator', { evaluator: [{ type: 'llm' }, { type: 'custom', run }] }],
    [
      'criterion',
      { evaluator: { type: 'criteria', criteria: [{ name: 'a', evaluator: 'custom', evaluatorConfig: { run } }] } },
    ],
    ['second judge', { judge: { second: { type: 'custom', run } } }],
  ])('is found out before a run with code as %s begins', async (_name, more) => {
    await expect(demandSandbox([{ ...spec, ...more }], refusing)).rejects.toMatchObject({
      type: 'StepFailed',
      nonRetryable: true,
      message: expect.stringMatching(/level "namespaces".*no kernel.*reflect doctor/) as string,
      details: [{ step: 'prepare' }],
    });
  });

  test('is no matter to a run without code', async () => {
    await demandSandbox([{ ...spec, hooks: { onGeneration: 'tell' } }], refusing);
    expect(demand).not.toHaveBeenCalled();
  });
});
