import {
  allHandlersFinished,
  condition,
  defineQuery,
  setHandler,
  setWorkflowOptions,
  workflowInfo,
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  ChildWorkflowFailure,
  isCancellation,
  TemporalFailure,
  TerminatedFailure,
  TimeoutFailure,
} from '@temporalio/workflow';
import { createCheckedBefore } from '../../loop/spec/checked-before';
import {
  expandPipeline,
  type PipelinePreparation,
  planNode,
  settingsOfPipeline,
  type PlannedNode,
} from '../../kinds/pipeline/state/pipeline';
import { asMoved } from '../../loop/spec/short-form';
import type { PipelineResult, PipelineProgress } from '../../kinds/pipeline/contract/pipeline-results';
import type { PipelineSpec } from '../../kinds/pipeline/contract/pipeline';
import { renderKeptPage } from '../../loop/page/kept-page';
import { renderPipelinePage, renderPipelineSummary } from '../../kinds/pipeline/page/pipeline-page';
import {
  failNode,
  finishNode,
  initialPipelineState,
  pipelineProgress,
  pipelineResultOf,
  type PipelineState,
  startNode,
  markOfPipeline,
} from '../../kinds/pipeline/state/pipeline-progress';
import type { RunStatus } from '../../loop/state/success';
import { renderDeferredParameters } from './pipeline-calls';
import { type NodeEnd, runNode } from './pipeline-nodes';
import { keepFailedPage, keepPage, showPage, withRetry } from '../shared/kept-page';
import { progressGuard } from '../shared/progress-guard';
import { RunList } from '../shared/run-list';
import { now } from '../shared/clock';
import { waitUntilEndFits } from '../shared/scheduling';
import { keepRules, nextRunOptions, versioningOptions } from '../shared/versioning';
import { checkingActivities } from '../shared/activity-calls';
import { handOver, handOverCircumstances } from '../shared/hand-over';
import { jsonBytes } from '../../lib/json/json-bytes';
import { permanentFailure, awaitPreparation, stepFailureOf } from '../shared/step-failure';
import { refuseCommands } from '../signals/refuse-commands';
import {
  canHandOverPipeline,
  type CarriedPipeline,
  mayWait,
  nextPipelineMove,
  countDoneNodes,
  pipelineInputLimit,
} from '../../kinds/pipeline/state/pipeline-moves';
import { isJsonObject, type Json, type JsonObject } from '../../lib/json/json';
import type { SpecProblem } from '../../lib/contract/spec-problem';
import { isModelCall } from '../../loop/spec/steps';

interface Failure {
  type: string;
  message: string;
  details: unknown[];
}

function callsModel(node: PlannedNode): boolean {
  return node.kind === 'step' ? isModelCall(node.step) : node.kind === 'correct' && isModelCall(node.corrector);
}

function childFailure({ cause, message }: ChildWorkflowFailure): Failure {
  if (cause instanceof ApplicationFailure) {
    return { type: cause.type ?? 'StepFailed', message: cause.message, details: cause.details ?? [] };
  }
  const [happened] = [
    cause instanceof CancelledFailure && 'its run was cancelled',
    cause instanceof TerminatedFailure && 'its run was terminated',
    cause instanceof TimeoutFailure && 'its run took longer than it may',
  ].filter((text) => text !== false);
  return { type: 'StepFailed', message: happened ?? cause?.message ?? message, details: [] };
}

function failureOf(error: unknown, node: PlannedNode): Failure {
  if (error instanceof ChildWorkflowFailure) return childFailure(error);
  if (error instanceof ActivityFailure) return stepFailureOf(error, callsModel(node));
  if (error instanceof ApplicationFailure) {
    return { type: error.type ?? 'StepFailed', message: error.message, details: error.details ?? [] };
  }
  // Such as a child whose id is taken by a run that goes on.
  if (error instanceof TemporalFailure) return { type: 'StepFailed', message: error.message, details: [] };
  throw error;
}

function detailsOf({ type, details }: Failure, node: PlannedNode, index: number): unknown[] {
  const place = { node: node.name, index };
  const [first, ...others] = details;
  if (type === 'InvalidSpec' && Array.isArray(first)) {
    const problems = first as SpecProblem[];
    return [problems.map((problem) => ({ ...problem, path: `/nodes/${index}/with${problem.path}` })), place, ...others];
  }
  if (isJsonObject(first as Json)) return [{ ...(first as JsonObject), ...place }, ...others];
  return [place, ...details];
}

/** The node's own type, so that a loop that raises fails as it would alone. Cancellations and bugs are thrown on. */
function nodeFailure(error: unknown, node: PlannedNode, index: number): ApplicationFailure {
  if (isCancellation(error) && CancellationScope.current().consideredCancelled) throw error;
  const failure = failureOf(error, node);
  const message = `Node "${node.name}" failed: ${failure.message}`;
  return permanentFailure(failure.type, message, detailsOf(failure, node, index));
}

/** The progress of a pipeline; `{ state: false }` leaves the state out of the answer. */
export const pipelineProgressQuery = defineQuery<PipelineProgress, [{ state?: boolean }?]>('progress');

function statusOf(state: PipelineState): RunStatus {
  if (state.phase === 'failed') return 'failed';
  return state.phase === 'done' ? 'succeeded' : 'running';
}

function fullHistory(): Error {
  const message = "the pipeline's history is full: give this node and those after it to a pipeline of their own";
  return permanentFailure('StepFailed', message);
}

/** Throws if the state does not fit into a payload: such a state would make the run retry forever. */
function assertSmallEnough({ state }: NodeEnd, { maximumStateBytes }: PipelinePreparation): void {
  const bytes = jsonBytes(state);
  if (bytes > maximumStateBytes) {
    const message = `the state would have ${bytes} bytes after it; at most ${maximumStateBytes} can be handled`;
    throw permanentFailure('OutputTooLarge', message);
  }
}

/**
 * Runs nodes one after the other over one state: loops as child workflows, everything else as activities.
 *
 * @param given the pipeline, with its loops in their short or their long form
 * @param carried the state that the previous run of the same chain passes on; leave it out when you start the workflow
 */
export async function reflectionPipeline(given: PipelineSpec, carried?: CarriedPipeline): Promise<PipelineResult> {
  const { value, moved } = expandPipeline(given);
  const pipeline = value as PipelineSpec;
  const state = keepRules(carried?.state ?? initialPipelineState(pipeline ?? {}), carried !== undefined);
  const description = 'Where each node stands, and the state; {"state": false} leaves that out.';
  setHandler(pipelineProgressQuery, (question) => withRetry(pipelineProgress(state, question)), { description });
  let isChecked = false;
  const page = () => renderPipelinePage(state, renderPipelineSummary(pipeline));
  const show = () => isChecked && showPage(page());
  const loops = () => state.nodes.flatMap(({ status, workflowId }) => (status === 'running' && workflowId) || []);
  refuseCommands({ what: 'pipeline', state, loops, show });
  const check = () => checkingActivities('prepare').preparePipeline({ pipeline, ...asMoved(moved) });
  const preparation = carried?.preparation ?? (await awaitPreparation(check()));
  isChecked = true;
  const runList = new RunList(preparation);
  const list = async () => {
    runList.setStatus(statusOf(state));
    await runList.waitUntilSet();
  };
  const settings = settingsOfPipeline(pipeline);
  const before = createCheckedBefore(preparation.known, preparation.timeouts);
  if (!carried) await list();
  const turn = progressGuard('A pipeline');
  const carry = { state, preparation };
  const limit = pipelineInputLimit(preparation);
  const nodesBefore = countDoneNodes(state);
  const waits = (index: number) => mayWait(planNode(pipeline.nodes[index]!, settings));
  const next = () =>
    nextPipelineMove(state, {
      ...handOverCircumstances(),
      nodesBefore,
      mayWait: waits,
      fits: () => canHandOverPipeline(pipeline, carry),
    });
  for (let move = next(); move.kind !== 'end'; move = next()) {
    turn(markOfPipeline(state));
    const { index } = move;
    if (move.kind === 'hand_over') {
      await condition(allHandlersFinished);
      return handOver<typeof reflectionPipeline>(nextRunOptions(waits(index)), limit, pipeline, carry);
    }
    const described = pipeline.nodes[index]!;
    const node = planNode(described, settings);
    startNode(state, index, node, workflowInfo().workflowId, now());
    show();
    try {
      if (move.kind === 'full') throw fullHistory();
      const material = [...(pipeline.material ?? []), ...(state.written ?? [])];
      const pointers = preparation.late?.[index];
      const rendered = await renderDeferredParameters(described, pointers, state.state, material, before);
      const end = await runNode(planNode(rendered.node, settings), {
        state: state.state,
        material,
        preparation,
      });
      assertSmallEnough(end, preparation);
      const warnings = [...(preparation.warnings?.[index] ?? []), ...rendered.warnings, ...end.warnings];
      finishNode(state, index, { ...end, warnings }, now());
    } catch (error) {
      const failure = nodeFailure(error, node, index);
      failNode(state, index, failure.message, now());
      show();
      await list();
      keepFailedPage(failure, page());
      throw failure;
    }
  }
  show();
  await list();
  await condition(allHandlersFinished);
  const result = pipelineResultOf(state, preparation);
  keepPage(renderKeptPage(page()));
  await waitUntilEndFits(result, limit);
  return result;
}

setWorkflowOptions(versioningOptions, reflectionPipeline);
