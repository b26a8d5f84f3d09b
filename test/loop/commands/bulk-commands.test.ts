import {
  initialPopulation,
  type PopulationState,
  recordEvent,
  explainRefusal,
} from '../../../src/kinds/agents/state/population-state';
import { type ReceivedCommand, receiveCommand } from '../../../src/loop/commands/commands';
import type { JsonObject } from '../../../src/lib/json/json';
import { initialState, type LoopState } from '../../../src/loop/state/loop-state';
import { nextMove } from '../../../src/loop/moves/next-move';
import { NOTED_REFUSALS, noteUnknown } from '../../../src/loop/state/command-log';
import { rememberingRules } from '../../../src/loop/moves/stop-rules';
import { unknownCommand } from '../../../src/loop/commands/unknown-command';
import { anEvaluation, aVersion, DEFAULT_CONVERGENCE, DEFAULT_SETTINGS } from '../../../testing/support/versions';
import { expectWithin } from '../../../testing/support/processor-time';

/** What a server takes for one run. */
const SIGNALS = 10_000;
const AT = '2026-01-01T00:00:00.000Z';

function judged(): LoopState {
  const state = initialState(0);
  state.versions = [aVersion(1, anEvaluation('fail', 0.5))];
  state.bestIteration = 1;
  return state;
}

const command = (name: ReceivedCommand['name'], payload: JsonObject, at = AT): ReceivedCommand => ({
  name,
  payload,
  via: 'signal',
  at,
});

/** How often JSON is written while something is done. */
function stringified(work: () => void): number {
  const spy = jest.spyOn(JSON, 'stringify');
  try {
    work();
    return spy.mock.calls.length;
  } finally {
    spy.mockRestore();
  }
}

describe('commands in bulk', () => {
  test.each<[string, (index: number) => ReceivedCommand]>([
    ['refused', (index) => command('accept', { iteration: 7, id: `accept ${index}` })],
    ['taken', (index) => command('decide', { iteration: 1, decision: 'auto', id: `decide ${index}` })],
    ['guides', () => command('guide', { text: 'x' })],
    ['refused at different times', (index) => command('accept', { iteration: 7 }, new Date(index).toISOString())],
  ])('%s: each costs the same, however many came before', async (_what, made) => {
    const state = judged();
    const send = (): void => {
      for (let index = 0; index < SIGNALS; index += 1) receiveCommand(state, made(index), DEFAULT_SETTINGS);
    };
    const written = stringified(send);
    // An entry is measured as its payload, when it is noted, and when it makes room.
    expect(written).toBeLessThanOrEqual(3 * SIGNALS + 10);
    await expectWithin(5_000, send);
    expect(state.people.length).toBeLessThanOrEqual(1_000);
  });

  test('commands refused at the same moment are noted up to a limit, then counted', () => {
    const state = judged();
    for (let index = 0; index < SIGNALS; index += 1) receiveCommand(state, command('accept', { iteration: 7 }));
    expect(state.people).toHaveLength(NOTED_REFUSALS);
    expect(state.people.at(-1)).toMatchObject({ applied: false, more: SIGNALS - NOTED_REFUSALS });
    receiveCommand(state, command('accept', { iteration: 7 }, '2026-01-01T00:00:01.000Z'));
    expect(state.people).toHaveLength(NOTED_REFUSALS + 1);
    expect(state.people.at(-1)!.more).toBeUndefined();
  });

  test('unknown names that arrive at the same moment are also counted, and further ones are not examined', () => {
    const state = judged();
    const why = jest.fn(unknownCommand);
    for (let index = 0; index < SIGNALS; index += 1)
      noteUnknown(state, { name: `n${index}`, payload: {}, at: AT }, why);
    expect(why).toHaveBeenCalledTimes(10);
    expect(state.people.at(-1)).toMatchObject({ name: 'n9', more: SIGNALS - 10 });
  });

  test('the bytes of the record are bounded, whatever was counted', () => {
    const state = judged();
    for (let index = 0; index < 60; index += 1) {
      const at = new Date(index).toISOString();
      receiveCommand(state, command('abort', { reason: 'r'.repeat(12_000), id: `${index}` }, at), DEFAULT_SETTINGS);
    }
    expect(JSON.stringify(state.people).length).toBeLessThanOrEqual(256 * 1024);
    expect(JSON.stringify(state.people).length).toBeGreaterThan(200 * 1024);
    delete state.peopleTally;
    receiveCommand(state, command('abort', { reason: 'r'.repeat(12_000) }), DEFAULT_SETTINGS);
    expect(JSON.stringify(state.people).length).toBeLessThanOrEqual(256 * 1024);
  });

  test('the stop rules are evaluated once for the same versions', () => {
    const large = 'x'.repeat(500_000);
    const state = judged();
    state.versions = [1, 2, 3].map((iteration) => ({
      ...aVersion(iteration, anEvaluation('fail', 0.5)),
      output: { large, iteration },
    }));
    const spec = { generator: { action: 'writes' } };
    const rules = rememberingRules();
    const settings = { ...DEFAULT_SETTINGS, maxIterations: 9, convergence: DEFAULT_CONVERGENCE };
    const written = stringified(() => {
      for (let index = 0; index < 100; index += 1) nextMove({ spec, settings, state, now: 0, stopRules: rules });
    });
    expect(written).toBeLessThan(20);
  });
});

describe('events in bulk', () => {
  test('the check whether a population can take another event costs the same however many wait', () => {
    const state: PopulationState = initialPopulation();
    const written = stringified(() => {
      for (let index = 0; index < SIGNALS; index += 1) {
        if (explainRefusal(state) === undefined)
          recordEvent(state, { kind: 'crisis', year: index, context: { description: 'd' } });
      }
    });
    expect(state.waiting).toHaveLength(1_000);
    expect(written).toBeLessThanOrEqual(1_000);
  });
});
