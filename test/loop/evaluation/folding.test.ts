import { settleSplitPanels, foldOf, pendingTasks } from '../../../src/loop/moves/evaluation-tasks';
import type { Verdict } from '../../../src/loop/state/evaluation';
import type { EvaluatorPlan } from '../../../src/loop/state/loop-settings';
import { initialState, type LoopState } from '../../../src/loop/state/loop-state';
import { onlyScoreFailed } from '../../../src/loop/evaluation/relaxation';
import { listTasks } from '../../../src/loop/state/evaluation-task';
import type { Evaluator } from '../../../src/loop/contract/evaluators';
import { settleVersion, recordAnswer, recordDraft } from '../../../src/loop/moves/transitions';
import { partPlans } from '../../../src/activities/prepare/evaluator-mistakes';
import { DEFAULT_SETTINGS } from '../../../testing/support/versions';

const judged = (outcome: Verdict['outcome'], score: number | null, messages: string[] = []): Verdict => ({
  name: 'part',
  type: 'any',
  outcome,
  score,
  issues: messages.map((message) => ({ message, evaluator: 'part' })),
  suggestions: [],
  confidence: 0.8,
  ms: 1,
});

interface Bench {
  evaluator: Evaluator;
  votes?: number;
}

/** Has each part of an evaluator answer, and makes the version; rounds are the workflow's affair. */
function versionOf({ evaluator, votes = 1 }: Bench, answers: Verdict[]) {
  const spec = { judge: { votes } };
  const plan: EvaluatorPlan = {
    name: 'quality',
    type: evaluator.type,
    weight: 1,
    gate: false,
    local: false,
    ...partPlans(spec, evaluator),
  };
  const state: LoopState = initialState(0);
  recordDraft(state, { output: 'text', warnings: [] }, 'draft');
  const pending = state.pending!;
  const tasks = listTasks(evaluator, plan, 0, votes);
  const asks = pendingTasks(tasks, pending, [0]);
  asks.forEach((ask, index) => recordAnswer(state, pending, ask, answers[index]!, foldOf(ask, 0.8)));
  settleSplitPanels(tasks, pending, 0.8);
  settleVersion(state, DEFAULT_SETTINGS, [plan], '');
  return { version: state.versions[0]!, plan, asks: asks.length };
}

const check = (name: string) => ({ name, evaluator: 'function' as const, evaluatorConfig: { action: 'check' } });
const criteria = (...names: string[]): Evaluator => ({ type: 'criteria', criteria: names.map(check) });

describe('criteria that are checked, not asked about', () => {
  test('a single criterion must reach both thresholds and is named in issues, as several are', () => {
    const { version, asks } = versionOf({ evaluator: criteria('speed') }, [judged('pass', 0.75)]);
    expect(asks).toBe(1);
    expect(version.evaluation).toMatchObject({
      outcome: 'fail',
      overallScore: 0.75,
      criteriaScores: { speed: 0.75 },
      evaluators: [{ name: 'quality', type: 'criteria' }],
    });
    const both = versionOf({ evaluator: criteria('speed', 'size') }, [judged('pass', 0.75), judged('pass', 0.75)]);
    expect(both.version.evaluation.outcome).toBe('fail');
    expect(versionOf({ evaluator: criteria('speed') }, [judged('pass', 0.85)]).version.evaluation.outcome).toBe('pass');
  });

  test('a failed check is a major issue, a mean that is too low is not', () => {
    const failed = versionOf({ evaluator: criteria('builds', 'size') }, [
      judged('fail', 0, ['it does not build']),
      judged('pass', 0.9),
    ]);
    expect(failed.version.evaluation.issues).toMatchObject([{ message: 'it does not build', severity: 'major' }]);
    expect(onlyScoreFailed(failed.version, [failed.plan], 0.8)).toBe(false);
    const low = versionOf({ evaluator: criteria('speed', 'size') }, [judged('pass', 0.75), judged('pass', 0.75)]);
    expect(low.version.evaluation.issues).toHaveLength(1);
    expect(onlyScoreFailed(low.version, [low.plan], 0.8)).toBe(true);
  });
});

describe('a panel of which half could judge', () => {
  const panel = { evaluator: { type: 'llm' } as const, votes: 2 };
  const away = judged('inconclusive', null);

  test('is decided by that half, with less confidence', () => {
    const passed = versionOf(panel, [judged('pass', 0.9), away]).version.evaluation;
    expect(passed).toMatchObject({ outcome: 'pass', overallScore: 0.9 });
    expect(passed.confidence).toBeCloseTo(0.4);
    expect(versionOf(panel, [away, judged('fail', 0.3, ['weak'])]).version.evaluation).toMatchObject({
      outcome: 'fail',
      issues: [{ message: 'weak' }],
    });
    expect(versionOf({ ...panel, votes: 4 }, [judged('pass', 1), judged('fail', 0), away, away])).toMatchObject({
      version: { evaluation: { outcome: 'fail' } },
    });
  });

  test('given fewer than half of the votes, or none, the panel is inconclusive', () => {
    expect(versionOf(panel, [away, away]).version.evaluation.outcome).toBe('inconclusive');
    const three = versionOf({ ...panel, votes: 3 }, [judged('pass', 1), away, away]);
    expect(three.version.evaluation.outcome).toBe('inconclusive');
  });
});
