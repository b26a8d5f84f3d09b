import { makeFollow, makeShow, type RunView } from '../../show/run-view';
import { oneLine } from '../../views/printable';
import { textOf } from '../../../../lib/json/json';
import type { PlanSpec } from '../../../../kinds/plan/contract/plan';
import type { PlanProgress } from '../../../../kinds/plan/contract/plan-results';
import { PlanTeller } from './follow-plan';
import { planDoing, planStanding, planText, taskTable } from './plan-view';

/** How the command shows and follows a plan. */
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
    teller: (narrator) => {
      const teller = new PlanTeller(narrator);
      return (progress) => teller.tell(progress);
    },
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
