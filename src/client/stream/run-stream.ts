import { setTimeout as sleep } from 'node:timers/promises';
import type { Progress, HistoryPage } from '../../loop/contract/results';
import { CallAbortedError, type ClientCall, NoAnswerError, ServerRequestError } from '../../loop/errors/call-errors';
import type { Json } from '../../lib/json/json';
import { isLoopResult } from '../../loop/versions/result';
import type { CallOptions } from '../../calls/call-options';
import { ask, type Asked, resultOf } from '../../calls/questions';
import { latestRunOf, nextRunOf, partsOf, type RunTarget } from '../../calls/run-target';
import { UnreadablePayloadError } from '../../calls/errors/unreadable';
import { withTypedErrors } from '../../calls/errors/with-typed-errors';
import type { EventWithoutPosition, StreamEvent } from './events';
import { readPosition } from './position';
import { Story, type PendingCall } from './story';
import type { Client } from '@temporalio/client';
import { decodeFromPayloadsAtIndex } from '@temporalio/common/lib/internal-non-workflow';
import { temporal as proto } from '@temporalio/proto';
import { streamedText } from '../../loop/contract/streamed-text';

const { WorkflowExecutionStatus: Status } = proto.api.enums.v1;

/** The options of a stream of a run. `timeout` applies to each request to the server, not to the stream as a whole. */
export interface StreamOptions extends CallOptions {
  /**
   * The `position` of an event: events up to it are not reported again. Default: all events that are still known are
   * reported.
   */
  from?: string;
}

interface Look {
  status: 'running' | 'continued' | 'completed' | 'failed';
  /** The number of events so far: if it grows, the run has changed. */
  events: number;
  calls: PendingCall[];
}

type Pending = proto.api.workflow.v1.IPendingActivityInfo;

async function textOf(temporal: Client, { heartbeatDetails }: Pending): Promise<PendingCall['text']> {
  const payloads = heartbeatDetails?.payloads;
  if (!payloads || payloads.length === 0) return undefined;
  const details = await decodeFromPayloadsAtIndex<{ stream?: unknown } | undefined>(
    temporal.options.loadedDataConverter,
    0,
    payloads,
  );
  const read = streamedText.safeParse(details?.stream);
  return read.success ? read.data : undefined;
}

/** Looks at a run: without a worker, and without an event in its history. */
export async function lookAt(temporal: Client, workflowId: string, runId: string): Promise<Look> {
  const { workflowExecutionInfo: info, pendingActivities } =
    await temporal.workflow.workflowService.describeWorkflowExecution({
      namespace: temporal.options.namespace,
      execution: { workflowId, runId },
    });
  const calls = await Promise.all(
    (pendingActivities ?? []).map(async (pending): Promise<PendingCall> => {
      const text = await textOf(temporal, pending);
      const call = `${runId}/${pending.activityId}`;
      return { call, attempt: pending.attempt ?? 1, ...(text && { text }) };
    }),
  );
  return { status: statusOf(info?.status), events: Number(info?.historyLength ?? 0), calls };
}

function statusOf(status: proto.api.enums.v1.WorkflowExecutionStatus | null | undefined): Look['status'] {
  if (status === Status.WORKFLOW_EXECUTION_STATUS_COMPLETED) return 'completed';
  if (status === Status.WORKFLOW_EXECUTION_STATUS_CONTINUED_AS_NEW) return 'continued';
  const failed: readonly unknown[] = [
    Status.WORKFLOW_EXECUTION_STATUS_FAILED,
    Status.WORKFLOW_EXECUTION_STATUS_CANCELED,
    Status.WORKFLOW_EXECUTION_STATUS_TERMINATED,
    Status.WORKFLOW_EXECUTION_STATUS_TIMED_OUT,
  ];
  return failed.includes(status) ? 'failed' : 'running';
}

/** Between two looks at a run: text is at most so much older for it. */
const LOOK_MS = 500;
/** The time between two looks at a run in which nothing happened for a while. */
const SLOW_LOOK_MS = 2_000;
const RECENT_MS = 30_000;
/** A worker that answers later is asked again after the next look. */
const ANSWER_MS = 3_000;

const METHOD = 'stream';

function endOf(result: unknown): EventWithoutPosition {
  if (!isLoopResult(result)) return { type: 'ended', status: 'completed', output: result as Json };
  const { success, convergenceReason, iterationsUsed, finalOutput } = result;
  return { type: 'ended', status: 'completed', success, convergenceReason, iterationsUsed, output: finalOutput };
}

/** Returns whether an error concerns only this process, which cannot learn more of the run: the run has not ended. */
function isOfThisProcess(error: unknown): boolean {
  return [CallAbortedError, NoAnswerError, ServerRequestError, UnreadablePayloadError].some(
    (known) => error instanceof known,
  );
}

class RunStream {
  readonly #workflowId: string;
  #runId = '';
  /** Events of the history that the worker was asked about. */
  #asked = 0;
  /** Whether the workflow is a user's own, and has no loop that answers. */
  #isMute = false;

  constructor(
    private readonly asked: Asked,
    private readonly run: RunTarget,
    private readonly options: StreamOptions,
    private readonly story: Story,
  ) {
    this.#workflowId = partsOf(run).workflowId;
  }

  async *events(): AsyncGenerator<StreamEvent> {
    const { signal } = this.options;
    this.#runId = (await this.#request(() => latestRunOf(this.asked.temporal, this.run))).runId;
    let lastNews = Date.now();
    for (;;) {
      const look = await this.#request(() => lookAt(this.asked.temporal, this.#workflowId, this.#runId));
      for await (const event of this.#newsOf(look)) {
        yield event;
        lastNews = Date.now();
      }
      if (look.status === 'completed' || look.status === 'failed') return;
      if (look.status === 'continued') {
        await this.#followChain();
        continue;
      }
      const pause = Date.now() - lastNews > RECENT_MS ? SLOW_LOOK_MS : LOOK_MS;
      await sleep(pause, undefined, signal && { signal }).catch(() => undefined);
    }
  }

  #request<T>(request: () => Promise<T>): Promise<T> {
    const call: ClientCall = { method: METHOD, kind: 'question', workflowId: this.#workflowId };
    return withTypedErrors(this.asked.temporal, call, this.options, request);
  }

  async #followChain(): Promise<void> {
    const { temporal } = this.asked;
    const next = await this.#request(() => nextRunOf(temporal, this.#workflowId, this.#runId));
    this.#runId = next ?? (await this.#request(() => latestRunOf(temporal, this.#workflowId))).runId;
    this.#asked = 0;
  }

  /**
   * Reports the events since the last look. The knowledge of workers comes first: the text of a call follows the verdict
   * that led to it.
   */
  async *#newsOf({ status, events, calls }: Look): AsyncGenerator<StreamEvent> {
    if (status === 'completed') {
      yield* this.#streamResult();
      return;
    }
    if (events > this.#asked && !this.#isMute && (yield* this.#streamAnswers())) this.#asked = events;
    yield* this.story.reportCalls(calls);
    if (status === 'failed') yield* this.#streamFailure();
  }

  /**
   * Reports the events that the worker knows.
   * @returns whether there was one that answered
   */
  async *#streamAnswers(): AsyncGenerator<StreamEvent, boolean> {
    // First, so that the wait is reported after the verdict that led to it.
    const progress = await this.#ask<Progress>('progress');
    if (!progress) return false;
    let page: HistoryPage | undefined;
    do {
      const from: number = page?.next ?? this.story.judged + 1;
      page = await this.#ask<HistoryPage>('history', { from, carried: true, pending: true });
      if (!page) return false;
      for (const version of page.versions) yield* this.story.reportVerdict(version);
    } while (page.next !== undefined);
    if (page.pending) yield* this.story.reportVersion(page.pending.iteration, page.pending.output);
    yield* this.story.reportWait(progress.waitingFor);
    return true;
  }

  async #ask<Answer>(query: string, ...question: unknown[]): Promise<Answer | undefined> {
    const { signal } = this.options;
    const run = { workflowId: this.#workflowId, runId: this.#runId };
    const waiting = { timeout: ANSWER_MS, ...(signal && { signal }) };
    try {
      return await ask<Answer>(this.asked, { method: METHOD, query, run, runId: run.runId }, waiting, ...question);
    } catch (error) {
      // An answer that never comes is not waited for; what a workflow does not know it is not asked again.
      if (error instanceof ServerRequestError && error.code === 'INVALID_ARGUMENT') this.#isMute = true;
      if (error instanceof NoAnswerError || error instanceof ServerRequestError) return undefined;
      throw error;
    }
  }

  #result(): Promise<unknown> {
    return resultOf(this.asked, METHOD, { workflowId: this.#workflowId, runId: this.#runId }, this.options);
  }

  async *#streamResult(): AsyncGenerator<StreamEvent> {
    const result = await this.#result();
    if (isLoopResult(result)) for (const version of result.history.versions) yield* this.story.reportVerdict(version);
    yield this.story.withPosition(endOf(result));
  }

  async *#streamFailure(): AsyncGenerator<StreamEvent> {
    const error = await this.#result().then(
      () => new Error('The run has ended.'),
      (thrown: unknown) => thrown,
    );
    if (isOfThisProcess(error)) throw error;
    const { type, name, message } = error as Error & { type?: string };
    yield this.story.withPosition({ type: 'ended', status: 'failed', failure: { type: type ?? name, message } });
  }
}

/** Reports the events of a run, until it ends. A caller that returns from it early leaves neither a timer nor a request. */
export function streamRun(
  asked: Asked,
  run: RunTarget,
  options: StreamOptions,
): AsyncIterableIterator<StreamEvent, void> {
  const over = new AbortController();
  const { signal: given, from, ...waiting } = options;
  const signal = given ? AbortSignal.any([given, over.signal]) : over.signal;
  const story = new Story(readPosition(from));
  const events = new RunStream(asked, run, { ...waiting, signal }, story).events();
  const stopStream = async (): Promise<IteratorResult<StreamEvent, void>> => {
    over.abort();
    await events.return(undefined).catch(() => undefined);
    return { done: true, value: undefined };
  };
  return {
    async next() {
      try {
        return await events.next();
      } catch (error) {
        if (over.signal.aborted) return { done: true, value: undefined };
        throw error;
      }
    },
    return: stopStream,
    async throw(error: unknown) {
      await stopStream();
      throw error;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
