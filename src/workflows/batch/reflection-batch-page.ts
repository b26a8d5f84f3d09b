import {
  ApplicationFailure,
  CancellationScope,
  ChildWorkflowFailure,
  condition,
  getExternalWorkflowHandle,
  isCancellation,
  setHandler,
  setWorkflowOptions,
  sleep,
} from '@temporalio/workflow';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { type BatchItem, type BatchPage, type Grant, itemRunId } from '../../kinds/batch/state/batch';
import type { BatchLines } from '../../kinds/batch/contract/batch-results';
import {
  makeNextPage,
  makeEndedLine,
  makeFailedLine,
  initialPage,
  isGrant,
  loopOf,
  nextPageMove,
  noteReported,
  listPageLines,
  type PageState,
  recordLine,
  reportOf,
  startItem,
} from '../../kinds/batch/state/page-state';
import { isJsonObject } from '../../lib/json/json';
import { unknownName } from '../../loop/commands/unknown-command';
import { inputLimit, payloadLimit } from '../../lib/limits/payload-limit';
import { renderPageStatus } from '../../kinds/batch/page/batch-page';
import type { StepFailure } from '../../loop/state/loop-state';
import { type CheckedBefore, createCheckedBefore } from '../../loop/spec/checked-before';
import { runChildLoop } from '../loop/child-loop';
import { showPage } from '../shared/kept-page';
import { historyLength, isContinueAsNewSuggested, noteEvent } from '../shared/clock';
import { handOver } from '../shared/hand-over';
import { progressGuard } from '../shared/progress-guard';
import { usageOfFailure, permanentFailure } from '../shared/step-failure';
import { keepRules, nextRunOptions, versioningOptions } from '../shared/versioning';
import { refuseUnknownMessages, takeEarlySignals } from '../signals/unknown-messages';
import { finishPageSignal, grantSignal, linesQuery, PAGE_MESSAGES, reportSignal } from './page-messages';

/** The size at which a new run takes over once the loops under way, whose results it records, have ended. */
const LONG_HISTORY = { events: 4_000, bytes: 8 * 1_024 * 1_024 };

/** How often a page looks whether its batch is there: one whose upload was given up must not wait for ever. */
const LOOK_FOR_BATCH = '1 day';

interface PageRun {
  page: BatchPage;
  state: PageState;
  /** The latest grant of the batch; undefined until the batch has begun the page. */
  grant?: Grant;
  scopes: Set<CancellationScope>;
}

function stop({ state, scopes }: PageRun, isCancelled: boolean): void {
  state.finishing = true;
  if (isCancelled) for (const scope of scopes) scope.cancel();
}

function serveMessages(run: PageRun): void {
  const grant = (value: unknown): void => {
    noteEvent();
    if (!isGrant(value)) return;
    run.grant = value;
    run.state.slots = value.slots;
    run.state.grant = value.number;
  };
  const finish = (): void => {
    noteEvent();
    stop(run, false);
  };
  const unknown = (name: string): string => unknownName(name, 'a page of a batch', ['finish']);
  takeEarlySignals(
    { grant, finish },
    () => undefined,
    () => {
      setHandler(grantSignal, grant, { description: PAGE_MESSAGES.grant });
      setHandler(finishPageSignal, finish, { description: PAGE_MESSAGES.finish });
      refuseUnknownMessages(unknown, () => undefined);
    },
  );
  setHandler(linesQuery, () => ({ lines: listPageLines(run.page, run.state) }), { description: PAGE_MESSAGES.lines });
}

function failureOf(error: unknown): StepFailure {
  if (isCancellation(error)) return { type: 'Cancelled', message: 'The run was cancelled.' };
  if (error instanceof WorkflowExecutionAlreadyStartedError) return { type: 'AlreadyRunning', message: error.message };
  const cause: unknown = error instanceof ChildWorkflowFailure ? error.cause : error;
  if (cause instanceof ApplicationFailure) return { type: cause.type ?? 'RunFailed', message: cause.message };
  if (error instanceof ChildWorkflowFailure)
    return { type: 'RunFailed', message: error.cause?.message ?? error.message };
  throw error;
}

function checkedByBatch({ known, retryForMs, notify }: Grant['preparation']): CheckedBefore | undefined {
  const before = createCheckedBefore(known, { retryForMs });
  return notify === undefined ? before : { known: [], retryForMs, ...before, notify };
}

async function runItem({ page, state, grant }: PageRun, item: BatchItem): Promise<void> {
  const { preparation } = grant!;
  const before = checkedByBatch(preparation);
  const id = itemRunId(page, item.id);
  const keepsAll = payloadLimit(preparation) === Infinity;
  try {
    const result = await runChildLoop(id, loopOf(page.loop, item), inputLimit(preparation), before);
    recordLine(state, makeEndedLine(page, item, result), keepsAll);
  } catch (error) {
    recordLine(state, makeFailedLine(page, item, failureOf(error), usageOfFailure(error)), keepsAll);
  }
}

function start(run: PageRun): void {
  const item = startItem(run.state);
  const scope = new CancellationScope({ cancellable: true });
  run.scopes.add(scope);
  const ends = scope.run(() => runItem(run, item)).finally(() => run.scopes.delete(scope));
  // What is thrown here is a mistake of ours: it fails the workflow task.
  ends.catch((error: unknown) => {
    throw error;
  });
}

/** Reports the state of the page to its batch. A page whose batch is gone ends. */
async function report(run: PageRun): Promise<void> {
  const { page, state } = run;
  const told = reportOf(page.page, state);
  noteReported(state);
  showPage(renderPageStatus(page, state));
  try {
    await getExternalWorkflowHandle(page.batch).signal(reportSignal, told);
  } catch {
    stop(run, true);
  }
  noteEvent();
}

async function lookForBatch({ state }: PageRun): Promise<void> {
  for (;;) {
    await sleep(LOOK_FOR_BATCH, { summary: 'is the batch there' });
    noteEvent();
    state.mustReport = true;
  }
}

function isLong(): boolean {
  const { events, bytes } = historyLength();
  return isContinueAsNewSuggested() || events >= LONG_HISTORY.events || bytes >= LONG_HISTORY.bytes;
}

async function runPage(run: PageRun): Promise<'end' | 'hand_over'> {
  const { state } = run;
  const turn = progressGuard('A page of a batch');
  const next = () => nextPageMove(state, { isLong: isLong(), reportEvery: run.grant?.reportEvery ?? 1 });
  for (;;) {
    const move = next();
    turn([state.waiting.length, state.running.length, state.lines.length, state.slots, state.grant, state.finishing]);
    if (move === 'end' || move === 'hand_over') return move;
    if (move === 'start') start(run);
    else if (move === 'report') await report(run);
    else await condition(() => next() !== 'wait');
  }
}

function isPage(value: unknown): value is BatchPage {
  if (!isJsonObject(value)) return false;
  const { batch, page, loop, items, done, attempt } = value;
  const isItem = (item: unknown): boolean =>
    isJsonObject(item) && typeof item['id'] === 'string' && typeof item['index'] === 'number';
  const lists = Array.isArray(items) && Array.isArray(done) && [...items, ...done].every(isItem);
  return lists && typeof batch === 'string' && isJsonObject(loop) && [page, attempt].every(Number.isInteger);
}

/**
 * Runs some items of a batch: a loop for each, as many at the same time as the batch says, and the page keeps the results
 * until the batch ends. Clients start it with its items, before the batch; `client.batches.start` does.
 *
 * @param carried the grant that the previous run of the same chain passes on; leave it out when you start the workflow
 * @throws ApplicationFailure `InvalidSpec` for an argument that is not a page
 */
export async function reflectionBatchPage(page: BatchPage, carried?: Grant): Promise<BatchLines> {
  if (!isPage(page)) {
    const problem = { path: '', message: 'is no page of a batch: `client.batch.start` makes them' };
    throw permanentFailure('InvalidSpec', `The page ${problem.message}`, [[problem]]);
  }
  const state = keepRules(
    { ...initialPage(page), ...(carried?.rules && { rules: carried.rules }) },
    carried !== undefined,
  );
  const run: PageRun = { page, state, scopes: new Set() };
  if (carried) {
    run.grant = carried;
    Object.assign(run.state, { slots: carried.slots, grant: carried.number });
  }
  serveMessages(run);
  CancellationScope.current().cancelRequested.catch(() => {
    run.state.mustReport = true;
    stop(run, true);
  });
  return CancellationScope.nonCancellable(async () => {
    // It ends with the run.
    lookForBatch(run).catch(() => undefined);
    const end = await runPage(run);
    if (end === 'end') return { lines: listPageLines(page, run.state) };
    const grant = { ...run.grant!, ...(run.state.rules && { rules: run.state.rules }) };
    const limit = inputLimit(grant.preparation);
    return handOver<typeof reflectionBatchPage>(nextRunOptions(false), limit, makeNextPage(page, run.state), grant);
  });
}

setWorkflowOptions(versioningOptions, reflectionBatchPage);
