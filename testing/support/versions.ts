import type { Json } from '../../src/lib/json/json';
import type { Issue, Outcome, ReflectionEvaluation } from '../../src/loop/contract/evaluation';
import type { ConvergenceSettings, LoopSettings } from '../../src/loop/state/loop-settings';
import { NO_USAGE } from '../../src/lib/base/tokens';
import { initialState, type LoopState, type ReflectionVersion } from '../../src/loop/state/loop-state';

/** An evaluation with what a test cares about; the rest is plausible. */
export function anEvaluation(
  outcome: Outcome,
  score: number | null,
  more: { issues?: string[]; checksPassed?: number } = {},
): ReflectionEvaluation {
  const issues: Issue[] = (more.issues ?? []).map((message) => ({ message, evaluator: 'test' }));
  return {
    outcome,
    satisfactory: outcome === 'pass',
    overallScore: score,
    criteriaScores: {},
    issues,
    suggestions: [],
    confidence: 1,
    evaluators: [
      {
        name: 'test',
        type: 'test',
        outcome,
        score,
        ms: 1,
        ...(more.checksPassed === undefined ? {} : { checksPassed: more.checksPassed }),
      },
    ],
  };
}

/** A version whose output says which iteration it is from. */
export function aVersion(
  iteration: number,
  evaluation: ReflectionEvaluation,
  output: Json = `output ${iteration}`,
): ReflectionVersion {
  return {
    iteration,
    output,
    evaluation,
    origin: iteration === 1 ? 'draft' : 'revision',
    improvementsApplied: [],
    trigger: 'completion',
    timestamp: '2026-01-01T00:00:00.000Z',
    tokenUsage: NO_USAGE,
    warnings: [],
  };
}

/** A version that failed with issues, and what else a test cares about. */
export function aFailedVersion(
  iteration: number,
  score: number,
  issues: string[],
  more: Partial<ReflectionVersion> = {},
): ReflectionVersion {
  return { ...aVersion(iteration, anEvaluation('fail', score, { issues })), ...more };
}

/** A state with versions, the best of which is that of an iteration. */
export function stateWith(versions: ReflectionVersion[], bestIteration: number): LoopState {
  return { ...initialState(0), versions, bestIteration };
}

/** The settings that plan revisions, of a spec that says nothing of them. */
export const DEFAULT_REVISION = {
  revision: { strategy: 'hybrid', includePriorVersions: false, includeReflectionHistory: true } as const,
};

/** The convergence that a spec gets that says nothing of it. */
export const DEFAULT_CONVERGENCE: ConvergenceSettings = {
  plateauIterations: 2,
  improvementThreshold: 0.05,
  detectOscillation: true,
  stabilityThreshold: 0.98,
  repeatedIssues: 2,
};

/** The settings that a spec without settings gets. */
export const DEFAULT_SETTINGS: LoopSettings = {
  maxIterations: 3,
  qualityThreshold: 0.8,
  onFailure: 'return_best',
  bestVersionSelection: 'highest_score',
  preserveAllVersions: true,
  revision: { strategy: 'hybrid', includePriorVersions: false, includeReflectionHistory: true },
  choosesStrategy: false,
  timeouts: { modelCallMs: 120_000, stepMs: 120_000, retryForMs: 3_600_000 },
};
