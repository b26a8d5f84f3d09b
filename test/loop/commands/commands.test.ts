import { commandProblem, isRepeated, receiveCommand } from '../../../src/loop/commands/commands';
import { initialState, type LoopState } from '../../../src/loop/state/loop-state';
import { anEvaluation, aVersion, DEFAULT_SETTINGS } from '../../../testing/support/versions';

const at = '2026-01-01T00:00:00.000Z';

function withVersions(count: number): LoopState {
  const state = initialState(0);
  for (let iteration = 1; iteration <= count; iteration += 1) {
    state.versions.push(aVersion(iteration, anEvaluation('fail', 0.5)));
  }
  state.bestIteration = count > 0 ? 1 : null;
  return state;
}

describe('commands of people', () => {
  test('accept before a draft: an update is refused, a signal waits', () => {
    const state = initialState(0);
    expect(commandProblem(state, 'accept', {}, 'update')).toMatch(/no draft/);
    expect(receiveCommand(state, { name: 'accept', payload: {}, via: 'signal', at })).toBeUndefined();
    expect(state.commands.accept).toEqual({});
  });

  test('a command for another iteration is stale', () => {
    const state = withVersions(2);
    expect(commandProblem(state, 'accept', { iteration: 1 }, 'update')).toBe(
      'iteration 1 is not the current one, which is 2',
    );
    expect(commandProblem(state, 'accept', { iteration: 2 }, 'update')).toBeUndefined();
  });

  test('a repeated id does nothing, and is noted once', () => {
    const state = withVersions(1);
    receiveCommand(state, { name: 'guide', payload: { id: 'a', text: 'more' }, via: 'signal', at });
    expect(isRepeated(state, { id: 'a' })).toBe(true);
    receiveCommand(state, { name: 'accept', payload: { id: 'a' }, via: 'signal', at });
    expect(state.people).toHaveLength(1);
    expect(state.commands.accept).toBeUndefined();
  });

  test('a refused command that is sent again with the same id can take effect', () => {
    const state = withVersions(1);
    const extend = { name: 'extend', payload: { id: 'a', tokens: 5 }, via: 'signal', at } as const;
    expect(receiveCommand(state, extend)).toBe('the spec is being checked; send it again in a moment');
    expect(isRepeated(state, { id: 'a' })).toBe(false);
    const settings = { ...DEFAULT_SETTINGS, budget: { tokens: 10 } };
    expect(receiveCommand(state, extend, settings)).toBeUndefined();
    expect(receiveCommand(state, extend, settings)).toBeUndefined();
    expect(state.extended).toEqual({ tokens: 5 });
    expect(state.people.map(({ applied }) => applied)).toEqual([false, true]);
  });

  test('a refused signal changes nothing and is noted with the reason', () => {
    const state = withVersions(1);
    const before = structuredClone(state.commands);
    receiveCommand(state, { name: 'accept', payload: { colour: 'red' }, via: 'signal', at });
    expect(state.commands).toEqual(before);
    expect(state.people).toEqual([
      expect.objectContaining({ applied: false, why: expect.stringMatching(/no field "colour"/), via: 'signal' }),
    ]);
  });

  test.each([
    ['accept', 'yes', /takes an object/],
    ['accept', { iteration: 'two' }, /whole number/],
    ['abort', { iteration: 1 }, /no field "iteration"/],
    ['abort', { by: 7 }, /must be a string/],
  ] as const)('a malformed %s is refused with what it takes: %j', (name, payload, message) => {
    expect(commandProblem(withVersions(1), name, payload, 'update')).toMatch(message);
  });

  test('after the end, and after an abort, every command is refused', () => {
    const ended = withVersions(1);
    ended.stopped = { reason: 'max_iterations' };
    expect(commandProblem(ended, 'abort', {}, 'signal')).toBe('the run has ended');
    const aborting = withVersions(1);
    receiveCommand(aborting, { name: 'abort', payload: {}, via: 'signal', at });
    expect(commandProblem(aborting, 'accept', {}, 'update')).toMatch(/already being aborted/);
  });

  test('while a finished run stores its insights, only one abort is accepted; an aborted run stays aborted', () => {
    const keeping = withVersions(1);
    keeping.stopped = { reason: 'quality_met', keeping: true };
    expect(commandProblem(keeping, 'accept', {}, 'signal')).toMatch(/^its result stands \(quality_met\): only what/);
    expect(receiveCommand(keeping, { name: 'abort', payload: {}, via: 'signal', at })).toBeUndefined();
    expect(keeping.stopped).toEqual({ reason: 'quality_met', keeping: false });
    expect(commandProblem(keeping, 'abort', {}, 'signal')).toBe('the run is already being aborted');
    const aborted = withVersions(1);
    aborted.commands.abort = true;
    aborted.stopped = { reason: 'aborted', keeping: true };
    expect(commandProblem(aborted, 'abort', {}, 'signal')).toBe('the run is already being aborted');
    delete aborted.stopped.keeping;
    expect(commandProblem(aborted, 'abort', {}, 'signal')).toBe('the run has ended');
  });

  test('the record keeps who sent which command and when', () => {
    const state = withVersions(1);
    receiveCommand(state, { name: 'accept', payload: { by: 'reviewer', reason: 'fine' }, via: 'update', at });
    expect(state.people).toEqual([
      { name: 'accept', payload: { by: 'reviewer', reason: 'fine' }, by: 'reviewer', at, via: 'update', applied: true },
    ]);
  });
});
