import type { LoopReport, PlanReport, ReportAction, RoleUsage } from './contract';
import { omitUndefined } from '../../lib/base/defined';
import { isJsonObject, type Json } from '../../lib/json/json';
import { addUsage, NO_USAGE } from '../../lib/base/tokens';
import type { TokenUsage } from '../../lib/contract/values';
import type { PlanRunResult, PlanProgress, TaskProgress } from '../plan/contract/plan-results';
import { COMMAND_NAMES } from '../../loop/base/command-payloads';
import { wordsOf } from '../../loop/state/command-log';
import type { PersonEntry, ReflectionResult, Progress } from '../../loop/contract/results';
import type { ReflectionVersion } from '../../loop/state/loop-state';
import { reportOf } from '../../loop/versions/report';
import type { AttemptSummary } from '../../loop/contract/evaluation';

export interface ChainRecord {
  /** The argument of the first run that is kept, as far as it can be read. */
  argument: unknown;
  roles: RoleUsage[];
  sent: ReportAction[];
}

export type ReportHead = Pick<
  LoopReport,
  'workflowId' | 'runId' | 'type' | 'status' | 'startedAt' | 'endedAt' | 'runs'
>;

export interface KnownRun<Result, Standing> {
  result?: Result;
  progress?: Standing;
  failure?: LoopReport['failure'];
}

export interface KnownLoop extends KnownRun<ReflectionResult, Progress> {
  versions: ReflectionVersion[];
}

const ROLES: Record<string, string> = {
  generate: 'generator',
  revise: 'corrector',
  evaluate: 'evaluators',
  repair: 'evaluators',
  tool: 'tools',
  hook: 'hooks',
  recallInsights: 'memory',
  keepInsights: 'memory',
};

/** The role that uses the tokens of an activity, which is named without our prefix. */
export function roleOf(name: string): string {
  return ROLES[name] ?? name;
}

export function countUsage(roles: RoleUsage[], role: string, used: TokenUsage): void {
  const known = roles.find((each) => each.role === role);
  if (!known) roles.push({ role, activities: 1, tokenUsage: used });
  else Object.assign(known, { activities: known.activities + 1, tokenUsage: addUsage(known.tokenUsage, used) });
}

function restOf(total: TokenUsage, roles: readonly RoleUsage[]): TokenUsage | undefined {
  const known = roles.reduce((sum, { tokenUsage }) => addUsage(sum, tokenUsage), NO_USAGE);
  const computeRest = (key: 'promptTokens' | 'completionTokens' | 'totalTokens' | 'modelCalls'): number =>
    Math.max(0, total[key] - known[key]);
  const usd = total.usd === null || known.usd === null ? null : Math.max(0, total.usd - known.usd);
  const rest = {
    promptTokens: computeRest('promptTokens'),
    completionTokens: computeRest('completionTokens'),
    totalTokens: computeRest('totalTokens'),
    modelCalls: computeRest('modelCalls'),
  };
  // Sums of prices are never exact.
  const isNothing = Object.values(rest).every((count) => count === 0) && (usd === null || usd < 1e-9);
  return isNothing ? undefined : { ...rest, usd };
}

/** Lists all roles, with `other` for the rest of a run; an empty list if no history could be read. */
export function rolesOf(total: TokenUsage | undefined, roles: RoleUsage[]): RoleUsage[] {
  const rest = total && restOf(total, roles);
  return rest ? [...roles, { role: 'other', activities: 0, tokenUsage: rest }] : roles;
}

export function actionOf(entry: Omit<PersonEntry, 'applied'> & { applied?: boolean }): ReportAction | undefined {
  const { name, payload, by, at, via, applied, why } = entry;
  if (!(COMMAND_NAMES as readonly string[]).includes(name)) return undefined;
  const iteration = isJsonObject(payload) ? payload['iteration'] : undefined;
  return omitUndefined({
    name,
    by,
    at,
    via,
    iteration: Number.isInteger(iteration) ? (iteration as number) : undefined,
    words: wordsOf({ payload } as PersonEntry),
    applied,
    why,
  });
}

export function textIn(argument: unknown, key: string): string | undefined {
  const value = isJsonObject(argument as Json) ? (argument as Record<string, unknown>)[key] : undefined;
  return typeof value === 'string' ? value : undefined;
}

export function versionsOfAttempts(attempts: readonly AttemptSummary[], at: string): ReflectionVersion[] {
  return attempts.map(({ iteration, output, score, valid, errors }) => ({
    iteration,
    output,
    evaluation: {
      outcome: score === null ? 'inconclusive' : valid ? 'pass' : 'fail',
      satisfactory: valid,
      overallScore: score,
      criteriaScores: {},
      issues: errors.map((error) => ({ ...error, evaluator: '' })),
      suggestions: [],
      confidence: 1,
      evaluators: [],
    },
    origin: iteration === 1 ? 'draft' : 'revision',
    improvementsApplied: [],
    trigger: 'completion',
    timestamp: at,
    tokenUsage: NO_USAGE,
    warnings: [],
  }));
}

export function makeLoopReport(head: ReportHead, record: ChainRecord, known: KnownLoop): LoopReport {
  const { result, progress, failure, versions } = known;
  const tokenUsage = result?.tokenUsage ?? progress?.tokenUsage;
  const { issues, issuesOmitted, iterations } = result?.report ?? reportOf(versions);
  const people = result?.history.people.map(actionOf).filter((action) => action !== undefined);
  const isOver = head.endedAt !== undefined;
  return omitUndefined({
    kind: 'loop' as const,
    ...head,
    name: textIn(record.argument, 'name'),
    task: textIn(record.argument, 'task'),
    phase: isOver ? undefined : progress?.phase,
    waitingFor: isOver ? undefined : progress?.waitingFor,
    success: result?.success,
    convergenceReason: result?.convergenceReason ?? progress?.convergenceReason,
    failure: failure ?? result?.failure,
    versions,
    bestIteration: result?.history.bestIteration ?? progress?.best?.iteration ?? null,
    finalIteration: result?.history.finalIteration ?? null,
    issues,
    issuesOmitted,
    iterations,
    actions: people ?? record.sent,
    tokenUsage,
    roles: rolesOf(tokenUsage, record.roles),
  });
}

export function makePlanReport(
  head: ReportHead,
  record: ChainRecord,
  { result, progress, failure }: KnownRun<PlanRunResult, PlanProgress>,
): PlanReport {
  const tokenUsage = result?.tokenUsage ?? progress?.tokenUsage;
  const judged = result?.evaluations.filter(({ planId }) => planId !== undefined) ?? [];
  return omitUndefined({
    kind: 'plan' as const,
    ...head,
    goal: textIn(record.argument, 'goal') ?? progress?.goal,
    phase: head.endedAt === undefined ? progress?.phase : undefined,
    success: result?.success,
    failure,
    plans: progress?.attempt ?? (result ? result.replans + 1 : 0),
    tasks: progress?.tasks ?? (result ? tasksOfResult(result) : []),
    judged: progress?.judged ?? judged.map(({ success, issues }) => ({ success, issues })),
    patterns: result?.patterns ?? [],
    insights: result?.insights ?? [],
    tokenUsage,
    roles: rolesOf(tokenUsage, record.roles),
  });
}

export function tasksOfResult({ plan, results, evaluations }: PlanRunResult): TaskProgress[] {
  return plan.tasks.map(({ id, description }) => {
    const result = results.find(({ taskId }) => taskId === id);
    return omitUndefined({
      id,
      description,
      status: result ? (result.success ? ('succeeded' as const) : ('failed' as const)) : ('waiting' as const),
      ms: result?.ms,
      error: result?.error,
      issues: evaluations.findLast(({ taskId }) => taskId === id)?.issues,
    });
  });
}
