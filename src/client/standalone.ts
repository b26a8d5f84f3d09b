import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { InvalidSpecError } from '../domain/errors';
import type { ReflectionEvaluation } from '../domain/evaluation';
import type { CorrectionRequest, CorrectionResult, EvaluationRequest } from '../domain/standalone';
import { correctionLine, evaluationLine } from '../domain/standalone-page';
import { parseCorrection, parseEvaluation } from '../schemas';
import { eagerStart } from './eager-start';
import type { RunReference, StartOptions } from './start-options';
import { about } from './typed-error';

/** Where runs are started. */
interface Place {
  temporal: Client;
  taskQueue: string;
}

/** A run that was started, and how to wait for what it hands back. */
export interface Started<Result> extends RunReference {
  /** Throws InvalidSpecError and RunFailedError, as the run ended. */
  result(): Promise<Result>;
}

/** Starts `reflectionEvaluate`. */
export async function startEvaluation(
  place: Place,
  request: EvaluationRequest,
  options: StartOptions,
): Promise<Started<ReflectionEvaluation>> {
  const parsed = parseEvaluation(request);
  if ('problems' in parsed) throw new InvalidSpecError(parsed.problems);
  return start(place, 'reflectionEvaluate', parsed.request, evaluationLine(parsed.request), options);
}

/** Starts `reflectionCorrect`. */
export async function startCorrection(
  place: Place,
  request: CorrectionRequest,
  options: StartOptions,
): Promise<Started<CorrectionResult>> {
  const parsed = parseCorrection(request);
  if ('problems' in parsed) throw new InvalidSpecError(parsed.problems);
  return start(place, 'reflectionCorrect', parsed.request, correctionLine(parsed.request), options);
}

async function start<Result>(
  { temporal, taskQueue }: Place,
  type: string,
  request: unknown,
  staticSummary: string,
  { workflowId = `reflection-${randomUUID()}` }: StartOptions,
): Promise<Started<Result>> {
  const handle = await temporal.workflow.start(type, {
    ...eagerStart(temporal),
    taskQueue,
    workflowId,
    args: [request],
    staticSummary,
  });
  return {
    workflowId,
    runId: handle.firstExecutionRunId,
    result: () => about(workflowId, () => handle.result() as Promise<Result>),
  };
}
