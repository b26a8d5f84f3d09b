import type { Client } from '@temporalio/client';
import type { z, ZodType } from 'zod';
import { attach } from './client/attach';
import type { CallOptions, OnceOptions, RunOptions, StartOptions, WaitOptions } from './calls/call-options';
import { resultForCaller, runForCaller } from './client/caller-gone';
import { versionsOf } from './calls/chain';
import type { FoundRun } from './calls/run-end';
import type { Started } from './calls/run-kind';
import { runsOf } from './kinds/list/client';
import { type FirstCommand, startWithUpdate, type StartedWithUpdate } from './client/start-with-update';
import { listRuns, type RunListEntry } from './client/list-runs';
import { type ConnectOptions, openClient } from './client/open-connection';
import { OtherRunsClient } from './client/other-runs';
import type { RunTarget } from './calls/run-target';
import { reportRun } from './client/report/run-report';
import { sendCommand } from './calls/send-command';
import type { StreamEvent } from './client/stream/events';
import { type StreamOptions, streamRun } from './client/stream/run-stream';
import { type OutputOption, readResult, type TypedReference, type TypedRun, typedRun } from './client/typed/typed-run';
import { DEFAULT_TASK_QUEUE } from './lib/names/task-queues';
import type { Progress, ReflectionResult } from './loop/contract/results';
import type { RunReport } from './kinds/report/contract';
import type { AttachmentReference, AttachmentDetails } from './lib/contract/attachments';
import type { ReflectionSpecInput } from './loop/contract/short-spec';
import { OUTPUT, type TypedSpec } from './loop/spec/typed';
import type { CommandPayloads } from './loop/base/command-payloads';
import type { ReflectionVersion } from './loop/state/loop-state';

export type { CallOptions, RunReference, StartOptions } from './calls/call-options';
export type { BatchClient, BatchReference, BatchStartOptions } from './kinds/batch/client/batch-client';
export type { Started } from './calls/run-kind';
export type { RunsOfKind, RunsWithProgress } from './calls/runs-of-kind';
export type { PipelineRuns } from './kinds/pipeline/client/pipeline-runs';
export type { PopulationRuns } from './kinds/agents/client/population-runs';
export type { FirstCommand, StartedWithUpdate } from './client/start-with-update';
export type { OtherRunsClient } from './client/other-runs';
export type { RunListEntry } from './client/list-runs';
export type { AttachmentDetails } from './lib/contract/attachments';
export type { ConnectOptions } from './client/open-connection';
export type { RunTarget } from './calls/run-target';
export type { StreamEvent } from './client/stream/events';
export type { StreamOptions } from './client/stream/run-stream';

/**
 * Starts, follows and steers reflection loops, and starts evaluations, corrections, pipelines, plans and populations.
 *
 * Every method takes a `timeout` and a `signal`. No method waits for ever for a worker that is not running: by default,
 * commands, queries, starts and lists fail with NoAnswerError after 30 s. In addition to the errors that each method
 * lists, every method throws NoAnswerError, CallAbortedError and ServerRequestError, and methods that start a run throw
 * AlreadyRunningError.
 */
export class ReflectionClient extends OtherRunsClient {
  readonly #close: (() => Promise<void>) | undefined;
  readonly #loops = runsOf(this, 'loop');

  /** Uses a Temporal client that the caller owns; `connect` creates one of its own. */
  constructor(temporal: Client, taskQueue: string = DEFAULT_TASK_QUEUE, close?: () => Promise<void>) {
    super(temporal, taskQueue);
    this.#close = close;
  }

  /**
   * Connects with the options, then with the environment; see `temporalSettings`. Waits 10 s, or `timeout`, for a server.
   * @throws NoAnswerError, CallAbortedError, ServerRequestError
   */
  static async connect(options: ConnectOptions = {}): Promise<ReflectionClient> {
    const { temporal, taskQueue, close } = await openClient(options);
    return new ReflectionClient(temporal, taskQueue, close);
  }

  /** Closes the connection that `connect` opened. */
  async close(): Promise<void> {
    await this.#close?.();
  }

  /**
   * Puts a picture or a file (up to 32 MiB) into the storage of large payloads, and returns a reference that represents it
   * in `state` and `attachments`. Without a storage it is a `data:` URL, for some 190 kB at most. A sweep deletes what no
   * run was started with, and no model call has read, for its time.
   *
   * @throws InvalidSpecError for bytes or a media type that cannot be attached; what the storage throws
   */
  async attach(bytes: Uint8Array, details: AttachmentDetails): Promise<AttachmentReference | string> {
    return attach(this.temporal, bytes, details);
  }

  /**
   * Starts a loop and returns at once, with a function that waits for its result. With a spec of `defineSpec`, the
   * outputs of that have its type.
   * @throws InvalidSpecError if the form of the spec is wrong; what only a worker can know is checked by the run itself
   */
  async start<Wire, Parsed>(spec: TypedSpec<Wire, Parsed>, options?: StartOptions): Promise<TypedRun<Wire, Parsed>>;
  async start(spec: ReflectionSpecInput, options?: StartOptions): Promise<Started<ReflectionResult>>;
  async start(spec: ReflectionSpecInput, options: StartOptions = {}): Promise<unknown> {
    return typedRun(spec, await this.#loops.start(spec, options));
  }

  /**
   * Starts a loop and waits for its result. With a zod schema as `output`, or with a spec of `defineSpec`, the outputs
   * of the result have its type. With `onAbort: 'abort'`, the run ends with the caller's waiting.
   * @throws InvalidSpecError, ReflectionFailedError, RunFailedError, UnexpectedOutputError
   */
  async run<Schema extends ZodType>(
    spec: ReflectionSpecInput,
    options: RunOptions & OutputOption<Schema>,
  ): Promise<ReflectionResult<z.output<Schema>>>;
  async run<Parsed>(spec: TypedSpec<unknown, Parsed>, options?: RunOptions): Promise<ReflectionResult<Parsed>>;
  async run(spec: ReflectionSpecInput, options?: RunOptions): Promise<ReflectionResult>;
  async run(
    spec: ReflectionSpecInput,
    { output, ...options }: RunOptions & Partial<OutputOption<ZodType>> = {},
  ): Promise<unknown> {
    return readResult(await runForCaller(this, spec, options), output ? { [OUTPUT]: output } : spec);
  }

  /**
   * Starts a loop and sends it a first command, in one call to the server; returns once the command took effect, with the
   * run's progress. If a run with the id has not ended, the command goes to that one, unless `workflowIdConflictPolicy`
   * says otherwise: of two callers at once, both get an answer of the same run. A run is there even if it refuses the
   * command: one that the call starts has no draft and is not checked yet, so it refuses `accept`, `reflect`, `decide` about
   * a version, and `extend` with `tokens` or `usd`, and goes on. Needs a worker.
   * @throws InvalidSpecError, CommandRefusedError, CommandNotTakenError
   */
  async startWithUpdate(
    spec: ReflectionSpecInput,
    command: FirstCommand,
    options: StartOptions = {},
  ): Promise<StartedWithUpdate> {
    return startWithUpdate(this, spec, command, options);
  }

  /**
   * Starts a loop with an id that is used once, and returns at once; where a run that `startOnce` started with an equal spec
   * has or had the id, returns that one, also if it has ended. The order of keys does not matter. Holds for as long as the
   * server keeps the run; after that it is started anew.
   * @throws InvalidSpecError, DifferentSpecError if the run has another spec, or if something else started it
   */
  async startOnce<Wire, Parsed>(
    workflowId: string,
    spec: TypedSpec<Wire, Parsed>,
    options?: OnceOptions,
  ): Promise<TypedRun<Wire, Parsed>>;
  async startOnce(
    workflowId: string,
    spec: ReflectionSpecInput,
    options?: OnceOptions,
  ): Promise<Started<ReflectionResult>>;
  async startOnce(workflowId: string, spec: ReflectionSpecInput, options: OnceOptions = {}): Promise<unknown> {
    return typedRun(spec, await this.#loops.startOnce(workflowId, spec, options));
  }

  /**
   * Starts a loop unless a run has or had the id, and waits for the result of the first one: a request that is sent again
   * pays once, for as long as the server keeps the run. Throws as `run` does.
   */
  async runOnce<Parsed>(
    workflowId: string,
    spec: TypedSpec<unknown, Parsed>,
    options?: OnceOptions,
  ): Promise<ReflectionResult<Parsed>>;
  async runOnce(workflowId: string, spec: ReflectionSpecInput, options?: OnceOptions): Promise<ReflectionResult>;
  async runOnce(workflowId: string, spec: ReflectionSpecInput, options: OnceOptions = {}): Promise<unknown> {
    return readResult(await this.#loops.runOnce(workflowId, spec, options), spec);
  }

  /**
   * Waits for the result of a run; `output` and `onAbort` as for `run`. A run that `start` returned for a typed spec has its type.
   * @throws ReflectionFailedError after `onFailure: raise`, RunFailedError if the run failed otherwise,
   *   RunNotFoundError, UnexpectedOutputError if the schema rejects the final output, WrongKindError for the result of another
   *   workflow type
   */
  async result<Schema extends ZodType>(
    run: RunTarget,
    options: WaitOptions & OutputOption<Schema>,
  ): Promise<ReflectionResult<z.output<Schema>>>;
  async result<Parsed>(run: TypedReference<Parsed>, options?: WaitOptions): Promise<ReflectionResult<Parsed>>;
  async result(run: RunTarget, options?: WaitOptions & Partial<OutputOption<ZodType>>): Promise<ReflectionResult>;
  async result(
    run: RunTarget,
    { output, ...options }: WaitOptions & Partial<OutputOption<ZodType>> = {},
  ): Promise<unknown> {
    return readResult(await resultForCaller(this, run, options), output ? { [OUTPUT]: output } : run);
  }

  /**
   * Finds a loop: its result or its failure once it has ended, which needs no worker; else its progress. `output` as for `run`.
   * @throws RunNotFoundError, WrongKindError for a run of another workflow type, UnexpectedOutputError
   */
  async get<Schema extends ZodType>(
    run: RunTarget,
    options: CallOptions & OutputOption<Schema>,
  ): Promise<FoundRun<ReflectionResult<z.output<Schema>>>>;
  async get<Parsed>(run: TypedReference<Parsed>, options?: CallOptions): Promise<FoundRun<ReflectionResult<Parsed>>>;
  async get(run: RunTarget, options?: CallOptions): Promise<FoundRun<ReflectionResult>>;
  async get(
    run: RunTarget,
    { output, ...options }: CallOptions & Partial<OutputOption<ZodType>> = {},
  ): Promise<unknown> {
    const found = await this.#loops.get(run, options);
    if (found.status !== 'completed') return found;
    return { ...found, result: await readResult(found.result, output ? { [OUTPUT]: output } : run) };
  }

  /**
   * Ends the run with its best version, or with the current version if the payload names its iteration, and returns the
   * state after that. A payload without an `id` gets one, so that a command that has to be sent again takes effect once.
   * @throws CommandRefusedError with the run's reason, RunNotFoundError, CommandNotTakenError
   */
  async accept(run: RunTarget, payload: CommandPayloads['accept'] = {}, options: CallOptions = {}): Promise<Progress> {
    return sendCommand(this.temporal, run, 'accept', payload, options);
  }

  /** Ends the run as `aborted`, cancels the call in flight, and returns the state after that. Throws as `accept` does. */
  async abort(run: RunTarget, payload: CommandPayloads['abort'] = {}, options: CallOptions = {}): Promise<Progress> {
    return sendCommand(this.temporal, run, 'abort', payload, options);
  }

  /** Passes a reviewer's text to the next revision. A run that waits continues. Throws as `accept` does. */
  async guide(run: RunTarget, payload: CommandPayloads['guide'], options: CallOptions = {}): Promise<Progress> {
    return sendCommand(this.temporal, run, 'guide', payload, options);
  }

  /** Makes an output the next version and evaluates it; cancels the call in flight. Throws as `accept` does. */
  async override(run: RunTarget, payload: CommandPayloads['override'], options: CallOptions = {}): Promise<Progress> {
    return sendCommand(this.temporal, run, 'override', payload, options);
  }

  /** Raises limits. A run that waits at one of them continues. Throws as `accept` does. */
  async extend(run: RunTarget, payload: CommandPayloads['extend'], options: CallOptions = {}): Promise<Progress> {
    return sendCommand(this.temporal, run, 'extend', payload, options);
  }

  /** Overrides the loop's decision after the evaluation of its current iteration. Throws as `accept` does. */
  async decide(run: RunTarget, payload: CommandPayloads['decide'], options: CallOptions = {}): Promise<Progress> {
    return sendCommand(this.temporal, run, 'decide', payload, options);
  }

  /** Evaluates the current version again; cancels the call in flight. Throws as `accept` does. */
  async reflect(run: RunTarget, payload: CommandPayloads['reflect'] = {}, options?: CallOptions): Promise<Progress> {
    return sendCommand(this.temporal, run, 'reflect', payload, options);
  }

  /** Answers a question of a step, or decides about a call that waits for approval. Throws as `accept` does. */
  async answer(run: RunTarget, payload: CommandPayloads['answer'], options?: CallOptions): Promise<Progress> {
    return sendCommand(this.temporal, run, 'answer', payload, options);
  }

  /** Reads the state of a run: its phase, iteration, best version and tokens. Throws RunNotFoundError. */
  async progress(run: RunTarget, options: CallOptions = {}): Promise<Progress> {
    return this.#loops.progress(run, options);
  }

  /**
   * Reads all versions of a loop, from each run of its chain. Needs a worker. Where the server no longer keeps early runs,
   * their versions are as a later run has them: those with `omittedBytes` have lost their outputs.
   */
  async history(run: RunTarget, options: CallOptions = {}): Promise<ReflectionVersion[]> {
    return versionsOf(this, run, options);
  }

  /**
   * Reports what happens in a run as it happens, until the run ends, no matter who started it: versions, verdicts, waits and
   * the end; and the text of drafts and revisions while a model writes it, if the spec has `stream: true`, else in one piece
   * once it is there. Follows a chain of runs. Versions need a worker that answers; text does not. Without a listener
   * nothing is done.
   *
   * @throws RunNotFoundError, InvalidConfigError for a `from` that is no position, UnreadablePayloadError
   */
  stream(run: RunTarget, options: StreamOptions = {}): AsyncIterableIterator<StreamEvent, void> {
    return streamRun(this, run, options);
  }

  /**
   * Reports on a loop, a plan or a batch, ended or in progress: versions, issues, what users did, and tokens and cost by
   * role, from each run of its chain. A run that has ended is reported without a worker, but large outputs may be missing
   * then.
   *
   * @throws RunNotFoundError, NoReportError for another kind of run
   */
  async report(run: RunTarget, options: CallOptions = {}): Promise<RunReport> {
    return reportRun(this, run, options);
  }

  /** Reads the best version so far; undefined before the first version was judged. */
  async best(run: RunTarget, options: CallOptions = {}): Promise<ReflectionVersion | undefined> {
    const { best } = await this.progress(run, options);
    if (!best) return undefined;
    return (await this.history(run, options)).find((version) => version.iteration === best.iteration);
  }

  /**
   * Lists runs, the latest first. `query` narrows the list, in Temporal's list filter syntax; `limit` to so many entries.
   */
  list(options: CallOptions & { query?: string; limit?: number } = {}): AsyncIterable<RunListEntry> {
    return listRuns(this.temporal, options);
  }
}
