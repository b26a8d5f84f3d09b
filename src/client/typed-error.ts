import {
  isGrpcServiceError,
  ServiceError,
  WorkflowFailedError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import { ApplicationFailure, CancelledFailure, TerminatedFailure, TimeoutFailure } from '@temporalio/common';
import {
  CommandRefusedError,
  InvalidSpecError,
  ReflectionFailedError,
  RunFailedError,
  RunNotFoundError,
} from '../domain/errors';
import type { AttemptSummary } from '../domain/result';
import type { SpecProblem } from '../domain/spec-problem';
import { unreadable } from './unreadable';

const FAILED_PRECONDITION = 9;

/** What the server answers about a run that is just ending. The client wraps the server's own error. */
export function isFailedPrecondition(error: unknown): boolean {
  const own = error instanceof ServiceError ? error.cause : error;
  const code: number | undefined = isGrpcServiceError(own) ? own.code : undefined;
  return code === FAILED_PRECONDITION;
}

/** Runs a call about a run and gives its failures the types that this package documents. */
export async function about<T>(workflowId: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw typedError(error, workflowId);
  }
}

/** A failure by the type that this package documents; anything else as it is. */
export function typedError(error: unknown, workflowId: string): unknown {
  if (error instanceof WorkflowNotFoundError) return new RunNotFoundError(workflowId);
  if (error instanceof WorkflowUpdateFailedError) return new CommandRefusedError(error.cause?.message ?? error.message);
  if (!(error instanceof WorkflowFailedError)) return unreadable(error) ?? error;
  const { cause } = error;
  if (cause instanceof CancelledFailure) return new RunFailedError('Cancelled', 'The run was cancelled.');
  if (cause instanceof TerminatedFailure) return new RunFailedError('Terminated', cause.message);
  if (cause instanceof TimeoutFailure) return new RunFailedError('TimedOut', cause.message);
  if (!(cause instanceof ApplicationFailure)) return error;
  const details = cause.details ?? [];
  const [first] = details as [SpecProblem[] | { history?: AttemptSummary[] } | null | undefined];
  // A workflow of somebody's own may fail with these names, and tell nothing more.
  if (cause.type === 'InvalidSpec' && Array.isArray(first)) return new InvalidSpecError(first);
  if (cause.type === 'ReflectionFailedError' && first && 'history' in first && first.history) {
    return new ReflectionFailedError(cause.message, first.history);
  }
  return new RunFailedError(cause.type ?? 'Unknown', cause.message, details);
}
