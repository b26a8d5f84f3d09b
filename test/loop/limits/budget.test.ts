import { callLimits, countsCalls, reachedBudget, spendingText } from '../../../src/loop/limits/budget';
import { initialState, type LoopState } from '../../../src/loop/state/loop-state';
import { nextMove } from '../../../src/loop/moves/next-move';
import type { ReflectionSpec } from '../../../src/loop/contract/spec';
import { NO_USAGE } from '../../../src/lib/base/tokens';
import type { TokenUsage } from '../../../src/lib/contract/values';
import { anEvaluation, aVersion, DEFAULT_SETTINGS } from '../../../testing/support/versions';
import type { Budget } from '../../../src/loop/state/loop-settings';

const START = 1_000_000;

function spent(usage: Partial<TokenUsage> = {}, more: Partial<LoopState> = {}): LoopState {
  return { ...initialState(START), tokenUsage: { ...NO_USAGE, ...usage }, ...more };
}

describe('budgets', () => {
  test.each<[Budget, Partial<TokenUsage>, number, string | undefined]>([
    [{ tokens: 100 }, { totalTokens: 99 }, 0, undefined],
    [{ tokens: 100 }, { totalTokens: 100 }, 0, 'token_budget'],
    [{ usd: 0.5 }, { usd: 0.499 }, 0, undefined],
    [{ usd: 0.5 }, { usd: 0.5 }, 0, 'cost_budget'],
    [{ modelCalls: 2 }, { modelCalls: 1 }, 0, undefined],
    [{ modelCalls: 2 }, { modelCalls: 2 }, 0, 'call_budget'],
    [{ wallClockMs: 60_000 }, {}, 59_999, undefined],
    [{ wallClockMs: 60_000 }, {}, 60_000, 'time_budget'],
    [{}, { totalTokens: 1e9, modelCalls: 1e9, usd: null }, 1e9, undefined],
  ])('%j with %j after %d ms: %s', (budget, usage, ms, expected) => {
    expect(reachedBudget(budget, spent(usage), START + ms)).toBe(expected);
  });

  test('without a budget nothing is ever reached, and no call is limited', () => {
    expect(reachedBudget(undefined, spent({ totalTokens: 1e9, usd: null }), START + 1e12)).toBeUndefined();
    expect(callLimits(undefined, spent({ totalTokens: 1e9 }), START)).toEqual({});
    expect(countsCalls(undefined)).toBe(false);
  });

  test('given a budget in money, an unknown cost counts as spent', () => {
    expect(reachedBudget({ usd: 100 }, spent({ usd: null }), START)).toBe('cost_budget');
    expect(reachedBudget({ tokens: 100 }, spent({ usd: null }), START)).toBeUndefined();
  });

  test('a call that the time budget ended ends the time', () => {
    expect(reachedBudget({ wallClockMs: 60_000 }, spent({}, { timeIsUp: true }), START)).toBe('time_budget');
  });

  test('the next call may use what is left', () => {
    const state = spent({ totalTokens: 700, usd: 0.02 });
    expect(callLimits({ tokens: 1_000, usd: 0.05, wallClockMs: 90_000 }, state, START + 30_000)).toEqual({
      maxTokens: 300,
      maxUsd: expect.closeTo(0.03, 10),
      timeLeftMs: 60_000,
    });
    expect(callLimits({ modelCalls: 3 }, state, START)).toEqual({});
  });

  test('judges run one after the other only if the budget counts their usage', () => {
    expect([{ tokens: 1 }, { usd: 1 }, { modelCalls: 1 }, { wallClockMs: 1 }, {}].map(countsCalls)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  test('the page shows what was spent beside the limit', () => {
    const usage = { ...NO_USAGE, totalTokens: 120, modelCalls: 2, usd: 0.0123 };
    expect(spendingText(usage, undefined)).toBe('120 tokens in 2 model calls, $0.0123');
    expect(spendingText({ ...usage, usd: null }, undefined)).toBe('120 tokens in 2 model calls');
    expect(spendingText(usage, { tokens: 500, usd: 1, modelCalls: 4 })).toBe(
      '120 of 500 tokens in 2 of 4 model calls, $0.0123 of $1',
    );
  });
});

describe('the next move with a budget', () => {
  const settings = { ...DEFAULT_SETTINGS, budget: { modelCalls: 2, wallClockMs: 60_000 } };
  const model: Pick<ReflectionSpec, 'generator' | 'corrector'> = { generator: { action: 'llm.call' } };
  const action: Pick<ReflectionSpec, 'generator' | 'corrector'> = { generator: { action: 'write' } };
  const failed = (modelCalls: number, more: Partial<LoopState> = {}): LoopState => ({
    ...spent({ modelCalls: 2 }),
    versions: [{ ...aVersion(1, anEvaluation('fail', 0.5)), tokenUsage: { ...NO_USAGE, modelCalls } }],
    ...more,
  });
  const stops = (reason: string) => ({ kind: 'stop', reason });

  test('a draft that would cost a call is not begun', () => {
    expect(nextMove({ spec: model, settings, state: spent({ modelCalls: 2 }), now: START })).toEqual(
      stops('call_budget'),
    );
    expect(nextMove({ spec: model, settings, state: spent(), now: START + 60_000 })).toEqual(stops('time_budget'));
  });

  test('a step that costs no call goes on, unless its version could not be judged', () => {
    expect(nextMove({ spec: action, settings, state: spent({ modelCalls: 2 }), now: START })).toEqual({
      kind: 'draft',
    });
    expect(nextMove({ spec: action, settings, state: failed(0), now: START })).toEqual({ kind: 'regenerate' });
    expect(nextMove({ spec: action, settings, state: failed(1), now: START })).toEqual(stops('call_budget'));
    expect(nextMove({ spec: action, settings, state: failed(0), now: START + 60_000 })).toEqual(stops('time_budget'));
    const unjudged = failed(0, { versions: [aVersion(1, anEvaluation('inconclusive', null))] });
    expect(nextMove({ spec: action, settings, state: unjudged, now: START })).toEqual(stops('call_budget'));
  });

  test('a corrector that is a model needs a call, whatever the generator is', () => {
    const spec = { ...action, corrector: { action: 'llm.call' as const } };
    expect(nextMove({ spec, settings, state: failed(0), now: START })).toEqual(stops('call_budget'));
  });

  test('a version that passed, and the limit of iterations, take precedence over the budget', () => {
    const passed = failed(2, { versions: [aVersion(1, anEvaluation('pass', 1))] });
    expect(nextMove({ spec: model, settings, state: passed, now: START })).toEqual(stops('quality_met'));
    expect(
      nextMove({ spec: model, settings: { ...settings, maxIterations: 1 }, state: failed(2), now: START }),
    ).toEqual(stops('max_iterations'));
  });

  test('given a spent budget, a pending output is still judged by evaluators that cost nothing', () => {
    const pending = {
      output: 'x',
      origin: 'draft' as const,
      verdicts: [],
      rounds: 0,
      tokenUsage: NO_USAGE,
      warnings: [],
    };
    expect(nextMove({ spec: model, settings, state: failed(2, { pending }), now: START + 60_000 })).toEqual({
      kind: 'evaluate',
    });
  });
});
