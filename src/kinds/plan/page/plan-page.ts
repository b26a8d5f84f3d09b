import { omitUndefined } from '../../../lib/base/defined';
import type { PlanProgress, TaskProgress, TaskStatus, TaskResult, PlanPhase } from '../contract/plan-results';
import { spendingText } from '../../../loop/limits/budget';
import { escapeMarkdown, joinParagraphs, renderSignalsText } from '../../../loop/page/markdown';
import type { Task } from '../contract/plan';
import type { PlanState } from '../state/plan-run';
import { durationText, summaryText } from '../../../lib/text/summary-text';
import { renderCount } from '../../../lib/text/counted';

const DESCRIPTION_LENGTH = 80;
const ERROR_LENGTH = 200;
const GOAL_LENGTH = 200;
const ISSUES = 3;

const DOING: Record<PlanPhase, string> = {
  preparing: 'Checking the spec',
  planning: 'Planning',
  running: 'Carrying out the plan',
  reflecting: 'Judging the plan',
  done: 'Ended',
};

const short = (issues: readonly string[]): string[] =>
  issues.slice(0, ISSUES).map((issue) => issue.slice(0, ERROR_LENGTH));

function taskProgress({ id, description }: Task, state: PlanState, result: TaskResult | undefined): TaskProgress {
  const workflowId = Object.hasOwn(state.loops, id) ? state.loops[id] : undefined;
  const common = omitUndefined({ id, description: description.slice(0, DESCRIPTION_LENGTH), workflowId });
  if (state.running.some((task) => task.id === id)) return { ...common, status: 'running' };
  if (!result) return { ...common, status: 'waiting' };
  const at = state.evaluations.findLastIndex(({ taskId }) => taskId === id);
  // The tasks that this plan ran are not judged by an evaluation of an earlier plan.
  const isOld = state.ran.includes(id) && at < state.evaluatedBefore;
  const evaluation = isOld ? undefined : state.evaluations[at];
  return omitUndefined({
    ...common,
    status: result.success ? 'succeeded' : 'failed',
    ms: result.ms,
    error: result.error?.slice(0, ERROR_LENGTH),
    issues: evaluation && short(evaluation.issues),
  });
}

/** `goal`: of a spec that may not have been checked yet. */
export function planProgress(goal: unknown, state: PlanState): PlanProgress {
  const byTask = new Map(state.results.map((result) => [result.taskId, result]));
  const judged = state.evaluations.filter(({ planId }) => planId !== undefined);
  return {
    goal: typeof goal === 'string' ? goal.slice(0, GOAL_LENGTH) : '',
    phase: state.phase,
    attempt: state.attempt,
    tasks: (state.plan?.tasks ?? []).map((task) => taskProgress(task, state, byTask.get(task.id))),
    judged: judged.map(({ success, issues }) => ({ success, issues: short(issues) })),
    insights: state.learned.length,
    tokenUsage: state.tokenUsage,
  };
}

const MARK: Record<TaskStatus, string> = { waiting: '·', running: '▶', succeeded: '✅', failed: '❌' };

function renderStatus({ phase, attempt, tasks, judged }: PlanProgress): string {
  const of = (wanted: TaskStatus): number => tasks.filter(({ status }) => status === wanted).length;
  const [running, failed] = [of('running'), of('failed')];
  const last = phase === 'done' ? judged.at(-1) : undefined;
  return [
    last ? (last.success ? 'Succeeded' : 'Did not succeed') : DOING[phase],
    ...(attempt > 1 ? [`plan ${attempt}`] : []),
    ...(tasks.length > 0 ? [`${of('succeeded')} of ${renderCount(tasks.length, 'task')} done`] : []),
    ...(running > 0 ? [`${running} running`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ].join(' · ');
}

function taskLine({ id, description, status, ms, error, issues }: TaskProgress): string {
  const what = [escapeMarkdown(description, DESCRIPTION_LENGTH), ...(ms === undefined ? [] : [durationText(ms)])].join(
    ' · ',
  );
  // The issues of a task that failed begin with its error.
  const found = error ?? issues?.[0];
  return `- ${MARK[status]} ${escapeMarkdown(id, DESCRIPTION_LENGTH)}: ${what}${found ? ` — ${escapeMarkdown(found, ERROR_LENGTH)}` : ''}`;
}

export function renderPlanPage(goal: string, state: PlanState): string {
  const progress = planProgress(goal, state);
  const { tasks } = progress;
  const issues = state.evaluations.findLast(({ planId }) => planId !== undefined)?.issues ?? [];
  const loop = tasks.find(({ status, workflowId }) => status === 'running' && workflowId !== undefined);
  return joinParagraphs([
    `**${renderStatus(progress)}**`,
    escapeMarkdown(goal, GOAL_LENGTH),
    tasks.map(taskLine),
    issues.length > 0 && 'What was found:',
    issues.map((issue) => `- ${escapeMarkdown(issue, ERROR_LENGTH)}`),
    loop && renderSignalsText(loop.workflowId!),
    (state.refused ?? []).map((text) => `- ${escapeMarkdown(text, 300)}`),
    spendingText(state.tokenUsage, undefined),
  ]);
}

export function renderPlanSummary(goal: string): string {
  return summaryText(escapeMarkdown(goal, DESCRIPTION_LENGTH));
}
