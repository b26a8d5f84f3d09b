import fc from 'fast-check';
import type { Verdict } from '../../../src/loop/state/evaluation';
import type { Issue, Outcome } from '../../../src/loop/contract/evaluation';
import { initialState, type LoopState } from '../../../src/loop/state/loop-state';
import { nextMove } from '../../../src/loop/moves/next-move';
import { resultOf } from '../../../src/loop/versions/result';
import { planRevision } from '../../../src/loop/revision/revision-plan';
import { selectBest } from '../../../src/loop/versions/selection';
import { bestVersionSelection, revisionStrategy } from '../../../src/loop/contract/loop-options';
import type { ReflectionSpec } from '../../../src/loop/contract/spec';
import { settleVersion, stop, recordDraft, recordVerdict } from '../../../src/loop/moves/transitions';
import { settingsOf } from '../../../src/loop/parse/settings';

const EVALUATORS = [{ name: 'judge', type: 'llm', weight: 1, gate: false, local: false }];
const AT = '2026-01-01T00:00:00.000Z';

interface Judged {
  outcome: Outcome;
  score: number;
  issues: Issue[];
  text: string;
}

const issue = fc.record({
  message: fc.constantFrom('dull', 'long', 'late', 'wrong', 'rude'),
  severity: fc.constantFrom('minor', 'major', 'critical'),
  evaluator: fc.constant('judge'),
}) as fc.Arbitrary<Issue>;
const judged: fc.Arbitrary<Judged> = fc.record({
  outcome: fc.constantFrom<Outcome>('fail', 'fail', 'fail', 'fail', 'pass', 'inconclusive'),
  score: fc.integer({ min: 0, max: 20 }).map((points) => points / 20),
  issues: fc.array(issue, { maxLength: 4 }),
  text: fc.constantFrom('one', 'a second text', 'the third', 'four'),
});
const settingsOfSpec = fc.record({
  maxIterations: fc.integer({ min: 1, max: 9 }),
  bestVersionSelection: fc.constantFrom(...bestVersionSelection.options),
  revision: fc.record({ strategy: fc.constantFrom(...revisionStrategy.options) }),
  convergence: fc.constantFrom(
    false as const,
    {},
    { plateauIterations: 1 },
    { repeatedIssues: 1, plateauIterations: 5 },
  ),
});

function verdictOf({ outcome, score, issues }: Judged): Verdict {
  return {
    name: 'judge',
    type: 'llm',
    outcome,
    score: outcome === 'inconclusive' ? null : score,
    issues,
    suggestions: [],
    confidence: 1,
    ms: 0,
  };
}

function specWith(more: Partial<ReflectionSpec>): ReflectionSpec {
  return { generator: { action: 'llm.call', prompt: 'x' }, evaluator: { type: 'llm' }, ...more };
}

/** Plays a loop to its end against a list of judgements, round and round. */
function play(more: Partial<ReflectionSpec>, judgements: Judged[]): { state: LoopState; moves: string[] } {
  const spec = specWith(more);
  const settings = settingsOf(spec);
  const state = initialState(0);
  const moves: string[] = [];
  for (let step = 0; ; step += 1) {
    if (step > 100) throw new Error('the loop does not end');
    const move = nextMove({ spec, settings, state, now: 0 });
    expect(nextMove({ spec, settings, state: structuredClone(state), now: 0 })).toEqual(move);
    moves.push(move.kind === 'stop' ? move.reason : move.kind);
    const next = judgements[state.versions.length % judgements.length]!;
    if (move.kind === 'stop') {
      stop(state, settings, move, AT);
      return { state, moves };
    }
    if (move.kind === 'evaluate') {
      recordVerdict(state, state.pending!, 0, verdictOf(next));
      settleVersion(state, settings, EVALUATORS, AT);
      continue;
    }
    const plan = move.kind === 'revise' ? planRevision(settings, state) : undefined;
    const made = plan ? { strategy: plan.strategy, ...(plan.reverted ? { basedOn: plan.base.iteration } : {}) } : {};
    recordDraft(state, { output: next.text, warnings: [] }, plan ? 'revision' : 'draft', made);
  }
}

const games = fc.tuple(settingsOfSpec, fc.array(judged, { minLength: 1, maxLength: 9 }));

describe('whatever a judge says', () => {
  test('a loop never goes beyond its limit, and ends for exactly one reason', () => {
    fc.assert(
      fc.property(games, ([more, judgements]) => {
        const { state, moves } = play(more, judgements);
        expect(state.versions.length).toBeLessThanOrEqual(more.maxIterations);
        expect(moves.filter((move) => move === 'evaluate')).toHaveLength(state.versions.length);
        expect(state.stopped?.reason).toBe(moves.at(-1));
      }),
    );
  });

  test('no version is better by the rule of selection than the one that is called the best', () => {
    fc.assert(
      fc.property(games, ([more, judgements]) => {
        const { state } = play(more, judgements);
        const result = resultOf(state, settingsOf(specWith(more)), 1);
        const best = selectBest(state.versions, more.bestVersionSelection);
        expect(result.history.bestIteration).toBe(best?.iteration);
        if (result.success) expect(result.finalEvaluation?.outcome).toBe('pass');
        else expect(result.finalOutput).toBe(best?.output);
      }),
    );
  });

  test('a revision never starts from a version that is known to be worse than the best by more than noise', () => {
    fc.assert(
      fc.property(games, ([more, judgements]) => {
        const { state } = play({ ...more, bestVersionSelection: 'highest_score' }, judgements);
        for (const version of state.versions.slice(1)) {
          const before = state.versions.slice(0, version.iteration - 1);
          const base = before[(version.basedOn ?? version.iteration - 1) - 1]!;
          const best = selectBest(before, 'highest_score')!;
          const gap = (best.evaluation.overallScore ?? 0) - (base.evaluation.overallScore ?? 0);
          expect(base.evaluation.outcome === best.evaluation.outcome && gap <= 0.02 + 1e-9).toBe(true);
        }
      }),
    );
  });

  test('the same history gives the same decisions', () => {
    fc.assert(
      fc.property(games, ([more, judgements]) => {
        expect(play(more, judgements)).toEqual(play(more, judgements));
      }),
    );
  });
});
