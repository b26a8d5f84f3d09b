import { defineSearchAttributeKey } from '@temporalio/common';
import {
  allHandlersFinished,
  ApplicationFailure,
  condition,
  defineQuery,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { COMMAND_NAMES } from '../domain/command-payloads';
import { noteRefused, notForThis } from '../domain/not-for-this';
import { type PipelinePreparation, type PipelineResult, type PipelineSpec, planNode } from '../domain/pipeline';
import { nextPipelineMove } from '../domain/pipeline-moves';
import { pipelinePage, pipelineSummary } from '../domain/pipeline-page';
import {
  failNode,
  finishNode,
  initialPipelineState,
  type PipelineProgress,
  pipelineProgress,
  pipelineResultOf,
  type PipelineState,
  startNode,
} from '../domain/pipeline-progress';
import { isFull } from '../domain/run-account';
import { SEARCH_ATTRIBUTES } from '../domain/search-attributes';
import type { RunStatus } from '../domain/run-status';
import { markOfPipeline } from '../domain/turns';
import { commandDefinition } from './messages';
import { onceAnActivation } from './once-an-activation';
import { callPreparePipeline, withLateParameters } from './pipeline-calls';
import { nodeFailure } from './pipeline-failure';
import { type NodeEnd, runNode } from './pipeline-nodes';
import { progressGuard } from './progress-guard';
import { RunList } from './run-list';
import { historyLength } from './scheduling';
import { prepared } from './step-failure';
import { refuseUnknownMessages, takeEarlySignals } from './unknown-messages';

const STATUS = defineSearchAttributeKey(SEARCH_ATTRIBUTES.status, 'KEYWORD');

/** Where a pipeline stands; `{ state: false }` leaves the state out of the answer. */
export const pipelineProgressQuery = defineQuery<PipelineProgress, [{ state?: boolean }?]>('progress');

/** What people send is for a loop: it is refused, or noted on the page, with the id of the one that runs, if one does. */
function refuseCommands(desk: PipelineState, show: () => void): void {
  const why = (): string => {
    const running = desk.nodes.filter(({ status }) => status === 'running');
    return notForThis(
      'pipeline',
      running.flatMap(({ workflowId }) => workflowId ?? []),
    );
  };
  const refuse = (_payload?: unknown): never => {
    throw ApplicationFailure.create({ type: 'CommandRefused', message: why(), nonRetryable: true });
  };
  for (const name of COMMAND_NAMES) setHandler(commandDefinition(name).update, refuse, { validator: refuse });
  const showNews = onceAnActivation(show);
  const note = (name: string): void => {
    desk.refused = noteRefused(desk.refused, name, why());
    showNews();
  };
  takeEarlySignals({}, note, () => refuseUnknownMessages(why, note));
}

function statusOf(desk: PipelineState): RunStatus {
  if (desk.phase === 'failed') return 'failed';
  return desk.phase === 'done' ? 'succeeded' : 'running';
}

function fullHistory(): ApplicationFailure {
  const message = "the pipeline's history is full: give this node and those after it to a pipeline of their own";
  return ApplicationFailure.create({ type: 'StepFailed', message, nonRetryable: true });
}

/** What does not fit into a payload would make the run try for ever. */
function assertSmallEnough({ state }: NodeEnd, { maximumStateBytes }: PipelinePreparation): void {
  const bytes = utf8Length(JSON.stringify(state));
  if (bytes > maximumStateBytes) {
    const message = `the state would have ${bytes} bytes after it; at most ${maximumStateBytes} can be handled`;
    throw ApplicationFailure.create({ type: 'OutputTooLarge', message, nonRetryable: true });
  }
}

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Nodes that run one after the other over one state: loops as runs of their own, everything else as activities. */
export async function reflectionPipeline(pipeline: PipelineSpec): Promise<PipelineResult> {
  const desk = initialPipelineState(pipeline ?? {});
  setHandler(pipelineProgressQuery, (question) => pipelineProgress(desk, question));
  let isChecked = false;
  const show = () => isChecked && setCurrentDetails(pipelinePage(desk, pipelineSummary(pipeline)));
  refuseCommands(desk, show);
  const preparation = await prepared(callPreparePipeline(pipeline));
  isChecked = true;
  const runList = new RunList(preparation);
  const list = async () => {
    runList.set([{ key: STATUS, value: statusOf(desk) }]);
    await runList.settled();
  };
  const { settings = {} } = pipeline;
  await list();
  const turn = progressGuard('A pipeline');
  const next = () => nextPipelineMove(desk, isFull(historyLength()));
  for (let move = next(); move.kind !== 'end'; move = next()) {
    turn(markOfPipeline(desk));
    const { index } = move;
    const described = pipeline.nodes[index]!;
    const node = planNode(described, settings);
    startNode(desk, index, node, workflowInfo().workflowId, Date.now());
    show();
    try {
      if (move.kind === 'full') throw fullHistory();
      const late = await withLateParameters(described, preparation.late?.[index], desk.state);
      const end = await runNode(planNode(late.node, settings), { state: desk.state, preparation });
      assertSmallEnough(end, preparation);
      finishNode(desk, index, { ...end, warnings: [...late.warnings, ...end.warnings] }, Date.now());
    } catch (error) {
      const failure = nodeFailure(error, node, index);
      failNode(desk, index, failure.message, Date.now());
      show();
      await list();
      throw failure;
    }
  }
  show();
  await list();
  await condition(allHandlersFinished);
  return pipelineResultOf(desk, preparation);
}
