import type { Json } from '../../lib/json/json';
import { NO_USAGE } from '../../lib/base/tokens';
import type { TokenUsage } from '../../lib/contract/values';
import { finalVersion, isUnjudged } from '../../loop/versions/result';
import type { ReflectionResult } from '../../loop/contract/results';
import { type Arm, sumUsage, subtractUsage } from './arms';

export interface CaseOutcome {
  case: string;
  arm: string;
  passed: boolean;
  /** Whether no evaluator could judge the output: it has neither passed nor not passed. */
  unjudged?: true;
  /**
   * Whether the output is right by what the arm never sees: the reference of the case, or the held-out judge. Undefined if
   * neither was given, or the judge could not decide.
   */
  right?: boolean;
  score: number | null;
  output: Json;
  /**
   * The usage that it would have outside of an experiment: there, no evaluator judges a single shot. Calls of the held-out
   * judge do not count.
   */
  usage: TokenUsage;
  /** Milliseconds from the start to the end of its runs. */
  ms: number;
  /** The reason of its end; `failed` if it has no result. */
  reason: string;
  iterations: number;
  passedAt?: number;
  workflowIds: string[];
  error?: { type: string; message: string };
}

type Ran = Pick<
  CaseOutcome,
  'passed' | 'unjudged' | 'score' | 'output' | 'usage' | 'ms' | 'reason' | 'iterations' | 'passedAt'
>;

function ranOf(result: ReflectionResult, kind: Arm['kind']): Ran {
  const final = finalVersion(result.history);
  const isSingle = kind === 'single';
  return {
    passed: result.success,
    ...(isUnjudged(result) && { unjudged: true as const }),
    score: result.finalEvaluation?.overallScore ?? null,
    output: result.finalOutput,
    usage: isSingle ? subtractUsage(result.tokenUsage, final?.evaluationUsage) : result.tokenUsage,
    ms: result.executionTime,
    reason: result.convergenceReason,
    iterations: result.iterationsUsed,
    ...(result.success && final && { passedAt: final.iteration }),
  };
}

const rank = ({ passed, score }: Ran): number => (passed ? 2 : 0) + (score ?? -1);

/** Returns whether an outcome counts for a measure. A failed run counts: it made nothing. */
export function isDecisive(outcome: CaseOutcome, about: 'passed' | 'right'): boolean {
  if (outcome.error) return true;
  return about === 'passed' ? !outcome.unjudged : outcome.right !== undefined;
}

/** Returns the outcome of an arm on a case: that of its loop, or of the best of its samples, the first of equals. */
export function outcomeOf(
  { name, kind }: Pick<Arm, 'name' | 'kind'>,
  caseId: string,
  runs: readonly { workflowId: string; result: ReflectionResult }[],
): CaseOutcome {
  const all = runs.map(({ result }) => ranOf(result, kind));
  const best = all.reduce((one, other) => (rank(other) > rank(one) ? other : one));
  return {
    case: caseId,
    arm: name,
    ...best,
    ...(best.passedAt !== undefined && { passedAt: kind === 'loop' ? best.passedAt : all.indexOf(best) + 1 }),
    iterations: all.reduce((sum, { iterations }) => sum + iterations, 0),
    usage: sumUsage(all.map(({ usage }) => usage)),
    ms: all.reduce((sum, { ms }) => sum + ms, 0),
    workflowIds: runs.map(({ workflowId }) => workflowId),
  };
}

export function makeFailedOutcome(
  { name }: Pick<Arm, 'name'>,
  caseId: string,
  { workflowIds, error }: Required<Pick<CaseOutcome, 'workflowIds' | 'error'>>,
): CaseOutcome {
  const nothing = { passed: false, score: null, output: null, usage: NO_USAGE, ms: 0, iterations: 0 };
  return { case: caseId, arm: name, ...nothing, reason: 'failed', workflowIds, error };
}
