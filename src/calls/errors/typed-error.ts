import {
  isGrpcCancelledError,
  isGrpcDeadlineError,
  isGrpcServiceError,
  QueryNotRegisteredError,
  ServiceError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowFailedError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import {
  ApplicationFailure,
  CancelledFailure,
  NamespaceNotFoundError,
  TerminatedFailure,
  TimeoutFailure,
} from '@temporalio/common';
import {
  AlreadyRunningError,
  CallAbortedError,
  type ClientCall,
  NoAnswerError,
  ServerRequestError,
} from '../../loop/errors/call-errors';
import {
  CommandRefusedError,
  InvalidSpecError,
  ReflectionFailedError,
  RunFailedError,
  RunNotFoundError,
} from '../../loop/errors/errors';
import type { AttemptSummary } from '../../loop/contract/evaluation';
import type { SpecProblem } from '../../lib/contract/spec-problem';
import { unreadableError } from './unreadable';

const STATUS = (
  'OK CANCELLED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND ALREADY_EXISTS PERMISSION_DENIED RESOURCE_EXHAUSTED ' +
  'FAILED_PRECONDITION ABORTED OUT_OF_RANGE UNIMPLEMENTED INTERNAL UNAVAILABLE DATA_LOSS UNAUTHENTICATED'
).split(' ');

/** Returns the answer of the server itself, which the client wraps. */
function serverAnswer(error: unknown): { code: string; details: string } | undefined {
  if (error instanceof QueryNotRegisteredError) return { code: 'INVALID_ARGUMENT', details: error.message };
  if (error instanceof NamespaceNotFoundError) {
    return { code: 'NOT_FOUND', details: `there is no namespace "${error.namespace}"` };
  }
  const own = error instanceof ServiceError ? error.cause : error;
  if (!isGrpcServiceError(own)) {
    return error instanceof ServiceError ? { code: 'UNKNOWN', details: error.message } : undefined;
  }
  return { code: STATUS[own.code] ?? String(own.code), details: own.details };
}

export function isFailedPrecondition(error: unknown): boolean {
  return serverAnswer(error)?.code === 'FAILED_PRECONDITION';
}

/** Returns whether the server answered that it takes no more now: it takes ten updates of a run at once. */
export function isBusy(error: unknown): boolean {
  const { code, details } = serverAnswer(error) ?? {};
  // gRPC has the same status for a message that is too large, and stays so.
  return code === 'RESOURCE_EXHAUSTED' && !/larger than max/i.test(details!);
}

/** Returns a failure of the calls between this process and a run as an error; undefined for a failure of the run itself. */
function callError(error: unknown, call: ClientCall): Error | undefined {
  const isTyped =
    error instanceof NoAnswerError || error instanceof CallAbortedError || error instanceof ServerRequestError;
  if (isTyped) return error;
  if (isGrpcDeadlineError(error)) return new NoAnswerError(call, undefined, error);
  if (isGrpcCancelledError(error)) return new CallAbortedError(call, error);
  const answer = serverAnswer(error);
  if (!answer) return undefined;
  const cause = error as Error;
  // A server reports a queue that no worker has polled for some minutes as one without a poller.
  const hasNoWorker = answer.code === 'FAILED_PRECONDITION' && /\bpoller\b|worker may be down/i.test(answer.details);
  return hasNoWorker
    ? new NoAnswerError(call, undefined, new Error(answer.details, { cause }))
    : new ServerRequestError(call, answer.code, answer.details, cause);
}

/** The server's name for the failure of an update whose run was terminated, or timed out, before it was answered. */
const RUN_IS_GONE = 'AcceptedUpdateCompletedWorkflow';

/** The SDK's message about an update that a workflow does not take. */
const NO_HANDLER = /^No registered handler for update: /;
const WITHOUT_HANDLER =
  'the workflow has no handler for it; a loop inside a workflow takes commands once the workflow calls serveMessages()';

function whyRefused({ cause, message }: WorkflowUpdateFailedError): string {
  if (cause instanceof ApplicationFailure && cause.type === RUN_IS_GONE) return 'the run ended before it took effect';
  const why = cause?.message ?? message;
  return NO_HANDLER.test(why) ? WITHOUT_HANDLER : why;
}

/** Returns a failure with the type that this package documents; any other error as it is. */
export function typedError(error: unknown, call: ClientCall): unknown {
  const { workflowId = '' } = call;
  if (error instanceof WorkflowNotFoundError) return new RunNotFoundError(workflowId);
  if (error instanceof WorkflowExecutionAlreadyStartedError) return new AlreadyRunningError(workflowId);
  if (error instanceof WorkflowUpdateFailedError) return new CommandRefusedError(whyRefused(error));
  if (!(error instanceof WorkflowFailedError)) return unreadableError(error) ?? callError(error, call) ?? error;
  const { cause } = error;
  if (cause instanceof CancelledFailure) return new RunFailedError('Cancelled', 'The run was cancelled.');
  if (cause instanceof TerminatedFailure) return new RunFailedError('Terminated', cause.message);
  if (cause instanceof TimeoutFailure) return new RunFailedError('TimedOut', cause.message);
  if (!(cause instanceof ApplicationFailure)) return error;
  const details = cause.details ?? [];
  const [first] = details as [SpecProblem[] | { history?: AttemptSummary[] } | null | undefined];
  // A user's own workflow may fail with these names, and without their details.
  if (cause.type === 'InvalidSpec' && Array.isArray(first)) return new InvalidSpecError(first);
  if (cause.type === 'ReflectionFailedError' && first && 'history' in first && first.history) {
    return new ReflectionFailedError(cause.message, first.history);
  }
  return new RunFailedError(cause.type ?? 'Unknown', cause.message, details);
}
