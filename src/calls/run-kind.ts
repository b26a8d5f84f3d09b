import {
  type Client,
  type InternalConnectionLike,
  InternalConnectionLikeSymbol,
  WorkflowExecutionAlreadyStartedError,
} from '@temporalio/client';
import { WHERE_PAGES_ARE_KEPT } from '../loop/page/kept-page';
import type { SpecProblem } from '../lib/contract/spec-problem';
import { AlreadyEndedError, type ClientCall } from '../loop/errors/call-errors';
import { InvalidSpecError } from '../loop/errors/errors';
import { type Expanded, type MovedPart, problemsAsWritten } from '../loop/spec/short-form';
import { omitUndefined } from '../lib/base/defined';
import { idWords } from '../lib/names/id-words';
import { randomSuffix } from './random-suffix';
import type { CallOptions, OnceOptions, RunReference, StartOptions } from './call-options';
import { type Asked, resultOf } from './questions';
import { latestRunOf } from './run-target';
import { startListed } from './started-attributes';
import { startOfFittingSize } from './too-large';
import { checkProtocolTexts, withTypedErrors } from './errors/with-typed-errors';

/** The client and the task queue with which runs are started. */
export interface Place extends Asked {
  taskQueue: string;
}

/** A run that was started, with a function that waits for its result. */
export interface Started<Result> extends RunReference {
  /**
   * Waits for the result. Throws InvalidSpecError or RunFailedError if the run failed, and NoAnswerError,
   * CallAbortedError, ServerRequestError.
   */
  result(options?: CallOptions): Promise<Result>;
}

/** A kind of run: the properties that distinguish it from the others. */
export interface RunKind<Spec> {
  /** Workflow type. */
  type: string;
  /** Begins the id of a run that is not given one, and whose spec has no name. */
  prefix: string;
  /** The kind of search attributes that a run has at first. Default: runs of the kind are not listed. */
  listedAs?: 'loop' | 'other';
  /** The part of the client for the kind, as errors name it. Default: the client itself. */
  part?: string;
  /** Whether runs answer the query `progress`. Default: true. */
  tellsProgress?: false;
  /** The workflow's argument, in its long form. Throws InvalidSpecError with every mistake of its form. */
  parse(given: Spec): Spec;
  /** Finds the parts of the argument that were written elsewhere. Default: none. */
  expand?(given: Spec): Pick<Expanded, 'moved'>;
  /** Returns the line that the Web UI shows of a run from its start. */
  summary(spec: Spec): string;
}

export function methodOf({ part }: Pick<RunKind<never>, 'part'>, name: string): string {
  return part === undefined ? name : `${part}.${name}`;
}

/**
 * Asks the server for the first workflow task along with the start, where the client shares its connection with a worker of the
 * same process: that saves the worker a poll. A server that does not know this, or has no such worker, starts as always.
 */
function eagerStart({ connection }: Client): { requestEagerStart?: true } {
  const { supportsEagerStart } = (connection as InternalConnectionLike)[InternalConnectionLikeSymbol] ?? {};
  return supportsEagerStart ? { requestEagerStart: true } : {};
}

/** Starts a run. If the start is refused, the error says whether the run with the id is running, or has ended. */
export async function runThereAlready<T>(temporal: Client, workflowId: string, start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    throw (await latestRunOf(temporal, workflowId)).isRunning ? error : new AlreadyEndedError(workflowId);
  }
}

/** 70 random bits: that two of a thousand million runs of one name share an id has a probability below 0.001. */
const SUFFIX_LENGTH = 14;

/** Returns the name of a run for users, which becomes part of its id. */
function wordsFor(spec: unknown): string {
  const name = (spec as { name?: unknown } | null)?.name;
  return typeof name === 'string' ? idWords(name) : '';
}

export function requireValid<Parsed extends object>(parsed: Parsed | { problems: SpecProblem[] }): Parsed {
  if ('problems' in parsed) throw new InvalidSpecError(parsed.problems);
  return parsed;
}

/** Waits for a result. The problems that a worker found in the long form get the paths of what was given. */
async function withWrittenPaths<T>(moved: readonly MovedPart[] = [], wait: () => Promise<T>): Promise<T> {
  try {
    return await wait();
  } catch (error) {
    if (!(error instanceof InvalidSpecError) || moved.length === 0) throw error;
    throw new InvalidSpecError(problemsAsWritten(moved, error.problems));
  }
}

export function withResult<Spec, Result>(
  { expand }: RunKind<Spec>,
  given: Spec,
  run: RunReference,
  wait: (waiting: CallOptions) => Promise<Result>,
): Started<Result> {
  const moved = expand?.(given).moved;
  return { ...run, result: (waiting = {}) => withWrittenPaths(moved, () => wait(waiting)) };
}

/** Starts a run and returns at once. Throws InvalidSpecError when the form of what was given is wrong. */
export async function startRun<Spec, Result>(
  kind: RunKind<Spec>,
  place: Place,
  given: Spec,
  { timeout, signal, ...options }: StartOptions,
  method = methodOf(kind, 'start'),
): Promise<Started<Result>> {
  const { temporal } = place;
  const { listedAs } = kind;
  const { workflowId, type, argument, startWith } = describeStart(kind, place, given, options);
  const { typedSearchAttributes: own } = options;
  const start = (attributes: StartOptions['typedSearchAttributes']) =>
    temporal.workflow.start(type, { ...eagerStart(temporal), ...startWith(attributes) });
  const call: ClientCall = { method, kind: 'start', workflowId };
  const handle = await startOfFittingSize(temporal, argument, () =>
    withTypedErrors(temporal, call, { timeout, signal }, () =>
      runThereAlready(temporal, workflowId, () =>
        listedAs ? startListed(temporal, listedAs, own, start) : start(own),
      ),
    ),
  );
  return withResult(kind, given, { workflowId, runId: handle.firstExecutionRunId }, (waiting) =>
    withTypedErrors(temporal, { method: 'result', kind: 'result', workflowId }, waiting, () => handle.result()),
  );
}

/**
 * Returns the arguments with which the SDK starts a run: its id, its workflow type and argument, and the options along with
 * search attributes. Throws InvalidSpecError.
 */
export function describeStart<Spec>(
  { type, prefix, parse, summary }: RunKind<Spec>,
  place: Place,
  given: Spec,
  options: Omit<StartOptions, keyof CallOptions>,
) {
  const argument = parse(given);
  const { taskQueue, memo = {}, priority } = options;
  const { workflowId = `${wordsFor(argument) || prefix}-${randomSuffix(SUFFIX_LENGTH)}` } = options;
  const keys = Object.keys(memo).map((key) => [`memo/${key}`, key] as const);
  const { fairnessKey } = priority ?? {};
  checkProtocolTexts({ workflowId, taskQueue, 'priority/fairnessKey': fairnessKey, ...Object.fromEntries(keys) });
  const startWith = (typedSearchAttributes: StartOptions['typedSearchAttributes']) => ({
    staticSummary: summary(argument),
    staticDetails: WHERE_PAGES_ARE_KEPT,
    taskQueue: place.taskQueue,
    ...omitUndefined(options),
    ...(typedSearchAttributes && { typedSearchAttributes }),
    workflowId,
    args: [argument] as [Spec],
  });
  return { workflowId, type, argument, startWith };
}

/**
 * Starts a run with an id that is used once, and waits for its result; where a run has or had the id, for the result of
 * that one. Throws InvalidSpecError, and what `result` throws.
 *
 * @param isPoor reports whether the result of an earlier run is such that the run is started anew; if it is given, a run that
 *   failed is started anew, too
 */
export async function runOnce<Spec, Result>(
  kind: RunKind<Spec>,
  place: Place,
  [workflowId, given]: [workflowId: string, given: Spec],
  options: OnceOptions,
  isPoor?: (result: Result) => boolean,
): Promise<Result> {
  const once = async (workflowIdReusePolicy: StartOptions['workflowIdReusePolicy']): Promise<Result> => {
    const how = { ...options, workflowIdReusePolicy, workflowIdConflictPolicy: 'USE_EXISTING', workflowId } as const;
    const { result } = await startRun<Spec, Result>(kind, place, given, how, 'runOnce');
    return result(options);
  };
  try {
    return await once(isPoor ? 'ALLOW_DUPLICATE_FAILED_ONLY' : 'REJECT_DUPLICATE');
  } catch (error) {
    if (!(error instanceof AlreadyEndedError)) throw error;
    const result = await resultOf<Result>(place, methodOf(kind, 'result'), workflowId, options);
    return isPoor?.(result) ? once('ALLOW_DUPLICATE') : result;
  }
}
