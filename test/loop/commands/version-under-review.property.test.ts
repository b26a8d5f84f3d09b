import fc from 'fast-check';
import { versionUnderReview } from '../../../src/apps/cli/views/waiting-view';
import { describeWait } from '../../../src/loop/commands/available';
import { receiveCommand } from '../../../src/loop/commands/commands';
import { reviewOutcome } from '../../../src/loop/commands/review';
import { beginReview, leaveReview } from '../../../src/loop/state/review-wait';
import { nextMove } from '../../../src/loop/moves/next-move';
import {
  recordDraft,
  recordOverride,
  recordVerdict,
  reopenLatest,
  settleVersion,
  stop,
} from '../../../src/loop/moves/transitions';
import { renderKeptRunPage, renderRunPage } from '../../../src/loop/page/run-page';
import type { Outcome } from '../../../src/loop/contract/evaluation';
import type { EvaluatorPlan, LoopSettings } from '../../../src/loop/state/loop-settings';
import { bestSoFar, initialState, type LoopState } from '../../../src/loop/state/loop-state';
import { failsGate } from '../../../src/loop/versions/ranking';
import { resultOf } from '../../../src/loop/versions/result';
import { DEFAULT_SETTINGS } from '../../../testing/support/versions';

const AT = '2026-01-01T00:00:00.000Z';
const PLANS: EvaluatorPlan[] = [
  { name: 'no date', type: 'regex', weight: 1, gate: true, local: true },
  { name: 'judge', type: 'llm', weight: 1, gate: false, local: false },
];
const LOOP = { generator: { action: 'llm.call', prompt: 'x' }, evaluator: { type: 'llm' } } as const;

const games = fc.record({
  when: fc.constantFrom('on_satisfactory' as const, 'on_exhausted' as const, 'every_iteration' as const),
  selection: fc.constantFrom('highest_score' as const, 'latest' as const, 'first_satisfactory' as const),
  judged: fc.array(
    fc.record({
      gate: fc.constantFrom<Outcome>('pass', 'pass', 'fail'),
      outcome: fc.constantFrom<Outcome>('pass', 'pass', 'fail', 'inconclusive'),
      score: fc.integer({ min: 0, max: 10 }).map((points) => points / 10),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  said: fc.array(
    fc.constantFrom(
      ['guide', { text: 'Name the source.' }] as const,
      ['override', { output: 'mine' }] as const,
      ['extend', { iterations: 1 }] as const,
      ['decide', { decision: 'continue' }] as const,
      ['reflect', {}] as const,
    ),
    { minLength: 1, maxLength: 6 },
  ),
});
type Game = typeof games extends fc.Arbitrary<infer T> ? T : never;

function settingsOf({ when, selection }: Game): LoopSettings {
  const review = { when, timeoutMs: 1_000, onTimeout: 'accept' as const };
  return { ...DEFAULT_SETTINGS, maxIterations: 3, bestVersionSelection: selection, review };
}

function judge(state: LoopState, settings: LoopSettings, { judged }: Game, count: number): void {
  const { gate, outcome, score } = judged[count % judged.length]!;
  const verdict = { type: 'x', issues: [], suggestions: [], confidence: 1, ms: 0 };
  recordVerdict(state, state.pending!, 0, { ...verdict, name: 'no date', outcome: gate, score: null });
  if (gate !== 'fail') {
    const of = outcome === 'inconclusive' ? null : score;
    recordVerdict(state, state.pending!, 1, { ...verdict, name: 'judge', outcome, score: of });
  }
  settleVersion(state, settings, PLANS, AT);
}

/** Plays a loop in which somebody says something at each wait, and looks at each of its states in which it waits. */
function play(game: Game, look: (state: LoopState, settings: LoopSettings, begins: boolean) => void): void {
  const settings = settingsOf(game);
  const state = initialState(0);
  let [waits, judgements] = [0, 0];
  for (let step = 0; step < 60; step += 1) {
    const move = nextMove({ spec: LOOP, settings, state, now: 0 });
    if (move.kind === 'stop') return;
    if (move.kind === 'wait') {
      const begins = state.review === undefined;
      beginReview(state, settings, move.reason, 0);
      look(state, settings, begins);
      if (waits >= game.said.length) return;
      const [name, given] = game.said[waits]!;
      waits += 1;
      const payload = name === 'decide' ? { ...given, iteration: state.review!.iteration } : given;
      receiveCommand(state, { name, payload, via: 'update', at: AT }, settings);
      continue;
    }
    leaveReview(state);
    if (move.kind === 'override') recordOverride(state, settings, AT, PLANS);
    else if (move.kind === 'judge_again') reopenLatest(state, settings, move.trigger);
    else if (move.kind === 'evaluate') judge(state, settings, game, judgements++);
    else recordDraft(state, { output: `text ${step}`, warnings: [] }, move.kind === 'draft' ? 'draft' : 'revision');
  }
}

/** What a loop hands back that is told something, or nothing, while it waits. */
function endOf(
  state: LoopState,
  settings: LoopSettings,
  payload?: object,
): { version: number | null; output: unknown } {
  const told = structuredClone(state);
  const command = { name: 'accept' as const, payload: { ...payload }, via: 'update' as const, at: AT };
  if (payload) expect(receiveCommand(told, command, settings)).toBeUndefined();
  const move = nextMove({ spec: LOOP, settings, state: told, now: payload ? 0 : told.review!.until });
  if (move.kind !== 'stop') throw new Error(`it was to end: ${move.kind}`);
  stop(told, settings, move, AT, PLANS);
  const { history, finalOutput } = resultOf(told, settings, 1);
  return { version: history.finalIteration, output: finalOutput };
}

describe('the version under review', () => {
  test('is the version that is shown, that `accept` takes and that silence accepts', () => {
    let isOther = 0;
    fc.assert(
      fc.property(games, (game) => {
        play(game, (state, settings) => {
          const waiting = describeWait(state, settings)!;
          const { version } = waiting;
          const { output } = state.versions.find(({ iteration }) => iteration === version)!;
          if (version !== state.versions.at(-1)!.iteration) isOther += 1;
          // `show --output` and the review page look for this one.
          expect(versionUnderReview(waiting)).toBe(version);
          for (const page of [
            renderRunPage(state, settings, 'waiting'),
            renderKeptRunPage(state, settings, 'waiting').join('\n'),
          ]) {
            expect(page).toContain(`The text of version ${version}:`);
          }
          expect(endOf(state, settings, {})).toEqual({ version, output });
          expect(endOf(state, settings, { iteration: version })).toEqual({ version, output });
          expect(endOf(state, settings, { best: true }).version).toBe(state.bestIteration);
          const failed = failsGate(state.versions.find(({ iteration }) => iteration === version)!);
          const silence = endOf(state, settings);
          // Nobody gets a version unasked that failed a gate while there is another.
          if (failed && !state.versions.every(failsGate)) expect(silence.version).not.toBe(version);
          else expect(silence).toEqual({ version, output });
        });
      }),
      { numRuns: 500 },
    );
    expect(isOther).toBeGreaterThan(20);
  });

  test('is the latest if it passed or a user requested it after the best was judged, else the best', () => {
    fc.assert(
      fc.property(games, (game) => {
        play(game, (state, _settings, begins) => {
          // An extension that lifts no limit changes nothing of what is shown.
          if (!begins) return;
          const last = state.versions.at(-1)!;
          const best = bestSoFar(state)!;
          const wanted = last.evaluation.satisfactory || (state.steeredAfter ?? 0) >= best.iteration;
          expect(state.review!.version).toBe(wanted ? last.iteration : best.iteration);
        });
      }),
    );
  });

  test('the first decision settles a wait; the second is refused with who decided what', () => {
    const settings = settingsOf({ when: 'every_iteration', selection: 'highest_score', judged: [], said: [] });
    const send = (state: LoopState, name: 'accept' | 'guide' | 'override' | 'abort', payload: object) =>
      receiveCommand(state, { name, payload: { ...payload }, via: 'signal', at: AT }, settings);
    const waits = (): LoopState => {
      const state = initialState(0);
      recordDraft(state, { output: 'text', warnings: [] }, 'draft');
      judge(state, settings, { judged: [{ gate: 'pass', outcome: 'fail', score: 0.5 }] } as unknown as Game, 0);
      beginReview(state, settings, undefined, 0);
      return state;
    };
    const guided = waits();
    expect(send(guided, 'guide', { text: 'x', by: 'Ada' })).toBeUndefined();
    leaveReview(guided);
    const why = `the review of version 1 is decided: Ada sent "guide" at ${AT}`;
    expect(send(guided, 'accept', { by: 'Bob' })).toBe(
      `${why}; {"best": true} ends the run with its best version all the same`,
    );
    expect(send(guided, 'override', { output: 'y' })).toBe(why);
    expect(guided.people.at(-1)).toMatchObject({ name: 'override', applied: false, why });
    // What adds to it is taken, and so is what the same person says.
    expect(send(guided, 'guide', { text: 'and y', by: 'Bob' })).toBeUndefined();
    expect(send(guided, 'accept', { by: 'Ada' })).toBeUndefined();
    expect(send(guided, 'guide', { text: 'z' })).toMatch(/^the run is already accepted: .* at /);
    const accepted = waits();
    expect(send(accepted, 'accept', { by: 'Bob' })).toBeUndefined();
    expect(send(accepted, 'guide', { text: 'x' })).toBe(`the run is already accepted: Bob sent "accept" at ${AT}`);
    expect(send(accepted, 'abort', {})).toBeUndefined();
    // Another version is judged: the decision is done.
    const later = waits();
    send(later, 'guide', { text: 'x', by: 'Ada' });
    leaveReview(later);
    recordDraft(later, { output: 'text 2', warnings: [] }, 'revision');
    judge(later, settings, { judged: [{ gate: 'pass', outcome: 'fail', score: 0.4 }] } as unknown as Game, 0);
    expect(send(later, 'accept', { by: 'Bob' })).toBeUndefined();
    expect(later.commands.accept).toEqual({});
  });

  test('silence does not accept a version that failed a gate while there is another', () => {
    const settings = settingsOf({ when: 'every_iteration', selection: 'highest_score', judged: [], said: [] });
    const state = initialState(0);
    for (const gate of ['pass', 'fail'] as const) {
      recordDraft(state, { output: gate, warnings: [] }, 'revision');
      judge(state, settings, { judged: [{ gate, outcome: 'fail', score: 0.5 }] } as unknown as Game, 0);
      if (gate === 'pass') {
        beginReview(state, settings, undefined, 0);
        receiveCommand(state, { name: 'guide', payload: { text: 'x' }, via: 'update', at: AT }, settings);
        leaveReview(state);
      }
    }
    delete state.guidance;
    beginReview(state, settings, undefined, 0);
    expect(state.review!.version).toBe(2);
    expect(describeWait(state, settings)).toMatchObject({ version: 2, failedChecks: ['no date'] });
    expect(renderRunPage(state, settings, 'waiting')).toContain('the run stops, because this version fails a gate');
    expect(reviewOutcome(settings, state, undefined, false, state.review!.until)).toEqual({
      kind: 'stop',
      reason: 'stopped',
    });
    expect(endOf(state, settings).output).toBe('pass');
  });
});
