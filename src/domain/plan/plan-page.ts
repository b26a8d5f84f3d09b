import { plain } from '../run-page';
import type { TaskResult } from '../reflector/types';
import type { PlanPhase, PlanState } from './plan-run';
import { summaryText } from '../summary-text';

/** Where a task of the present plan stands. */
export type TaskStatus = 'waiting' | 'running' | 'succeeded' | 'failed';

/** Answer of the query `progress`. */
export interface PlanProgress {
  phase: PlanPhase;
  /** From 1. */
  attempt: number;
  tasks: { id: string; status: TaskStatus; ms?: number; error?: string }[];
  insights: number;
}

const DESCRIPTION_LENGTH = 80;
const ERROR_LENGTH = 200;
const GOAL_LENGTH = 200;

const DOING: Record<PlanPhase, string> = {
  preparing: 'Checking the spec',
  planning: 'Planning',
  running: 'Carrying out the plan',
  reflecting: 'Judging the plan',
  done: 'Ended',
};

function statusOf(id: string, { running }: PlanState, result: TaskResult | undefined): TaskStatus {
  if (running.includes(id)) return 'running';
  if (!result) return 'waiting';
  return result.success ? 'succeeded' : 'failed';
}

/** Where a run of a plan stands. */
export function planProgress(state: PlanState): PlanProgress {
  const byTask = new Map(state.results.map((result) => [result.taskId, result]));
  const tasks = (state.plan?.tasks ?? []).map(({ id }) => {
    const result = byTask.get(id);
    return {
      id,
      status: statusOf(id, state, result),
      ...(result ? { ms: result.ms } : {}),
      ...(result?.error === undefined ? {} : { error: result.error.slice(0, ERROR_LENGTH) }),
    };
  });
  return { phase: state.phase, attempt: state.attempt, tasks, insights: state.learned.length };
}

const MARK: Record<TaskStatus, string> = { waiting: '·', running: '▶', succeeded: '✅', failed: '❌' };

/** The run's page in the Temporal Web UI, as Markdown. */
export function planPage(goal: string, state: PlanState): string {
  const { tasks, phase, attempt } = planProgress(state);
  const descriptions = new Map(state.plan?.tasks.map(({ id, description }) => [id, description]));
  const issues = state.evaluations.findLast(({ planId }) => planId !== undefined)?.issues ?? [];
  return [
    `**${plain(goal, GOAL_LENGTH)}**`,
    `${DOING[phase]} · plan ${attempt} · ${tasks.filter(({ status }) => status === 'succeeded').length}/${tasks.length} tasks`,
    tasks
      .map(({ id, status, error }) => {
        const what = plain(descriptions.get(id) ?? '', DESCRIPTION_LENGTH);
        return `- ${MARK[status]} ${plain(id, DESCRIPTION_LENGTH)}: ${what}${error ? ` — ${plain(error, ERROR_LENGTH)}` : ''}`;
      })
      .join('\n'),
    issues.map((issue) => `- ${plain(issue, ERROR_LENGTH)}`).join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** One line about a run, as the run list shows it. */
export function planSummary(goal: string): string {
  return summaryText(plain(goal, DESCRIPTION_LENGTH));
}
