import { defineSearchAttributeKey } from '@temporalio/common';
import {
  allHandlersFinished,
  ApplicationFailure,
  condition,
  defineQuery,
  makeContinueAsNewFunc,
  setCurrentDetails,
  setHandler,
  setWorkflowOptions,
  workflowInfo,
} from '@temporalio/workflow';
import { storedBytes } from '../../domain/limits/call-loads';
import { checkedBefore } from '../../domain/spec/checked-before';
import { COMMAND_NAMES } from '../../domain/state/command-payloads';
import {
  canHandOverPipeline,
  type CarriedPipeline,
  mayWait,
  pipelineInputLimit,
  nextPipelineMove,
  nodesDone,
} from '../../domain/pipeline/pipeline-moves';
import { noteRefused, notForThis } from '../../domain/commands/unsupported';
import {
  type PipelinePreparation,
  type PipelineResult,
  type PipelineSpec,
  planNode,
} from '../../domain/pipeline/pipeline';
import { pipelinePage, pipelineSummary } from '../../domain/page/pipeline-page';
import {
  failNode,
  finishNode,
  initialPipelineState,
  type PipelineProgress,
  pipelineProgress,
  pipelineResultOf,
  type PipelineState,
  startNode,
} from '../../domain/pipeline/pipeline-progress';
import { isFull } from '../../domain/limits/run-account';
import { SEARCH_ATTRIBUTES } from '../../domain/base/search-attributes';
import type { RunStatus } from '../../domain/state/success';
import { markOfPipeline } from '../../domain/page/turns';
import { commandDefinition } from '../messages';
import { onceAnActivation } from '../signals/once-an-activation';
import { callPreparePipeline, withLateParameters } from './pipeline-calls';
import { nodeFailure } from './pipeline-failure';
import { type NodeEnd, runNode } from './pipeline-nodes';
import { progressGuard } from '../shared/progress-guard';
import { RunList } from '../shared/run-list';
import { historyLength, isContinueAsNewSuggested, now } from '../shared/clock';
import { roomAtTheEnd } from '../shared/scheduling';
import { prepared } from '../shared/step-failure';
import { refuseUnknownMessages, takeEarlySignals } from '../signals/unknown-messages';
import { isBoundToBuild, nextRunOptions, versioningOptions } from '../shared/versioning';

const STATUS = defineSearchAttributeKey(SEARCH_ATTRIBUTES.status, 'KEYWORD');

/** The progress of a pipeline; `{ state: false }` leaves the state out of the answer. */
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

/** Hands a pipeline over to a new run of its chain. */
async function handOver(pipeline: PipelineSpec, next: CarriedPipeline, waits: boolean): Promise<never> {
  await condition(allHandlersFinished);
  await roomAtTheEnd(storedBytes([pipeline, next], pipelineInputLimit(next.preparation)));
  return makeContinueAsNewFunc<typeof reflectionPipeline>(nextRunOptions(waits))(pipeline, next);
}

/**
 * Runs nodes one after the other over one state: loops as child workflows, everything else as activities.
 *
 * @param carried the state that the previous run of the same chain passes on; leave it out when you start the workflow
 */
export async function reflectionPipeline(pipeline: PipelineSpec, carried?: CarriedPipeline): Promise<PipelineResult> {
  const desk = carried?.state ?? initialPipelineState(pipeline ?? {});
  setHandler(pipelineProgressQuery, (question) => pipelineProgress(desk, question));
  let isChecked = false;
  const show = () => isChecked && setCurrentDetails(pipelinePage(desk, pipelineSummary(pipeline)));
  refuseCommands(desk, show);
  const preparation = carried?.preparation ?? (await prepared(callPreparePipeline(pipeline)));
  isChecked = true;
  const runList = new RunList(preparation);
  const list = async () => {
    runList.set([{ key: STATUS, value: statusOf(desk) }]);
    await runList.settled();
  };
  const { settings = {} } = pipeline;
  const before = checkedBefore(preparation.known, preparation.timeouts);
  if (!carried) await list();
  const turn = progressGuard('A pipeline');
  const carry = { state: desk, preparation };
  const nodesBefore = nodesDone(desk);
  const waits = (index: number) => mayWait(planNode(pipeline.nodes[index]!, settings));
  const next = () =>
    nextPipelineMove(desk, {
      isSuggested: isContinueAsNewSuggested(),
      isBoundToBuild: isBoundToBuild(),
      isFull: isFull(historyLength()),
      nodesBefore,
      mayWait: waits,
      fits: () => canHandOverPipeline(pipeline, carry),
    });
  for (let move = next(); move.kind !== 'end'; move = next()) {
    turn(markOfPipeline(desk));
    const { index } = move;
    if (move.kind === 'hand_over') return handOver(pipeline, carry, waits(index));
    const described = pipeline.nodes[index]!;
    const node = planNode(described, settings);
    startNode(desk, index, node, workflowInfo().workflowId, now());
    show();
    try {
      if (move.kind === 'full') throw fullHistory();
      const material = [...(pipeline.material ?? []), ...(desk.written ?? [])];
      const pointers = preparation.late?.[index];
      const late = await withLateParameters(described, pointers, desk.state, material, before);
      const end = await runNode(planNode(late.node, settings), { state: desk.state, material, preparation });
      assertSmallEnough(end, preparation);
      finishNode(desk, index, { ...end, warnings: [...late.warnings, ...end.warnings] }, now());
    } catch (error) {
      const failure = nodeFailure(error, node, index);
      failNode(desk, index, failure.message, now());
      show();
      await list();
      throw failure;
    }
  }
  show();
  await list();
  await condition(allHandlersFinished);
  const result = pipelineResultOf(desk, preparation);
  await roomAtTheEnd(storedBytes(result, pipelineInputLimit(preparation)));
  return result;
}

setWorkflowOptions(versioningOptions, reflectionPipeline);
