import fc from 'fast-check';
import { handleEvent, recordInsight } from '../../../../src/kinds/agents/state/handle-event';
import type { AgentEvent } from '../../../../src/kinds/agents/state/population';
import {
  nextPopulationMove,
  type PopulationCircumstances,
  type PopulationMove,
} from '../../../../src/kinds/agents/state/population-moves';
import {
  concludeEvent,
  initialPopulation,
  type PopulationState,
  recordEvent,
  explainRefusal,
  markOfPopulation,
} from '../../../../src/kinds/agents/state/population-state';
import { countTurn } from '../../../../src/lib/base/turns';
import { population } from '../../../../testing/support/populations';
import { carriedPopulation } from '../../../../src/kinds/agents/state/population-hand-over';

const PEOPLE = population({ method: 'template' });

interface Turn {
  /** Events that come in between, and whether their senders want an answer. */
  events: { kind: 'crisis' | 'periodic'; year: number; isAwaited: boolean }[];
  finish: boolean;
  isLong: boolean;
  isSuggested: boolean;
  isFull: boolean;
  /** What would be handed over fits into a payload. */
  fits: boolean;
  /** A sender has its answer. */
  isTaken: boolean;
}

interface Game {
  isVersioned: boolean;
  turns: Turn[];
}

const turn: fc.Arbitrary<Turn> = fc.record({
  events: fc.array(
    fc.record({
      kind: fc.constantFrom('crisis' as const, 'periodic' as const),
      year: fc.integer({ min: 1, max: 30 }),
      isAwaited: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
  finish: fc.constantFrom(false, false, false, false, false, true),
  isLong: fc.boolean(),
  isSuggested: fc.boolean(),
  isFull: fc.constantFrom(false, false, false, false, false, true),
  fits: fc.constantFrom(true, true, true, false),
  isTaken: fc.boolean(),
});
const games: fc.Arbitrary<Game> = fc.record({
  isVersioned: fc.boolean(),
  turns: fc.array(turn, { minLength: 1, maxLength: 30 }),
});

interface Seen {
  state: PopulationState;
  run: PopulationCircumstances;
  move: PopulationMove;
}

/** Plays a population through all runs of its chain, without Temporal, and shows each of its moves and what it did. */
function play(
  { isVersioned, turns }: Game,
  before: (seen: Seen) => void,
  after: (seen: Seen & { answers: number }) => void = () => undefined,
): PopulationState {
  let state = initialPopulation();
  let [hasWorked, follows] = [false, false];
  const awaited = new Set<number>();
  let answers = 0;
  const come = ({ events, finish, isTaken }: Turn): void => {
    for (const { kind, year, isAwaited } of events) {
      if (explainRefusal(state) !== undefined) continue;
      const number = recordEvent(state, { kind, year });
      if (isAwaited) awaited.add(number);
    }
    if (finish) state.finishing = true;
    if (isTaken) answers = 0;
  };
  for (const each of turns) {
    come(each);
    const isBoundToBuild = isVersioned && (hasWorked || !follows);
    const isUnawaited = awaited.size === 0 && answers === 0;
    const { isLong, isSuggested, isFull } = each;
    const run = { answers, isLong, isSuggested, isFull, hasWorked, isBoundToBuild, isUnawaited, fits: () => each.fits };
    const move = nextPopulationMove(state, run);
    before({ state, run, move });
    if (move === 'end' || move === 'full') return state;
    if (move === 'reflect') {
      hasWorked = true;
      const { number, event } = state.waiting[0]!;
      const { occasions, skipped } = handleEvent(state, PEOPLE, event);
      const reflected = occasions.map((occasion) =>
        recordInsight(state, PEOPLE, { number, event }, occasion, { text: 'I learned.', method: 'template' }),
      );
      concludeEvent(state, { reflected, skipped });
      if (awaited.delete(number)) answers += 1;
    }
    if (move === 'hand_over') {
      state = JSON.parse(JSON.stringify(carriedPopulation(state))) as PopulationState;
      [hasWorked, follows] = [false, true];
    }
    after({ state, run, move, answers });
  }
  return state;
}

/** A run that has just taken over. */
const FRESH = { isSuggested: false, isFull: true, fits: () => true };

const idle = ({ waiting, finishing }: PopulationState): boolean => waiting.length === 0 && !finishing;

describe('each turn of a population', () => {
  test('hands over only where it may: no sender waits, and the run did something or there is nothing to do', () => {
    fc.assert(
      fc.property(games, (game) => {
        play(game, ({ state, run, move }) => {
          if (move !== 'hand_over') return;
          expect([run.isUnawaited, run.answers]).toEqual([true, 0]);
          expect(run.hasWorked || idle(state)).toBe(true);
          expect(run.isLong || run.isSuggested || run.isBoundToBuild).toBe(true);
          expect(run.fits()).toBe(true);
        });
      }),
      { numRuns: 500 },
    );
  });

  test('the run that takes over does what there is to do, however fast events come', () => {
    fc.assert(
      fc.property(games, (game) => {
        play(game, ({ state, move }) => {
          if (move !== 'hand_over') return;
          const carried = JSON.parse(JSON.stringify(carriedPopulation(state))) as PopulationState;
          const run = { ...FRESH, answers: 0, hasWorked: false, isBoundToBuild: false, isUnawaited: true };
          expect(nextPopulationMove(carried, { ...run, isLong: false })).toBe(idle(state) ? 'wait' : 'reflect');
          recordEvent(carried, { kind: 'crisis', year: 1 });
          expect(nextPopulationMove(carried, { ...run, isLong: true })).toBe('reflect');
        });
      }),
      { numRuns: 500 },
    );
  });

  test('changes the state, or waits for what is not there yet, or ends when all is done', () => {
    fc.assert(
      fc.property(games, (game) => {
        let mark = [] as readonly unknown[];
        play(
          game,
          ({ state, run, move }) => {
            mark = markOfPopulation(state);
            const mustFollow = run.isBoundToBuild && run.isUnawaited && run.fits();
            if (move === 'wait') expect([idle(state), mustFollow]).toEqual([true, false]);
            if (move === 'full')
              expect([run.isFull, run.hasWorked, state.waiting.length > 0]).toEqual([true, true, true]);
            if (move === 'answer') expect(run.answers).toBeGreaterThan(0);
            if (move === 'end') expect([state.waiting, state.finishing]).toEqual([[], true]);
          },
          ({ state, move }) => {
            if (move !== 'reflect') return;
            const counted = countTurn({ mark, idle: 0 }, markOfPopulation(state));
            expect({ move, idle: counted.idle }).toEqual({ move, idle: 0 });
          },
        );
      }),
      { numRuns: 500 },
    );
  });

  test('a full run ends only where none can take over', () => {
    fc.assert(
      fc.property(games, (game) => {
        play(game, ({ run, move }) => {
          // Not while senders wait for answers either: a run takes over once they have them.
          if (move === 'full') expect(run.fits()).toBe(false);
        });
      }),
      { numRuns: 500 },
    );
  });

  test('a wait does not end for a run that would wait again', () => {
    fc.assert(
      fc.property(games, (game) => {
        play(game, ({ state, run, move }) => {
          if (move !== 'wait' && move !== 'answer') return;
          // What ends the wait is that this answers otherwise: nothing else may have to change for it to be asked anew.
          expect(nextPopulationMove(structuredClone(state), { ...run })).toBe(move);
          const woken: AgentEvent = { kind: 'crisis', year: 1 };
          const told = structuredClone(state);
          recordEvent(told, woken as never);
          const isFull = run.isFull && run.hasWorked && !run.fits();
          expect(nextPopulationMove(told, { ...run, answers: 0, isUnawaited: false })).toBe(
            isFull ? 'full' : 'reflect',
          );
        });
      }),
      { numRuns: 500 },
    );
  });

  test('each event is dealt with once, in its order, by whichever run of the chain; and all kinds of moves are made', () => {
    const kinds = new Set<PopulationMove>();
    fc.assert(
      fc.property(games, (game) => {
        const dealt: number[] = [];
        const end = play(game, ({ state, move }) => {
          kinds.add(move);
          if (move === 'reflect') dealt.push(state.waiting[0]!.number);
        });
        expect(dealt).toEqual(dealt.map((_, index) => index + 1));
        expect(dealt.length + end.waiting.length).toBe(end.taken);
      }),
      { numRuns: 500, seed: 1 },
    );
    expect([...kinds].sort()).toEqual(['answer', 'end', 'full', 'hand_over', 'reflect', 'wait']);
  });
});
