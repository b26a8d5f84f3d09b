import type { CommandName } from '../../../src/loop/base/command-payloads';
import { commandProblem, receiveCommand } from '../../../src/loop/commands/commands';
import type { Json } from '../../../src/lib/json/json';
import { iterationLimit, MOST_ITERATIONS } from '../../../src/loop/limits/budget';
import type { LoopSettings } from '../../../src/loop/state/loop-settings';
import { initialState, type LoopState } from '../../../src/loop/state/loop-state';
import { beginReview } from '../../../src/loop/state/review-wait';
import { anEvaluation, aVersion, DEFAULT_SETTINGS } from '../../../testing/support/versions';

const at = '2026-01-01T00:00:00.000Z';
const settings: LoopSettings = { ...DEFAULT_SETTINGS, maxIterations: 3 };

function withVersions(count: number): LoopState {
  const state = initialState(0);
  for (let iteration = 1; iteration <= count; iteration += 1) {
    state.versions.push(aVersion(iteration, anEvaluation('fail', 0.5)));
  }
  return state;
}

function send(state: LoopState, name: CommandName, payload: Json, given = settings): string | undefined {
  return receiveCommand(state, { name, payload, via: 'update', at }, given);
}

/** A loop that waits for the review of its latest version, and would end for a reason. */
function waiting(count: number, reason: 'max_iterations' | 'token_budget' | 'quality_met'): LoopState {
  const state = withVersions(count);
  const review = { when: 'on_exhausted', timeoutMs: 1_000, onTimeout: 'stop' } as const;
  beginReview(state, { ...settings, review }, reason, 0);
  return state;
}

describe('commands that steer a loop', () => {
  test.each([
    ['guide', {}, /guide needs "text"/],
    ['guide', { text: '  ' }, /guide.text must be a text of 1 to 16000 characters/],
    ['guide', { text: 'x'.repeat(16_001) }, /guide.text must be/],
    ['override', { by: 'you' }, /override needs "output"/],
    ['extend', { by: 'you' }, /extend needs "iterations", "tokens" or "usd"/],
    ['extend', { iterations: 0 }, /extend.iterations must be a whole number from 1/],
    ['extend', { usd: -1 }, /extend.usd must be an amount above 0/],
    ['decide', { iteration: 1 }, /decide needs "decision"/],
    ['decide', { decision: 'stop' }, /decide needs "iteration"/],
    ['decide', { iteration: 1, decision: 'perhaps' }, /must be one of "auto", "continue", "stop"/],
    ['reflect', { colour: 'red' }, /reflect has no field "colour"/],
    ['reflect', { by: 'x'.repeat(201) }, /reflect.by must be a string of at most 200 characters/],
  ] as const)('a malformed %s is refused with what it takes: %j', (name, payload, message) => {
    expect(commandProblem(withVersions(1), name, payload, 'update', settings)).toMatch(message);
  });

  test.each(['guide', 'override', 'extend', 'decide', 'reflect'] as const)('a stale %s is refused', (name) => {
    const more = { guide: { text: 'x' }, override: { output: 1 }, extend: { iterations: 1 }, reflect: {} };
    const payload = name === 'decide' ? { decision: 'stop' } : more[name];
    const why = commandProblem(withVersions(2), name, { ...payload, iteration: 1 }, 'update', settings);
    expect(why).toBe('iteration 1 is not the current one, which is 2');
  });

  test('guide: more guidance than a revision can take is refused', () => {
    const state = withVersions(1);
    for (let count = 0; count < 4; count += 1)
      expect(send(state, 'guide', { text: 'x'.repeat(16_000) })).toBeUndefined();
    expect(send(state, 'guide', { text: 'one more' })).toBe(
      'the next revision has been told 64000 characters already; at most 64000 are taken',
    );
  });

  test('override: an output that could not be handled, and an eleventh that waits, are refused', () => {
    const state = withVersions(1);
    const small = { ...settings, maximumOutputBytes: 10 };
    expect(send(state, 'override', { output: 'x'.repeat(20) }, small)).toBe(
      'the output has 22 bytes; at most 10 can be handled',
    );
    for (let count = 0; count < 10; count += 1) expect(send(state, 'override', { output: count })).toBeUndefined();
    expect(send(state, 'override', { output: 10 })).toBe('too many overrides wait already');
  });

  test('extend: limits add up; one that the spec does not set is refused', () => {
    const state = withVersions(1);
    expect(send(state, 'extend', { iterations: 2 })).toBeUndefined();
    expect(send(state, 'extend', { iterations: 1 })).toBeUndefined();
    expect(iterationLimit(settings, state)).toBe(6);
    expect(send(state, 'extend', { tokens: 5 })).toBe('the run has no limit of tokens to extend');
    expect(send(state, 'extend', { usd: 1 })).toBe('the run has no limit of usd to extend');
    expect(send(state, 'extend', { tokens: 5 }, { ...settings, budget: { tokens: 100 } })).toBeUndefined();
    expect(state.extended).toEqual({ iterations: 3, tokens: 5 });
  });

  test.each([
    [settings, MOST_ITERATIONS, 'a loop'],
    [{ ...settings, mostIterations: 200 }, 200, 'a loop inside another workflow'],
  ])('extend: a loop has a most, whatever was added before (%#)', (given, most, loop) => {
    const state = withVersions(1);
    expect(send(state, 'extend', { iterations: most - 2 }, given)).toBe(
      `${loop} makes at most ${most} versions, and this one may make 3`,
    );
    expect(send(state, 'extend', { iterations: most - 3 }, given)).toBeUndefined();
    expect(iterationLimit(given, state)).toBe(most);
    expect(send(state, 'extend', { iterations: 1 }, given)).toMatch(`this one may make ${most}`);
    // What came before the spec was checked is held to the same.
    state.extended = { iterations: 50_000 };
    expect(iterationLimit(given, state)).toBe(most);
  });

  test('decide continue: refused at a limit, with what to do; taken before one', () => {
    const limit = (reason: string) => `the run has reached its limit (${reason}): extend it, or override the output`;
    const go = { iteration: 3, decision: 'continue' };
    expect(send(waiting(3, 'max_iterations'), 'decide', go)).toBe(limit('max_iterations'));
    const thrifty = { ...settings, budget: { tokens: 1 } };
    expect(send(waiting(2, 'token_budget'), 'decide', { ...go, iteration: 2 }, thrifty)).toBe(limit('token_budget'));
    expect(send(waiting(2, 'quality_met'), 'decide', { ...go, iteration: 2 })).toBeUndefined();
  });

  test('extend: decides the review, so that a later decision is refused', () => {
    const extended = waiting(3, 'max_iterations');
    expect(send(extended, 'extend', { iterations: 1 })).toBeUndefined();
    expect(send(extended, 'decide', { iteration: 3, decision: 'continue' })).toMatch(
      /^the review of version 3 is decided/,
    );
  });

  test('reflect: refused without a draft, and while a version is judged or about to be', () => {
    expect(send(initialState(0), 'reflect', {})).toBe('there is no draft to judge yet');
    const judging = withVersions(1);
    judging.pending = { output: 1, origin: 'draft', verdicts: [], rounds: 0, warnings: [], tokenUsage: {} } as never;
    expect(send(judging, 'reflect', {})).toBe('version 2 is being judged already');
    const asked = withVersions(1);
    expect(send(asked, 'reflect', {})).toBeUndefined();
    expect(send(asked, 'reflect', {})).toBe('a version is about to be judged already');
  });

  test('after an accept, every command but abort is refused', () => {
    const state = withVersions(1);
    expect(send(state, 'accept', {})).toBeUndefined();
    expect(send(state, 'guide', { text: 'x' })).toBe('the run is already accepted');
    expect(send(state, 'abort', {})).toBeUndefined();
    expect(send(state, 'extend', { iterations: 1 })).toBe('the run is already being aborted');
  });
});
