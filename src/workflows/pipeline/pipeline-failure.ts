import {
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
import { isJsonObject, type Json, type JsonObject } from '../../lib/json/json';
import type { PlannedNode } from '../../kinds/pipeline/state/pipeline';
import type { SpecProblem } from '../../lib/contract/spec-problem';
import { isModelCall } from '../../loop/spec/steps';
import { permanentFailure, stepFailureOf } from '../shared/step-failure';

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

/** Adds the node to the first detail of a failure, beside the fields that the contract promises there. */
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

/**
 * Returns the failure of a pipeline whose node failed: the node's own type, so that a loop that raises fails as it would
 * alone. A cancellation of the pipeline itself is thrown on, and so is a bug.
 */
export function nodeFailure(error: unknown, node: PlannedNode, index: number): ApplicationFailure {
  if (isCancellation(error) && CancellationScope.current().consideredCancelled) throw error;
  const failure = failureOf(error, node);
  const message = `Node "${node.name}" failed: ${failure.message}`;
  return permanentFailure(failure.type, message, detailsOf(failure, node, index));
}
