import { RUN_KINDS, type RunKindName } from './client';
import { type Json, textOf } from '../../lib/json/json';
import type { PipelineProgress } from '../pipeline/contract/pipeline-results';
import type { PlanProgress } from '../plan/contract/plan-results';
import { isLoopResult } from '../../loop/versions/result';
import { followAny } from '../../apps/cli/follow/follow';
import { batchTeller, Rate } from '../batch/cli/follow-batch';
import { agentsTeller } from '../agents/cli/follow-agents';
import { followOnce } from '../standalone/cli/follow-once';
import { pipelineTeller } from '../pipeline/cli/follow-pipeline';
import { PlanTeller } from '../plan/cli/follow-plan';
import { loopShown } from '../../apps/cli/show/show-loop';
import { agentsDoing, agentsStanding, reportText } from '../agents/cli/agents-view';
import { batchDoing, batchStanding, batchText } from '../batch/cli/batch-view';
import { correctionText, evaluationText } from '../standalone/cli/evaluate-correct-view';
import { liveView } from '../../apps/cli/views/live-view';
import { pipelineDoing, pipelineStanding, pipelineText } from '../pipeline/cli/pipeline-view';
import { planDoing, planStanding, planText, taskTable } from '../plan/cli/plan-view';
import { command, oneLine } from '../../apps/cli/views/printable';
import { handedBackText, resultText } from '../../apps/cli/views/result-view';
import { makeFollow, type RunView, makeShow } from '../../apps/cli/show/run-view';

/** The texts that one evaluation and one correction have in common. */
const STANDALONE = {
  noOutput: (status: string): [string, string] => [
    `The run has no output: it is ${status}.`,
    'Look at it without --output.',
  ],
  standing: (_progress: unknown, { elapsed }: { elapsed?: string }) => [`under way for ${elapsed}`],
};

type SpecOf<Name extends RunKindName> = Parameters<(typeof RUN_KINDS)[Name]['description']['parse']>[0];

/** How the commands show, follow and end runs, by kind. */
export const RUN_VIEWS = {
  loop: {
    shown: loopShown,
    name: (spec) => spec.name ?? 'reflection',
    async follow(client, run, news, signal) {
      const view = liveView(news);
      const result = await followAny(client, run, view, signal).finally(() => view.clear());
      if (!isLoopResult(result)) return { result, text: handedBackText(result as Json), outcome: 'success' };
      const failed = result.convergenceReason === 'error' ? 'error' : 'notGoodEnough';
      return { result, text: resultText(result), outcome: result.success ? 'success' : failed };
    },
  },
  pipeline: {
    cancelled: ', and with it the loop that is under way',
    part: 'node',
    shown: makeShow(RUN_KINDS.pipeline, {
      output({ result, progress }) {
        const state = result?.state ?? progress?.state;
        return state && textOf(state);
      },
      noOutput: () => ['Nobody knows the state of the run.', 'Look at the run without --output.'],
      resultText: pipelineText,
      standing: (progress, { elapsed }) => pipelineStanding(progress, elapsed),
    }),
    name: (spec) => spec.name ?? 'pipeline',
    follow: makeFollow(RUN_KINDS.pipeline, {
      question: { state: false },
      teller: pipelineTeller,
      doing: pipelineDoing,
      usage: ({ tokenUsage }) => tokenUsage,
      busyRun: ({ nodes }: PipelineProgress) => nodes.find(({ status }) => status === 'running')?.workflowId,
      isGood: ({ state }) => state['success'] !== false,
      resultText: pipelineText,
    }),
  },
  plan: {
    cancelled: ', and with it the tasks that are under way',
    part: 'task',
    shown: makeShow(RUN_KINDS.plan, {
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
    follow: makeFollow(RUN_KINDS.plan, {
      teller: (narrator) => {
        const teller = new PlanTeller(narrator);
        return (progress) => teller.tell(progress);
      },
      doing: planDoing,
      usage: ({ tokenUsage }) => tokenUsage,
      // A task that is no loop runs in the plan itself.
      busyRun({ tasks }: PlanProgress) {
        const running = tasks.filter(({ status }) => status === 'running');
        return running.every((task) => task.workflowId !== undefined) ? running[0]?.workflowId : undefined;
      },
      isGood: ({ success }) => success,
      resultText: planText,
    }),
  },
  agents: {
    cancelled: '',
    shown: makeShow(RUN_KINDS.agents, {
      resultName: 'report',
      endSaysAll: true,
      output: ({ result }) => result && JSON.stringify(result, null, 2),
      noOutput: (status) => [`The population has no report: it is ${status}.`, 'Look at it without --output.'],
      resultText: reportText,
      standing: (progress, { workflowId }) => [
        agentsStanding(progress),
        '',
        `Who reflected: ${command(`npx reflect agents reflections ${workflowId}`)}`,
        `End it: ${command(`npx reflect agents finish ${workflowId}`)}`,
      ],
    }),
    follow: makeFollow(RUN_KINDS.agents, {
      teller: agentsTeller,
      doing: agentsDoing,
      usage: ({ tokenUsage }) => tokenUsage,
      isGood: () => true,
      resultText: reportText,
    }),
  },
  batch: {
    cancelled: ', and with it the loops that are under way',
    shown: makeShow(RUN_KINDS.batch, {
      endSaysAll: true,
      output: () => undefined,
      noOutput: () => ['The results of a batch are those of its items.', 'See `npx reflect batch results ID`.'],
      resultText: batchText,
      standing: (progress, { workflowId }) => [
        batchStanding(progress),
        '',
        `Its results so far: ${command(`npx reflect batch results ${workflowId}`)}`,
      ],
    }),
    name: ({ name }) => name ?? 'batch',
    follow: (...following) => {
      const rate = new Rate();
      const follow = makeFollow(RUN_KINDS.batch, {
        teller: batchTeller,
        doing: (progress) => batchDoing(progress, rate.look(progress, Date.now())),
        usage: ({ tokenUsage }) => tokenUsage,
        since: ({ startedAt }) => Date.parse(startedAt),
        isGood: ({ items, passed }) => passed === items,
        resultText: batchText,
      });
      return follow(...following);
    },
  },
  evaluation: {
    cancelled: '',
    shown: makeShow(RUN_KINDS.evaluation, {
      ...STANDALONE,
      label: 'one evaluation',
      // Wire types are JSON by construction; TypeScript cannot see that an interface has no other members.
      output: ({ result }) => result && textOf(result as unknown as Json),
      resultText: evaluationText,
    }),
    async follow(client, run, news, signal) {
      const ended = { result: RUN_KINDS.evaluation.result(client, run.workflowId, {}), doing: 'evaluating' };
      const result = await followOnce(client, run, ended, news, signal);
      return { result, text: evaluationText(result), outcome: result.satisfactory ? 'success' : 'notGoodEnough' };
    },
  },
  correction: {
    cancelled: '',
    shown: makeShow(RUN_KINDS.correction, {
      ...STANDALONE,
      label: 'one correction',
      output: ({ result }) => result && textOf(result.output),
      resultText: correctionText,
    }),
    async follow(client, run, news, signal) {
      const ended = { result: RUN_KINDS.correction.result(client, run.workflowId, {}), doing: 'correcting' };
      const result = await followOnce(client, run, ended, news, signal);
      return { result, text: correctionText(result), outcome: 'success' };
    },
  },
} satisfies { [Name in RunKindName]: RunView<SpecOf<Name>> };
