import fc from 'fast-check';
import { bestVersionSelection, failurePolicy } from '../../../src/loop/contract/loop-options';
import { recordDraft, recordVerdict, settleVersion, stop } from '../../../src/loop/moves/transitions';
import type { ConvergenceReason } from '../../../src/loop/base/convergence';
import type { Verdict } from '../../../src/loop/state/evaluation';
import type { Issue, Outcome } from '../../../src/loop/contract/evaluation';
import type { EvaluatorPlan } from '../../../src/loop/state/loop-settings';
import { initialState, type LoopState, type ReflectionVersion } from '../../../src/loop/state/loop-state';
import { failsGate, rankOf } from '../../../src/loop/versions/ranking';
import { finalVersion, resultOf } from '../../../src/loop/versions/result';
import { compareVersions, isWorse, selectBest } from '../../../src/loop/versions/selection';
import { truncateVersions } from '../../../src/loop/versions/truncate';
import { DEFAULT_SETTINGS } from '../../../testing/support/versions';

const AT = '2026-01-01T00:00:00.000Z';

/** A free gate, a gate that is a judge, a free check, and a judge. */
const PLANS: EvaluatorPlan[] = [
  { name: 'no date', type: 'regex', weight: 1, gate: true, local: true },
  { name: 'safe', type: 'llm', weight: 1, gate: true, local: false },
  { name: 'form', type: 'schema', weight: 1, gate: false, local: true },
  { name: 'judge', type: 'llm', weight: 1, gate: false, local: false },
];

const outcome = fc.constantFrom<Outcome>('pass', 'fail', 'inconclusive');
const issue: fc.Arbitrary<Issue> = fc.record(
  {
    message: fc.constantFrom('dull', 'long', 'late'),
    evaluator: fc.constant('judge'),
    severity: fc.constantFrom('minor', 'major', 'critical'),
  },
  { requiredKeys: ['message', 'evaluator'] },
);
const said = fc.record({
  outcome,
  score: fc.constantFrom<number | null>(null, 0, 0.5, 0.79, 0.8, 0.81, 1),
  checksPassed: fc.constantFrom<number | undefined>(undefined, 0, 0.5, 1),
  issues: fc.array(issue, { maxLength: 3 }),
});
/** What the evaluators say of a version, in order; the last ones may not be asked any more. */
const judged = fc.array(said, { minLength: 0, maxLength: PLANS.length });
const histories = fc.record({
  versions: fc.array(judged, { minLength: 1, maxLength: 7 }),
  /** The last output is not judged any more. */
  isCutShort: fc.boolean(),
  selection: fc.constantFrom(...bestVersionSelection.options),
  onFailure: fc.constantFrom(...failurePolicy.options),
});
type History = typeof histories extends fc.Arbitrary<infer T> ? T : never;

function verdictOf(plan: EvaluatorPlan, { checksPassed, ...rest }: History['versions'][0][0]): Verdict {
  const { name, type } = plan;
  const score = rest.outcome === 'inconclusive' ? null : rest.score;
  const more = checksPassed === undefined ? {} : { checksPassed };
  return { name, type, suggestions: [], confidence: 1, ms: 0, ...rest, score, ...more };
}

function settingsOf({ selection, onFailure }: History) {
  return { ...DEFAULT_SETTINGS, bestVersionSelection: selection, onFailure };
}

/** A loop that made these versions, by the functions that make them in a run. */
function made(history: History): LoopState {
  const state = initialState(0);
  for (const [at, verdicts] of history.versions.entries()) {
    recordDraft(state, { output: `text ${at}`, warnings: [] }, at === 0 ? 'draft' : 'revision');
    for (const [index, each] of verdicts.entries()) {
      recordVerdict(state, state.pending!, index, verdictOf(PLANS[index]!, each));
      if (PLANS[index]!.gate && each.outcome === 'fail') break;
    }
    if (history.isCutShort && at === history.versions.length - 1) break;
    settleVersion(state, settingsOf(history), PLANS, AT);
  }
  return state;
}

const ended = (history: History, reason: ConvergenceReason): LoopState => {
  const state = made(history);
  stop(state, settingsOf(history), { reason }, AT, PLANS);
  return state;
};

/** How the page words it: the first of these that differs decides, and less is better. */
function key(version: ReflectionVersion): number[] {
  const { failedGates, failedChecks, unjudgedChecks, checksPassed, issueWeight } = version.ranking!;
  const { outcome: came, overallScore } = version.evaluation;
  const outcomes: Record<Outcome, number> = { pass: 0, fail: 1, inconclusive: 2 };
  const score = overallScore ?? 0;
  const first = [failedGates.length, failedChecks.length, unjudgedChecks, outcomes[came]];
  return [...first, -score, -checksPassed, issueWeight, version.iteration];
}

const firstDifference = (one: number[], other: number[]): number =>
  one.map((value, index) => value - other[index]!).find((difference) => difference !== 0) ?? 0;

const SILENT: ConvergenceReason[] = [
  'aborted',
  'max_iterations',
  'blocked',
  'plateau',
  'time_budget',
  'stopped',
  'error',
];

describe('the rank of versions', () => {
  test('the loop and silence hand back no version that failed a gate while one that did not is there', () => {
    fc.assert(
      fc.property(histories, fc.constantFrom(...SILENT), (history, reason) => {
        const state = ended(history, reason);
        const final = finalVersion(resultOf(state, settingsOf(history), 1).history)!;
        expect(failsGate(final)).toBe(state.versions.every(failsGate));
        const best = state.versions.find(({ iteration }) => iteration === state.bestIteration)!;
        expect(failsGate(best)).toBe(state.versions.every(failsGate));
      }),
      { numRuns: 2_000 },
    );
  });

  test('is by failed gates, checks without a model, outcome, score, share of checks, issues, and the iteration', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const { versions } = ended({ ...history, selection: 'highest_score' }, 'stopped');
        const sorted = versions.toSorted((one, other) => firstDifference(key(one), key(other)));
        expect(selectBest(versions, 'highest_score')).toBe(sorted[0]);
        for (const one of versions) {
          for (const other of versions) {
            const compared = compareVersions(one, other);
            expect(Math.sign(compared)).toBe(-Math.sign(compareVersions(other, one)) || 0);
            if (isWorse(one, other)) expect(compared).toBeLessThan(0);
          }
        }
      }),
    );
  });

  test('stays where a version loses its output and its details', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const { versions } = ended(history, 'stopped');
        const slim = truncateVersions(versions, new Set(), 600 * versions.length);
        for (const version of slim) {
          const whole = versions.find(({ iteration }) => iteration === version.iteration)!;
          expect(rankOf(version)).toEqual(rankOf(whole));
        }
        const kept = versions.filter(({ iteration }) => slim.some((each) => each.iteration === iteration));
        for (const selection of bestVersionSelection.options) {
          const best = selectBest(slim, selection)?.iteration;
          expect(best).toBe(selectBest(kept, selection)?.iteration);
        }
      }),
    );
  });

  test('a version that nobody could judge is better than one that is known to break a rule', () => {
    const fails = { outcome: 'fail' as const, score: 0, checksPassed: 0, issues: [] };
    const passes = { outcome: 'pass' as const, score: 1, checksPassed: 1, issues: [] };
    const unread = { outcome: 'inconclusive' as const, score: null, checksPassed: undefined, issues: [] };
    const versions = [[fails], [passes, passes, passes, unread]];
    const history: History = { versions, isCutShort: false, selection: 'highest_score', onFailure: 'return_best' };
    expect(ended(history, 'blocked').bestIteration).toBe(2);
  });
});
