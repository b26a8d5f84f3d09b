import pc from 'picocolors';
import { textOf } from '../../../../lib/json/json';
import type { PlanSpec } from '../../../../kinds/plan/contract/plan';
import type {
  PlanProgress,
  TaskProgress,
  TaskStatus,
  PlanRunResult,
} from '../../../../kinds/plan/contract/plan-results';
import { tasksOfResult } from '../../../../kinds/report/run-report';
import { withoutAttachments } from '../../../../lib/text/attachment-text';
import type { Teller } from '../../follow/follow-parts';
import { makeFollow, makeShow, type RunView } from '../../show/run-view';
import { count, oneLine, printable, seconds } from '../../views/printable';
import { plainTable } from '../../terminal/table';
import { costText } from '../../views/result-view';

const STATUS: Record<TaskStatus, string> = {
  waiting: pc.dim('waiting'),
  running: pc.cyan('running'),
  succeeded: pc.green('✓ succeeded'),
  failed: pc.red('✗ failed'),
};

/** Lines about what a plan does beside its tasks, by phase. */
const DOING: Partial<Record<PlanProgress['phase'], string>> = {
  planning: pc.dim('… planning'),
  reflecting: pc.dim('… judging what came of it'),
};

/** Renders the line that says that a task began. Tasks run side by side, so each line names its own. */
export function taskStartLine({ id, description }: TaskProgress): string {
  return `${pc.cyan('▶')} ${pc.bold(oneLine(id, 60))}  ${pc.dim(oneLine(description, 80))}`;
}

export function taskEndLine({ id, status, ms = 0, error }: TaskProgress): string {
  const mark = status === 'succeeded' ? pc.green('✓') : pc.red('✗');
  const why = error === undefined ? '' : ` · ${pc.red(oneLine(error, 300))}`;
  return `${mark} ${pc.bold(oneLine(id, 60))} · ${seconds(ms)}${why}`;
}

/** Renders the issues of a plan that did not succeed; `number` is from 1. */
export function judgedLines(number: number, issues: readonly string[]): string[] {
  return [
    `${pc.red('✗')} plan ${number} did not succeed`,
    ...issues.map((issue) => `  ${pc.yellow('!')} ${oneLine(issue, 300)}`),
  ];
}

function foundText({ issues, error }: TaskProgress): string {
  if (!issues) return error === undefined ? '–' : oneLine(error, 60);
  const [first, ...others] = issues;
  if (first === undefined) return 'nothing wrong';
  return `${oneLine(first, 60)}${others.length > 0 ? ` (+${others.length})` : ''}`;
}

/** Renders the tasks of a plan, one row each; `ended` if no task is going to be started any more. */
export function taskTable(tasks: readonly TaskProgress[], ended = false): string {
  const rows = tasks.map((task, index) => [
    index + 1,
    oneLine(task.id, 40),
    oneLine(task.description, 40),
    ended && task.status === 'waiting' ? pc.dim('not tried') : STATUS[task.status],
    task.ms === undefined ? '–' : seconds(task.ms),
    foundText(task),
    task.workflowId === undefined ? '–' : oneLine(task.workflowId, 120),
  ]);
  return plainTable(['#', 'task', 'what', 'state', 'took', 'evaluation', 'run'], rows, {
    whole: ['run', 'took', 'state'],
    spare: ['what', 'run'],
  });
}

const renderList = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', pc.bold(title), ...lines.map((line) => `  ${oneLine(line, 300)}`)];

function outputLines({ plan, results }: PlanRunResult): string[] {
  const needed = new Set(plan.tasks.flatMap(({ dependsOn = [] }) => dependsOn));
  return results
    .filter(({ taskId, success, output }) => success && output !== undefined && !needed.has(taskId))
    .flatMap(({ taskId, output }) => [`${oneLine(taskId, 60)}:`, printable(textOf(withoutAttachments(output!)))]);
}

export function planText(result: PlanRunResult, progress: PlanProgress | undefined): string {
  const { success, replans, results, plan, evaluations, insights, tokenUsage } = result;
  const reached = success ? pc.green('✓ succeeded') : pc.red('✗ did not succeed');
  const done = results.filter((each) => each.success).length;
  const head = [
    reached,
    `${done} of ${count(plan.tasks.length, 'task')}`,
    count(replans + 1, 'plan'),
    costText(tokenUsage),
  ];
  const judged = evaluations.findLast(({ planId }) => planId !== undefined);
  const outputs = outputLines(result);
  return [
    head.join(' · '),
    '',
    taskTable(progress?.tasks ?? tasksOfResult(result), true),
    ...renderList('Issues', judged?.issues ?? []),
    ...renderList('Suggestions', judged?.suggestions ?? []),
    ...renderList('Learned', insights),
    ...(outputs.length === 0 ? [] : ['', pc.bold('Results of the tasks'), ...outputs]),
  ].join('\n');
}

export function planStanding({ phase, attempt, tasks, tokenUsage }: PlanProgress): string {
  const done = tasks.filter(({ status }) => status === 'succeeded').length;
  return [phase, `plan ${attempt}`, `${done} of ${count(tasks.length, 'task')} succeeded`, costText(tokenUsage)].join(
    ' · ',
  );
}

export function planDoing({ phase, tasks }: PlanProgress): string {
  const running = tasks.filter(({ status }) => status === 'running').map(({ id }) => oneLine(id, 40));
  return running.length === 0 ? phase : running.join(', ');
}

const hasEnded = (status: TaskStatus | undefined): boolean => status === 'succeeded' || status === 'failed';

export function planTeller(narrator: Teller): (progress: PlanProgress) => Promise<void> {
  /** Tasks that succeeded in an earlier plan: they are not run again. */
  const kept = new Set<string>();
  let told = new Map<string, TaskStatus>();
  const last: { attempt: number; judged: number; phase?: PlanProgress['phase'] } = { attempt: 0, judged: 0 };
  const tellTasks = async ({ tasks }: PlanProgress): Promise<void> => {
    for (const task of tasks) {
      const before = told.get(task.id);
      if (task.status === 'waiting' || kept.has(task.id) || hasEnded(before)) continue;
      if (before === undefined) narrator.write([taskStartLine(task)]);
      told.set(task.id, task.status);
      if (task.workflowId !== undefined) await narrator.tellVersions(task.workflowId);
      if (hasEnded(task.status)) narrator.write([taskEndLine(task)]);
    }
  };
  return async (progress) => {
    const { attempt, phase, judged } = progress;
    // While the next plan is being made, the tasks are still those of the one before.
    if (phase === 'planning') await tellTasks(progress);
    // Also of plans of which all tasks began and ended between two looks.
    for (const [index, { success, issues }] of judged.entries()) {
      if (index >= last.judged && !success) narrator.write(judgedLines(index + 1, issues));
    }
    if (attempt > last.attempt) {
      if (attempt > 1) narrator.write(['', pc.bold(`Plan ${attempt}`)]);
      for (const [id, status] of told) if (status === 'succeeded') kept.add(id);
      told = new Map();
    }
    const doing = phase === last.phase ? undefined : DOING[phase];
    if (doing !== undefined) narrator.write([doing]);
    Object.assign(last, { attempt: Math.max(attempt, last.attempt), judged: judged.length, phase });
    if (phase !== 'planning') await tellTasks(progress);
  };
}

export const planView: RunView<PlanSpec> = {
  cancelled: ', and with it the tasks that are under way',
  part: 'task',
  shown: makeShow((client) => client.plans, {
    about: (progress) => oneLine(progress?.goal ?? '', 200),
    // What its tasks made, by their ids.
    output: ({ result }) =>
      result && textOf(Object.fromEntries(result.results.map(({ taskId, output = null }) => [taskId, output]))),
    noOutput: (status) => [`The plan has no output: it is ${status}.`, 'Look at the run without --output.'],
    resultText: planText,
    standing: (progress, { elapsed }) => [
      [planStanding(progress), ...(elapsed ? [elapsed] : [])].join(' · '),
      '',
      taskTable(progress.tasks, elapsed === undefined),
    ],
  }),
  name: ({ goal }) => oneLine(goal, 80),
  follow: makeFollow((client) => client.plans, {
    teller: planTeller,
    doing: planDoing,
    usage: ({ tokenUsage }) => tokenUsage,
    // A task that is not a loop runs in the plan itself.
    busyRun({ tasks }: PlanProgress) {
      const running = tasks.filter(({ status }) => status === 'running');
      return running.every((task) => task.workflowId !== undefined) ? running[0]?.workflowId : undefined;
    },
    isGood: ({ success }) => success,
    resultText: planText,
  }),
};
