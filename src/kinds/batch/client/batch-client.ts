import { parseSpec } from '../../../loop/parse/spec';
import { expandSpec } from '../../../loop/spec/short-form';
import { idWords } from '../../../lib/names/id-words';
import { below } from '../../../lib/base/spec-problem';
import { omitUndefined } from '../../../lib/base/defined';
import type { JsonObject } from '../../../lib/json/json';
import { jsonBytes } from '../../../lib/json/json-bytes';
import type { BatchLine, BatchProgress, BatchResult } from '../contract/batch-results';
import type { BatchBudget, BatchSpec } from '../contract/batch';
import { parseBatch } from '../parse/batch';
import type { ReflectionSpecInput } from '../../../loop/contract/short-spec';
import type { ReflectionSpec } from '../../../loop/contract/spec';
import { AlreadyEndedError, AlreadyRunningError, type ClientCall } from '../../../loop/errors/call-errors';
import { BatchMismatchError, CommandRefusedError, InvalidSpecError } from '../../../loop/errors/errors';
import type { CallOptions } from '../../../calls/call-options';
import { withTypedErrors } from '../../../calls/errors/with-typed-errors';
import { type Place, requireValid, type Started } from '../../../calls/run-kind';
import type { RunsWithProgress } from '../../../calls/runs-of-kind';
import type { FoundRun } from '../../../calls/run-end';
import { latestRunOf } from '../../../calls/run-target';
import { sendUntilTaken } from '../../../calls/send-command';
import { readBatchLines, pageLinesOf } from './batch-lines';
import { BATCH_FIELD, type BatchMemo, findBatch, type KnownBatch, requireBatch } from './batch-run';
import { FIRST_BYTES, type PagedItems, pagesOf } from './pages';
import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { runConcurrently } from '../../../lib/base/concurrently';
import { type BatchItem, type BatchPage, pageId } from '../state/batch';

/** Pages that are uploaded at the same time. */
const AT_ONCE = 4;

/** How a batch is started. */
export interface BatchStartOptions extends CallOptions {
  /**
   * Workflow id of the batch. Default: the name of the loop and a digest of the items and the loop, so the same call finds the batch
   * that it started before.
   */
  workflowId?: string;
  /** The name of the batch in lists. Default: the name of the loop. */
  name?: string;
  /** Default: the client's task queue. */
  taskQueue?: string;
  /** Number of loops that run at the same time, 1 to 500. Default: 20. */
  concurrency?: number;
  /** When it is spent, no further item is started. Runs that ended count, retries included. Default: no limit. */
  budget?: BatchBudget;
  /** For a batch that has ended: runs the items again that failed or were not started. */
  retry?: boolean;
  /** Called after each page of items that was uploaded, with the number of items so far. */
  onUpload?: (uploaded: number, items: number) => void;
}

interface Upload {
  temporal: Client;
  taskQueue: string;
  workflowId: string;
  paged: PagedItems;
  loop: ReflectionSpec;
  options: CallOptions;
  again?: KnownBatch;
  onUpload?: (uploaded: number, items: number) => void;
}

const GOOD: readonly BatchLine['status'][] = ['passed', 'not_passed'];

/** Ends the page if it still waits because its batch was terminated. */
async function restOfPage(upload: Upload, again: KnownBatch, page: number): Promise<Pick<BatchPage, 'items' | 'done'>> {
  const { temporal, workflowId, paged, options } = upload;
  const items: readonly BatchItem[] = paged.pages[page]!;
  const handle = temporal.workflow.getHandle(pageId(workflowId, paged.digest, page));
  await handle.signal('finish').catch(() => undefined);
  const lines = (await pageLinesOf(temporal, workflowId, { ...again, status: 'COMPLETED' }, page, options)) ?? [];
  const done = lines.filter(({ status }) => GOOD.includes(status));
  const ended = new Set(done.map(({ index }) => index));
  return { items: items.filter(({ index }) => !ended.has(index)), done };
}

async function uploadPage(upload: Upload, page: number): Promise<void> {
  const { temporal, taskQueue, workflowId, paged, loop, options, again } = upload;
  const { digest } = paged;
  const left = again ? await restOfPage(upload, again, page) : { items: paged.pages[page]!, done: [] };
  const attempt = again ? again.attempt + 1 : 1;
  const argument: BatchPage = { batch: workflowId, page, loop, ...left, attempt };
  const id = pageId(workflowId, digest, page);
  const start = (workflowIdReusePolicy: 'REJECT_DUPLICATE' | 'ALLOW_DUPLICATE') =>
    temporal.workflow.start('reflectionBatchPage', {
      workflowId: id,
      taskQueue,
      args: [argument],
      workflowIdReusePolicy,
      workflowIdConflictPolicy: 'USE_EXISTING',
      staticSummary: `page ${page + 1} of ${paged.pages.length}`,
    });
  const call = { method: 'batches.start', kind: 'start', workflowId: id } as const;
  await withTypedErrors(temporal, call, options, async () => {
    try {
      await start(again ? 'ALLOW_DUPLICATE' : 'REJECT_DUPLICATE');
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      // It ended: with its batch, which another process has started meanwhile, or because no process did.
      if (!(await findBatch(temporal, workflowId, 'batches.start', options))) await start('ALLOW_DUPLICATE');
    }
  });
}

async function uploadPages(upload: Upload): Promise<void> {
  const { paged, onUpload } = upload;
  let uploaded = 0;
  await runConcurrently(paged.pages.entries(), AT_ONCE, async ([page, { length }]) => {
    await uploadPage(upload, page);
    uploaded += length;
    onUpload?.(uploaded, paged.items);
  });
}

/** A batch that was started, or found. */
export interface BatchReference extends Started<BatchResult> {
  /** True: it was there before. */
  attached: boolean;
}

/** The items that a loop is run for: an array, or any iterable. */
type Items = Iterable<JsonObject> | AsyncIterable<JsonObject>;

function readLoop(given: ReflectionSpecInput): ReflectionSpec {
  const parsed = parseSpec(given);
  if ('problems' in parsed) throw new InvalidSpecError(parsed.problems.map(below('/loop')));
  // Not the parsed one: the digest of a batch depends on the order of keys.
  return expandSpec(given).value as ReflectionSpec;
}

function specOf(loop: ReflectionSpec, { pages, digest }: PagedItems, options: BatchStartOptions): BatchSpec {
  const { concurrency, budget, name = loop.name } = options;
  const first = pages[0]![0]!.state;
  return omitUndefined({
    name,
    loop,
    digest,
    pages: pages.map(({ length }) => length),
    first: jsonBytes(first) <= FIRST_BYTES ? first : undefined,
    concurrency,
    budget,
  });
}

/** Batches: one loop for each of many items, in a window of loops that run at the same time. */
export class BatchClient {
  constructor(
    private readonly place: Place,
    private readonly runs: RunsWithProgress<BatchSpec, BatchResult, BatchProgress>,
  ) {}

  /**
   * Runs a loop for each item: the item's fields are added to the loop's `state`, and its `id` ends the id of the run. Returns once
   * all items are uploaded and the batch runs. The same call again finds the batch, whatever became of the one before: an
   * upload that was cut off goes on, and a batch that was started is attached to.
   *
   * @throws InvalidSpecError with the paths of mistakes (`/items/0/id`, `/loop/…`), BatchMismatchError if the id belongs to a batch
   *   of other items; with `retry`: AlreadyRunningError if the batch has not ended
   */
  async start(items: Items, given: ReflectionSpecInput, options: BatchStartOptions = {}): Promise<BatchReference> {
    const loop = readLoop(given);
    const paged = await pagesOf(items, loop);
    const { name = loop.name ?? '', timeout, signal, retry = false } = options;
    const { workflowId = `${idWords(name) || 'batch'}-${paged.digest.slice(0, 12)}` } = options;
    const spec = specOf(loop, paged, options);
    requireValid(parseBatch(spec));
    const calling = { timeout, signal };
    const { temporal } = this.place;
    const there = await findBatch(temporal, workflowId, 'batches.start', calling);
    if (there && there.digest !== paged.digest) throw new BatchMismatchError(workflowId);
    if (there && retry && there.status === 'RUNNING') throw new AlreadyRunningError(workflowId);
    if (there && !retry) return this.#reference(workflowId, there.runId, true);
    const { taskQueue = this.place.taskQueue, onUpload } = options;
    await uploadPages({ temporal, taskQueue, workflowId, paged, loop, options: calling, again: there, onUpload });
    return this.#begin(workflowId, spec, { ...calling, taskQueue }, there);
  }

  async #begin(
    workflowId: string,
    spec: BatchSpec,
    options: CallOptions & { taskQueue: string },
    again: KnownBatch | undefined,
  ): Promise<BatchReference> {
    const memo: BatchMemo = { digest: spec.digest, pages: spec.pages.length, attempt: (again?.attempt ?? 0) + 1 };
    try {
      const { runId } = await this.runs.start(spec, {
        ...options,
        workflowId,
        memo: { [BATCH_FIELD]: memo },
        workflowIdReusePolicy: again ? 'ALLOW_DUPLICATE' : 'REJECT_DUPLICATE',
      });
      return this.#reference(workflowId, runId, false);
    } catch (error) {
      if (!(error instanceof AlreadyRunningError || error instanceof AlreadyEndedError)) throw error;
      // Another call started it meanwhile.
      return await this.attach(workflowId, options);
    }
  }

  /** Finds a batch by its id. Needs no worker. Throws RunNotFoundError. */
  async attach(workflowId: string, options: CallOptions = {}): Promise<BatchReference> {
    const { runId } = await requireBatch(this.place.temporal, workflowId, 'batches.attach', options);
    return this.#reference(workflowId, runId, true);
  }

  #reference(workflowId: string, runId: string, attached: boolean): BatchReference {
    return { workflowId, runId, attached, result: (options) => this.result(workflowId, options) };
  }

  /** Reads the progress of a batch. Needs a worker. Throws RunNotFoundError. */
  async progress(workflowId: string, options: CallOptions = {}): Promise<BatchProgress> {
    return this.runs.progress(workflowId, options);
  }

  /**
   * Finds a batch: its result or its failure once it has ended, which needs no worker; else its progress. Throws
   * RunNotFoundError, WrongKindError for a run of another workflow type.
   */
  async get(workflowId: string, options: CallOptions = {}): Promise<FoundRun<BatchResult, BatchProgress>> {
    return this.runs.get(workflowId, options);
  }

  /** Waits for the end of a batch: counts, cost and time. Throws InvalidSpecError, RunFailedError, RunNotFoundError. */
  async result(workflowId: string, options: CallOptions = {}): Promise<BatchResult> {
    return this.runs.result(workflowId, options);
  }

  /** Starts no further item until `resume`; loops that run go on. Throws RunNotFoundError, CommandRefusedError if it has ended. */
  async pause(workflowId: string, options: CallOptions = {}): Promise<BatchProgress> {
    return this.#send('pause', workflowId, options);
  }

  /** Starts items again. Throws as `pause` does. */
  async resume(workflowId: string, options: CallOptions = {}): Promise<BatchProgress> {
    return this.#send('resume', workflowId, options);
  }

  /**
   * Returns the result of each item, in the order of the input. Of a batch that runs: so far, from its workers. An output
   * that was too large for its page is read from its own run; where the server no longer keeps that, the line has
   * `outputOmitted`. Items that were open in a page that was terminated have the status `failed`, with an error of the type
   * `PageLost`.
   * @throws RunNotFoundError; BatchItemsGoneError after all lines that there are, if the server no longer keeps a page
   */
  async *results(workflowId: string, options: CallOptions = {}): AsyncIterableIterator<BatchLine, void> {
    const { temporal } = this.place;
    const batch = await requireBatch(temporal, workflowId, 'batches.results', options);
    yield* readBatchLines(temporal, workflowId, batch, options);
  }

  async #send(name: 'pause' | 'resume', workflowId: string, options: CallOptions): Promise<BatchProgress> {
    const { temporal } = this.place;
    const call: ClientCall = { method: `batches.${name}`, kind: 'command', workflowId };
    const handle = temporal.workflow.getHandle(workflowId);
    return withTypedErrors(temporal, call, options, (over) =>
      sendUntilTaken(
        call,
        name,
        over,
        () => handle.executeUpdate<BatchProgress, []>(name),
        async () => {
          if (!(await latestRunOf(temporal, workflowId)).isRunning)
            throw new CommandRefusedError('the batch has ended');
        },
      ),
    );
  }
}
