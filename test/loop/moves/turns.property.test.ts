import fc from 'fast-check';
import { HELD_BYTES, carriedState, isSafePoint, shouldHandOver } from '../../../src/loop/moves/continue-as-new-state';
import { receiveCommand } from '../../../src/loop/commands/commands';
import type { CommandName } from '../../../src/loop/base/command-payloads';
import type { Verdict } from '../../../src/loop/state/evaluation';
import type { Outcome } from '../../../src/loop/contract/evaluation';
import type { Json } from '../../../src/lib/json/json';
import type { LoopSettings } from '../../../src/loop/state/loop-settings';
import { initialState, type LoopState } from '../../../src/loop/state/loop-state';
import { type Move, nextMove, stepOf } from '../../../src/loop/moves/next-move';
import { beginReview, leaveReview } from '../../../src/loop/state/review-wait';
import type { ReflectionSpec } from '../../../src/loop/contract/spec';
import {
  settleVersion,
  stop,
  reopenLatest,
  recordFailure,
  recordHint,
  recordDraft,
  recordOverride,
  recordUnappliedEdit,
  recordVerdict,
} from '../../../src/loop/moves/transitions';
import { markOfLoop } from '../../../src/loop/moves/loop-mark';
import { MOST_IDLE_TURNS, countTurn } from '../../../src/lib/base/turns';
import { settingsOf } from '../../../src/loop/parse/settings';
import { anEvaluation, aVersion } from '../../../testing/support/versions';
import { isModelCall } from '../../../src/loop/spec/steps';

const AT = '2026-01-01T00:00:00.000Z';
const EVALUATORS = [{ name: 'judge', type: 'llm', weight: 1, gate: false, local: false }];
const USAGE = { promptTokens: 10, completionTokens: 10, totalTokens: 20, modelCalls: 1, usd: 0.01 };
/** Larger than what a chain carries of earlier outputs together, so that some stay behind. */
const LARGE = 'x'.repeat(70_000);

interface Turn {
  /** What becomes of the step of a move. */
  step: 'answers' | 'fails' | 'unapplied' | 'time';
  text: string;
  outcome: Outcome;
  score: number;
  command?: { name: CommandName; payload: Json };
  waitedMs: number;
}

const command = fc.oneof(
  fc.record({ name: fc.constant('guide' as const), payload: fc.constant({ text: 'more' }) }),
  fc.record({ name: fc.constant('override' as const), payload: fc.constant({ output: 'mine' }) }),
  fc.record({ name: fc.constant('extend' as const), payload: fc.constantFrom({ iterations: 1 }, { tokens: 50 }) }),
  fc.record({ name: fc.constant('reflect' as const), payload: fc.constant({}) }),
  fc.record({
    name: fc.constant('decide' as const),
    payload: fc.record({
      iteration: fc.integer({ min: 1, max: 5 }),
      decision: fc.constantFrom('auto', 'continue', 'stop'),
    }),
  }),
  fc.record({ name: fc.constantFrom('accept' as const, 'abort' as const), payload: fc.constant({}) }),
);
const turn = fc.record(
  {
    step: fc.constantFrom('answers', 'answers', 'answers', 'answers', 'answers', 'fails', 'unapplied', 'time'),
    text: fc.constantFrom('one', LARGE, LARGE, LARGE, LARGE, `${LARGE}y`),
    outcome: fc.constantFrom<Outcome>('fail', 'fail', 'fail', 'pass', 'inconclusive'),
    score: fc.constantFrom(0.3, 0.5, 0.5, 0.5, 0.9),
    command: fc.option(command, { freq: 3, nil: undefined }),
    waitedMs: fc.constantFrom(0, 0, 1, 1_000, 10_000_000),
  },
  { requiredKeys: ['step', 'text', 'outcome', 'score', 'waitedMs'] },
) as fc.Arbitrary<Turn>;
const specs: fc.Arbitrary<ReflectionSpec> = fc
  .record({
    generator: fc.constantFrom({ action: 'llm.call', prompt: 'x' }, { action: 'writes' }),
    evaluator: fc.constant({ type: 'llm' }),
    corrector: fc.constantFrom(undefined, { action: 'mends' }, { action: 'advises', mode: 'hint' }),
    maxIterations: fc.integer({ min: 1, max: 6 }),
    convergence: fc.constantFrom(false, {}, { plateauIterations: 1 }, { plateauIterations: 9, repeatedIssues: 9 }),
    budget: fc.constantFrom(undefined, { modelCalls: 3 }, { tokens: 60 }, { wallClock: '1h' }),
    revision: fc.record({ strategy: fc.constantFrom('hybrid', 'targeted_edit', 'full_rewrite') }),
    triggers: fc.constantFrom(undefined, { qualityDropThreshold: 0.1 }),
    review: fc.record({
      when: fc.constantFrom('on_exhausted', 'on_satisfactory', 'every_iteration', 'never'),
      onTimeout: fc.constantFrom('accept', 'stop', 'fail'),
      timeout: fc.constant('1h'),
    }),
  })
  .map((spec) => JSON.parse(JSON.stringify(spec)) as ReflectionSpec);
const games = fc.tuple(specs, fc.array(turn, { minLength: 1, maxLength: 25 }));

function verdictOf({ outcome, score }: Turn): Verdict {
  const none = outcome === 'inconclusive';
  const rest = { issues: [], suggestions: [], confidence: 1, ms: 0, tokenUsage: USAGE };
  return { name: 'judge', type: 'llm', outcome, score: none ? null : score, ...rest };
}

/** What a workflow does with a move, without Temporal. */
function perform(spec: ReflectionSpec, settings: LoopSettings, state: LoopState, move: Move, with_: Turn): void {
  if (move.kind !== 'wait') leaveReview(state);
  const step = stepOf(spec, move);
  const tokenUsage = step && isModelCall(step) ? USAGE : undefined;
  const outcome = { output: with_.text, warnings: [], ...(tokenUsage ? { tokenUsage } : {}) };
  if (step && with_.step === 'fails' && state.versions.length > 0) {
    return recordFailure(state, { type: 'StepFailed', message: 'the pen broke' });
  }
  if (step && with_.step === 'time' && settings.budget?.wallClockMs !== undefined) return void (state.timeIsUp = true);
  switch (move.kind) {
    case 'draft':
      return recordDraft(state, outcome, 'draft');
    case 'regenerate':
      return recordDraft(state, outcome, 'regeneration');
    case 'revise':
      return with_.step === 'unapplied' && !state.unappliedEdit
        ? recordUnappliedEdit(state, outcome, 'not there')
        : recordDraft(state, outcome, 'revision');
    case 'hint':
      return recordHint(state, outcome);
    case 'evaluate':
      recordVerdict(state, state.pending!, 0, verdictOf(with_));
      return settleVersion(state, settings, EVALUATORS, AT);
    case 'override':
      return recordOverride(state, settings, AT);
    case 'judge_again':
      return reopenLatest(state, settings, move.trigger);
    case 'stop':
      return stop(state, settings, move, AT);
    case 'wait':
    case 'await_answer':
  }
}

interface Seen {
  spec: ReflectionSpec;
  settings: LoopSettings;
  state: LoopState;
  move: Move;
  now: number;
}

/** Plays a loop, and shows each of its moves before it is made and what it did. */
function play(
  [spec, turns]: [ReflectionSpec, Turn[]],
  before: (seen: Seen) => void,
  after?: (seen: Seen) => void,
): void {
  const settings = settingsOf(spec);
  const state = initialState(0);
  let now = 0;
  for (const each of turns) {
    const move = nextMove({ spec, settings, state, now });
    if (move.kind === 'wait') beginReview(state, settings, move.reason, now);
    const seen = { spec, settings, state, move, now };
    before(seen);
    perform(spec, settings, state, move, each);
    after?.(seen);
    if (move.kind === 'stop') return;
    const { name, payload } = each.command ?? {};
    if (name) receiveCommand(state, { name, payload: payload!, via: 'signal', at: AT }, settings);
    now += each.waitedMs;
  }
}

const preparation = (settings: LoopSettings) => ({
  settings,
  searchAttributes: false,
  evaluators: EVALUATORS,
  actionNeeds: {},
});
const EITHER = [true, false];
const CIRCUMSTANCES = EITHER.flatMap((isSuggested) =>
  EITHER.flatMap((isBoundToBuild) =>
    EITHER.flatMap((isHeavy) =>
      EITHER.map((fits) => ({
        isSuggested,
        isBoundToBuild,
        heldBytes: () => (isHeavy ? HELD_BYTES : 0),
        fits: () => fits,
      })),
    ),
  ),
);

describe('each turn of a loop', () => {
  test('hands over only at safe points; every wait is one', () => {
    fc.assert(
      fc.property(games, (game) =>
        play(game, ({ state, move }) => {
          for (const run of CIRCUMSTANCES) {
            if (shouldHandOver(state, move, run)) expect([isSafePoint(state), run.fits()]).toEqual([true, true]);
          }
          if (move.kind === 'wait') {
            expect(
              shouldHandOver(state, move, {
                isSuggested: false,
                isBoundToBuild: true,
                heldBytes: () => 0,
                fits: () => true,
              }),
            ).toBe(true);
          }
        }),
      ),
      { numRuns: 500 },
    );
  });

  test('the run that takes over a wait waits for the same, until the same time', () => {
    fc.assert(
      fc.property(games, (game) =>
        play(game, ({ spec, settings, state, move, now }) => {
          if (move.kind !== 'wait') return;
          const carried = JSON.parse(JSON.stringify(carriedState(spec, preparation(settings), state))) as LoopState;
          expect(nextMove({ spec, settings, state: carried, now })).toEqual(move);
          expect(carried.review).toEqual(state.review);
        }),
      ),
      { numRuns: 2_000 },
    );
  }, 30_000);

  test('a wait for a text that no longer changes is taken over, although its outputs stay behind', () => {
    const spec = {
      generator: { action: 'llm.call', prompt: 'x' },
      evaluator: { type: 'llm' },
      maxIterations: 9,
      convergence: { plateauIterations: 9, repeatedIssues: 9 },
      review: { when: 'on_exhausted' },
    } as ReflectionSpec;
    const again: Turn = { step: 'answers', text: LARGE, outcome: 'fail', score: 0.5, waitedMs: 0 };
    const moves: Move[] = [];
    play([spec, Array.from({ length: 7 }, () => again)], ({ settings, state, move, now }) => {
      const carried = carriedState(spec, preparation(settings), state);
      if (move.kind === 'wait') moves.push(move, nextMove({ spec, settings, state: carried, now }));
    });
    expect(moves).toEqual([
      { kind: 'wait', reason: 'stable' },
      { kind: 'wait', reason: 'stable' },
    ]);
  });

  test('changes the state or waits', () => {
    fc.assert(
      fc.property(games, (game) => {
        let mark = [] as readonly unknown[];
        play(
          game,
          ({ state }) => (mark = markOfLoop(state)),
          ({ state, move }) => {
            const { idle } = countTurn({ mark, idle: 0 }, markOfLoop(state));
            if (move.kind !== 'wait') expect({ move, idle }).toEqual({ move, idle: 0 });
          },
        );
      }),
      { numRuns: 500 },
    );
  });

  test('turns that change nothing are counted, and those in between that do begin anew', () => {
    const same: LoopState = { ...initialState(0), versions: [aVersion(1, anEvaluation('fail', 0.5))] };
    const spec = { generator: { action: 'x' }, evaluator: [], review: { when: 'on_exhausted' } } as const;
    const reviewed = settingsOf({ ...spec, evaluator: [] });
    const played = Array.from({ length: MOST_IDLE_TURNS }, () => markOfLoop(same));
    const counted = played.reduce<ReturnType<typeof countTurn> | undefined>(countTurn, undefined)!;
    expect(counted.idle).toBe(MOST_IDLE_TURNS - 1);
    beginReview(same, reviewed, undefined, 1);
    const begun = countTurn(counted, markOfLoop(same));
    expect(begun.idle).toBe(0);
    beginReview(same, reviewed, undefined, 2);
    expect(countTurn(begun, markOfLoop(same)).idle).toBe(1);
  });
});
