import { Client } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import type { z, ZodType } from 'zod';
import type { CallOptions } from './client/call-options';
import { chainOf } from './client/chain';
import { listRuns, type RunListEntry } from './client/list-runs';
import { OtherRuns } from './client/kinds/other-runs';
import { sendCommand } from './client/send-command';
import { openConnection } from './client/open-connection';
import type { RunReference, StartOptions } from './client/start-options';
import { ask, resultOf, startRun } from './client/start-run';
import { type OutputOption, typedResult } from './client/typed-result';
import { LARGE_ANSWERS, type TemporalOverrides, temporalSettings } from './config';
import type { AbortPayload, AcceptPayload, CommandName, CommandPayloads } from './domain/state/command-payloads';
import { InvalidSpecError } from './domain/errors/errors';
import type { Progress } from './domain/page/progress';
import type { ReflectionResult } from './domain/versions/result';
import { summaryLine } from './domain/page/run-page';
import type { ReflectionSpec } from './domain/spec/spec';
import { DEFAULT_TASK_QUEUE } from './domain/base/task-queues';
import type { ReflectionVersion } from './domain/state/loop-state';
import { parseSpec } from './schemas';
import { closeStorage, dataConverterFrom } from './storage';
import type { HistoryPage } from './workflows/messages';

export type { CallOptions } from './client/call-options';
export type { Started } from './client/start-run';
export type { RunListEntry } from './client/list-runs';
export type { RunReference, StartOptions } from './client/start-options';

export interface ConnectOptions extends TemporalOverrides, CallOptions {
  /**
   * How payloads are read and written, as the workers do. Default: what `REFLECT_STORAGE` and `REFLECT_CODEC_KEYS` say. One that
   * is given is not closed with the client.
   */
  dataConverter?: DataConverter;
}

/**
 * Starts, follows and steers reflection loops, and starts what else there is.
 *
 * Every method takes a `timeout` and a `signal`. None waits for ever for a worker that is away: commands, questions, starts and
 * lists end after 30 s as a NoAnswerError unless told otherwise. Beside the errors that each method names, all throw NoAnswerError,
 * CallAbortedError and ServerRequestError, and those that start a run AlreadyRunningError.
 */
export class ReflectionClient extends OtherRuns {
  readonly #close: (() => Promise<void>) | undefined;

  /** Works on a client that the caller owns; `connect` makes one of its own. */
  constructor(temporal: Client, taskQueue: string = DEFAULT_TASK_QUEUE, close?: () => Promise<void>) {
    super(temporal, taskQueue);
    this.#close = close;
  }

  /**
   * Connects as the options say, then as the environment says; see `temporalSettings`. A server that is not there is waited for:
   * 10 s, unless `timeout` says otherwise.
   *
   * @throws NoAnswerError, CallAbortedError, ServerRequestError
   */
  static async connect(options: ConnectOptions = {}): Promise<ReflectionClient> {
    const { connection: connectionOptions, namespace, taskQueue } = temporalSettings(options);
    const own = options.dataConverter ? undefined : dataConverterFrom(process.env);
    const dataConverter = options.dataConverter ?? own;
    const channelArgs = { ...LARGE_ANSWERS, ...(connectionOptions['channelArgs'] as object | undefined) };
    const connection = await openConnection({ ...connectionOptions, channelArgs }, options).catch(
      async (error: unknown): Promise<never> => {
        await closeStorage(own);
        throw error;
      },
    );
    const client = new Client({ connection, namespace, ...(dataConverter ? { dataConverter } : {}) });
    return new ReflectionClient(client, taskQueue, async () => {
      await connection.close();
      await closeStorage(own);
    });
  }

  /** Closes the connection that `connect` opened. */
  async close(): Promise<void> {
    await this.#close?.();
  }

  /**
   * Starts a loop and returns at once.
   *
   * @throws InvalidSpecError when the spec's form is wrong; what only a worker can know is checked by the run itself
   */
  async start(spec: ReflectionSpec, options: StartOptions = {}): Promise<RunReference> {
    const parsed = parseSpec(spec);
    if ('problems' in parsed) throw new InvalidSpecError(parsed.problems);
    const staticSummary = summaryLine(parsed.spec);
    const start = { method: 'start', type: 'reflectionLoop', argument: parsed.spec, staticSummary };
    const { workflowId, runId } = await startRun(this, { ...start, prefix: 'reflection', listedAs: 'loop' }, options);
    return { workflowId, runId };
  }

  /**
   * Starts a loop and waits for its result. With a zod schema as `output`, the result's outputs have its type.
   *
   * @throws InvalidSpecError, ReflectionFailedError, RunFailedError, UnexpectedOutputError
   */
  async run<Schema extends ZodType>(
    spec: ReflectionSpec,
    options: StartOptions & OutputOption<Schema>,
  ): Promise<ReflectionResult<z.output<Schema>>>;
  async run(spec: ReflectionSpec, options?: StartOptions): Promise<ReflectionResult>;
  async run(spec: ReflectionSpec, options: StartOptions & Partial<OutputOption<ZodType>> = {}): Promise<unknown> {
    const { workflowId } = await this.start(spec, options);
    return this.result(workflowId, options);
  }

  /**
   * Waits for a run's result; `output` as for `run`.
   *
   * @throws ReflectionFailedError after `onFailure: raise`, RunFailedError when it failed otherwise, RunNotFoundError,
   *   UnexpectedOutputError when the final output is not what `output` says
   */
  async result<Schema extends ZodType>(
    workflowId: string,
    options: CallOptions & OutputOption<Schema>,
  ): Promise<ReflectionResult<z.output<Schema>>>;
  async result(workflowId: string, options?: CallOptions & Partial<OutputOption<ZodType>>): Promise<ReflectionResult>;
  async result(
    workflowId: string,
    { output, ...options }: CallOptions & Partial<OutputOption<ZodType>> = {},
  ): Promise<unknown> {
    const result = await resultOf<ReflectionResult>(this, 'result', workflowId, options);
    return output ? typedResult(result, output) : result;
  }

  /**
   * Ends the run with its best version, or with the current one if the payload names it. A payload without an `id` gets one,
   * so that a command that has to be sent again takes effect once.
   *
   * @throws CommandRefusedError with the run's reason, RunNotFoundError, CommandNotTakenError
   */
  async accept(workflowId: string, payload: AcceptPayload = {}, options: CallOptions = {}): Promise<Progress> {
    return this.#command(workflowId, 'accept', payload, options);
  }

  /** Ends the run as `aborted`, cancelling the call in flight. Throws as `accept` does. */
  async abort(workflowId: string, payload: AbortPayload = {}, options: CallOptions = {}): Promise<Progress> {
    return this.#command(workflowId, 'abort', payload, options);
  }

  /** Tells the next revision something, as the reviewer's word. A run that waits goes on. Throws as `accept` does. */
  async guide(workflowId: string, payload: CommandPayloads['guide'], options: CallOptions = {}): Promise<Progress> {
    return this.#command(workflowId, 'guide', payload, options);
  }

  /** Makes an output the next version, which is judged, in place of the call in flight. Throws as `accept` does. */
  async override(
    workflowId: string,
    payload: CommandPayloads['override'],
    options: CallOptions = {},
  ): Promise<Progress> {
    return this.#command(workflowId, 'override', payload, options);
  }

  /** Raises limits. A run that waits at one of them goes on. Throws as `accept` does. */
  async extend(workflowId: string, payload: CommandPayloads['extend'], options: CallOptions = {}): Promise<Progress> {
    return this.#command(workflowId, 'extend', payload, options);
  }

  /** Overrules the loop after the evaluation of its current iteration. Throws as `accept` does. */
  async decide(workflowId: string, payload: CommandPayloads['decide'], options: CallOptions = {}): Promise<Progress> {
    return this.#command(workflowId, 'decide', payload, options);
  }

  /** Has the current version judged again, in place of the call in flight. Throws as `accept` does. */
  async reflect(
    workflowId: string,
    payload: CommandPayloads['reflect'] = {},
    options: CallOptions = {},
  ): Promise<Progress> {
    return this.#command(workflowId, 'reflect', payload, options);
  }

  async #command<Name extends CommandName>(
    workflowId: string,
    name: Name,
    payload: CommandPayloads[Name],
    options: CallOptions,
  ): Promise<Progress> {
    return sendCommand(this.temporal, workflowId, name, payload, options);
  }

  /** Where a run stands. */
  async progress(workflowId: string, options: CallOptions = {}): Promise<Progress> {
    return ask(this, { method: 'progress', query: 'progress', workflowId }, options);
  }

  /**
   * All versions of a loop, with their outputs. A long loop is a chain of runs, and a query sees one of them, so each is
   * asked in turn; needs a live worker.
   */
  async history(workflowId: string, options: CallOptions = {}): Promise<ReflectionVersion[]> {
    const method = 'history';
    // A version of an earlier run may have been judged again in a later one.
    const versions = new Map<number, ReflectionVersion>();
    for (const runId of await chainOf(this, { method, workflowId }, options)) {
      let from: number | undefined = 1;
      while (from !== undefined) {
        const asked = { method, query: 'history', workflowId, runId };
        const page: HistoryPage = await ask<HistoryPage>(this, asked, options, { from });
        for (const version of page.versions) versions.set(version.iteration, version);
        from = page.next;
      }
    }
    return [...versions.values()];
  }

  /** The best version so far; undefined before the first was judged. */
  async best(workflowId: string, options: CallOptions = {}): Promise<ReflectionVersion | undefined> {
    const { best } = await this.progress(workflowId, options);
    if (!best) return undefined;
    return (await this.history(workflowId, options)).find((version) => version.iteration === best.iteration);
  }

  /** The latest runs first. `query` narrows the list, in Temporal's list filter syntax. */
  list(options: CallOptions & { query?: string; limit?: number } = {}): AsyncIterable<RunListEntry> {
    return listRuns(this.temporal, options);
  }
}
