import {
  type Client,
  type InternalConnectionLike,
  InternalConnectionLikeSymbol,
  WorkflowExecutionAlreadyStartedError,
} from '@temporalio/client';
import { WHERE_PAGES_ARE_KEPT } from '../loop/page/kept-page';
import type { SpecProblem } from '../lib/contract/spec-problem';
import {
  AlreadyEndedError,
  AlreadyRunningError,
  type ClientCall,
  NoAnswerError,
  ServerRequestError,
} from '../loop/errors/call-errors';
import { DifferentSpecError, InvalidSpecError, WrongKindError } from '../loop/errors/errors';
import { type Expanded, type MovedPart, problemsAsWritten } from '../loop/spec/short-form';
import { omitUndefined } from '../lib/base/defined';
import { idWords } from '../lib/names/id-words';
import { randomSuffix } from './random-suffix';
import { ANSWER_MS, type CallOptions, type OnceOptions, type RunReference, type StartOptions } from './call-options';
import { isNotFound } from './chain';
import { readKnownSpec, SPEC_FIELD, specDigests } from './known-spec';
import { ask, type Asked, resultOf } from './questions';
import { endOf, type FoundRun } from './run-end';
import { latestRunOf, partsOf, type RunTarget } from './run-target';
import { startListed } from './started-attributes';
import { startOfFittingSize } from './too-large';
import { checkProtocolTexts } from './errors/protocol-texts';
import { withTypedErrors } from './errors/with-typed-errors';

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

/** The properties that distinguish a kind of run from the others. */
interface RunKindDescription<Spec> {
  /** Workflow type. */
  type: string;
  /** Begins the id of a run that is not given one, and whose spec has no name. */
  prefix: string;
  /** The kind of search attributes that a run has at first. Default: runs of the kind are not listed. */
  listedAs?: 'loop' | 'other';
  /** Methods of the client, as errors name them. */
  methods: { start: string; result: string; progress?: string };
  /** The workflow's argument, in its long form. Throws InvalidSpecError with every mistake of its form. */
  parse(given: Spec): Spec;
  /** Finds the parts of the argument that were written elsewhere. Default: none. */
  expand?(given: Spec): Pick<Expanded, 'moved'>;
  /** Returns the line that the Web UI shows of a run from its start. */
  summary(spec: Spec): string;
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

/** Attempts to start a run once while the server deletes the runs that it finds. */
const DELETED_MEANWHILE = 3;

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

/** A kind of run: how a run is started, waited for, and asked about its progress. */
export class RunKind<Spec, Result, Progress> {
  constructor(readonly description: RunKindDescription<Spec>) {}

  /** Starts a run and returns at once. Throws InvalidSpecError when the form of what was given is wrong. */
  async start(
    place: Place,
    given: Spec,
    { timeout, signal, ...options }: StartOptions,
    method = this.description.methods.start,
  ): Promise<Started<Result>> {
    const { temporal } = place;
    const { listedAs } = this.description;
    const { workflowId, type, argument, started } = this.describeStart(place, given, options);
    const { typedSearchAttributes: own } = options;
    const start = (attributes: StartOptions['typedSearchAttributes']) =>
      temporal.workflow.start(type, { ...eagerStart(temporal), ...started(attributes) });
    const call: ClientCall = { method, kind: 'start', workflowId };
    const handle = await startOfFittingSize(temporal, argument, () =>
      withTypedErrors(temporal, call, { timeout, signal }, () =>
        runThereAlready(temporal, workflowId, () =>
          listedAs ? startListed(temporal, listedAs, own, start) : start(own),
        ),
      ),
    );
    return this.#runOf(given, { workflowId, runId: handle.firstExecutionRunId }, (waiting) =>
      withTypedErrors(temporal, { method: 'result', kind: 'result', workflowId }, waiting, () => handle.result()),
    );
  }

  #runOf(given: Spec, run: RunReference, wait: (waiting: CallOptions) => Promise<Result>): Started<Result> {
    const moved = this.description.expand?.(given).moved;
    return { ...run, result: (waiting = {}) => withWrittenPaths(moved, () => wait(waiting)) };
  }

  /**
   * Starts a run with an id that is used once, and returns at once; where a run with an equal spec has or had the id, returns
   * that one. Throws InvalidSpecError, DifferentSpecError.
   */
  async startOnce(place: Place, workflowId: string, given: Spec, options: OnceOptions): Promise<Started<Result>> {
    const { type, parse } = this.description;
    const digests = specDigests(type, [given, parse(given)]);
    const how = {
      ...options,
      workflowId,
      memo: { ...options.memo, [SPEC_FIELD]: digests },
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      workflowIdConflictPolicy: 'FAIL',
    } as const;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.start(place, given, how, 'startOnce');
      } catch (error) {
        const isThere = error instanceof AlreadyRunningError || error instanceof AlreadyEndedError;
        if (!isThere && !isNotFound(error)) throw error;
        const known = await readKnownSpec(place.temporal, workflowId, options);
        if (known && !known.digests?.some((each) => digests.includes(each))) {
          throw new DifferentSpecError(workflowId, known.digests !== undefined);
        }
        if (known) {
          // The first run of a long chain may be gone.
          const latest = { workflowId, runId: known.latest };
          const wait = (waiting: CallOptions) => resultOf<Result>(place, 'result', latest, waiting);
          return this.#runOf(given, { workflowId, runId: known.first }, wait);
        }
        // The server deleted it meanwhile.
        if (attempt === DELETED_MEANWHILE) throw error;
      }
    }
  }

  /**
   * Returns the arguments with which the SDK starts a run: its id, its workflow type and argument, and the options along with
   * search attributes. Throws InvalidSpecError.
   */
  describeStart(place: Place, given: Spec, options: Omit<StartOptions, keyof CallOptions>) {
    const { type, prefix, parse, summary } = this.description;
    const argument = parse(given);
    const { taskQueue, memo = {}, priority } = options;
    const { workflowId = `${wordsFor(argument) || prefix}-${randomSuffix(SUFFIX_LENGTH)}` } = options;
    const keys = Object.keys(memo).map((key) => [`memo/${key}`, key] as const);
    const { fairnessKey } = priority ?? {};
    checkProtocolTexts({ workflowId, taskQueue, 'priority/fairnessKey': fairnessKey, ...Object.fromEntries(keys) });
    const optionsWith = (typedSearchAttributes: StartOptions['typedSearchAttributes']) => ({
      staticSummary: summary(argument),
      staticDetails: WHERE_PAGES_ARE_KEPT,
      taskQueue: place.taskQueue,
      ...omitUndefined(options),
      ...(typedSearchAttributes && { typedSearchAttributes }),
      workflowId,
      args: [argument] as [Spec],
    });
    return { workflowId, type, argument, started: optionsWith };
  }

  /** Starts a run and says where it is. */
  async startReference(place: Place, given: Spec, options: StartOptions): Promise<RunReference> {
    const { workflowId, runId } = await this.start(place, given, options);
    return { workflowId, runId };
  }

  /** Starts a run and waits for its result. */
  async run(place: Place, given: Spec, options: StartOptions): Promise<Result> {
    const { result } = await this.start(place, given, options);
    return result(options);
  }

  /**
   * Starts a run with an id that is used once, and waits for its result; where a run has or had the id, for the result of
   * that one. Throws InvalidSpecError, and what `result` throws.
   *
   * @param workflowIdReusePolicy `ALLOW_DUPLICATE_FAILED_ONLY`: a run that failed is started anew
   * @param isPoor reports whether the result of an earlier run is such that the run is started anew, too
   */
  async runOnce(
    place: Place,
    workflowId: string,
    given: Spec,
    options: OnceOptions,
    workflowIdReusePolicy: 'REJECT_DUPLICATE' | 'ALLOW_DUPLICATE_FAILED_ONLY' | 'ALLOW_DUPLICATE' = 'REJECT_DUPLICATE',
    isPoor: (result: Result) => boolean = () => false,
  ): Promise<Result> {
    const policies = { workflowIdReusePolicy, workflowIdConflictPolicy: 'USE_EXISTING' } as const;
    try {
      const { result } = await this.start(place, given, { ...options, ...policies, workflowId }, 'runOnce');
      return await result(options);
    } catch (error) {
      if (!(error instanceof AlreadyEndedError)) throw error;
      const result = await this.result(place, workflowId, options);
      return isPoor(result) ? await this.runOnce(place, workflowId, given, options, 'ALLOW_DUPLICATE') : result;
    }
  }

  /** Waits for the result of a run; a chain of runs is followed to its end. */
  async result(place: Asked, run: RunTarget, options: CallOptions): Promise<Result> {
    return resultOf(place, this.description.methods.result, run, options);
  }

  /** Finds a run: how it ended, without a worker; else its progress. Throws WrongKindError. */
  async get(place: Asked, run: RunTarget, options: CallOptions): Promise<FoundRun<Result, Progress>> {
    const { workflowId } = partsOf(run);
    const look = () =>
      withTypedErrors(place.temporal, { method: 'get', kind: 'list', workflowId }, options, () =>
        latestRunOf(place.temporal, run),
      );
    let found = await look();
    const { type } = this.description;
    if (found.type !== type) throw new WrongKindError(workflowId, found.type, type);
    const { progress: method } = this.description.methods;
    if (found.isRunning && method === undefined) {
      return { workflowId, runId: found.runId, status: 'running', progress: undefined as Progress };
    }
    if (found.isRunning) {
      const { runId } = found;
      try {
        const progress = await ask<Progress>(place, { method: 'get', query: 'progress', run, runId }, options);
        return { workflowId, runId, status: 'running', progress };
      } catch (error) {
        const isClosing = error instanceof ServerRequestError && error.code === 'FAILED_PRECONDITION';
        if (!(error instanceof NoAnswerError || isClosing)) throw error;
        // It may have ended since.
        found = await look();
        if (found.isRunning) throw error;
      }
    }
    const ended = { workflowId, runId: found.runId };
    const { timeout = ANSWER_MS } = options;
    const { result, failure } = await endOf(() => resultOf<Result>(place, 'get', ended, { ...options, timeout }));
    return failure
      ? { ...ended, status: 'failed', error: failure }
      : { ...ended, status: 'completed', result: result! };
  }

  /**
   * Asks a run's worker for its progress.
   *
   * @param question the argument of the query
   */
  async progress(place: Asked, run: RunTarget, options: CallOptions, ...question: unknown[]): Promise<Progress> {
    const { progress: method = 'progress' } = this.description.methods;
    return ask(place, { method, query: 'progress', run }, options, ...question);
  }
}
