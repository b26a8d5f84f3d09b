import {
  allHandlersFinished,
  CancellationScope,
  condition,
  getExternalWorkflowHandle,
  isCancellation,
  log,
  setHandler,
  setWorkflowOptions,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { type BatchPreparation, type Grant, pageId } from '../../kinds/batch/state/batch';
import type { BatchPhase, BatchResult } from '../../kinds/batch/contract/batch-results';
import type { BatchSpec } from '../../kinds/batch/contract/batch';
import {
  batchProgress,
  batchResult,
  type BatchState,
  initialBatch,
  isReport,
  losePage,
  nextBatchMove,
  noteGrant,
  recallGrants,
  takeReport,
} from '../../kinds/batch/state/batch-state';
import { addWait, isWait, type BatchWaitsState, beginMessage, endMessage } from '../../kinds/batch/state/batch-waits';
import { DEFAULT_CONCURRENCY } from '../../kinds/batch/base/defaults';
import { unknownName } from '../../loop/commands/unknown-command';
import { asMoved, expandSpecsAt } from '../../loop/spec/short-form';
import { inputLimit } from '../../lib/limits/payload-limit';
import { renderBatchPage } from '../../kinds/batch/page/batch-page';
import { omitNulls } from '../../loop/spec/omit-nulls';
import { renderKeptPage } from '../../loop/page/kept-page';
import { checkingActivities } from '../shared/activity-calls';
import { historyLength, isContinueAsNewSuggested, noteEvent, now } from '../shared/clock';
import { handOver } from '../shared/hand-over';
import { keepFailedPage, keepPage, showPage, withRetry } from '../shared/kept-page';
import { progressGuard } from '../shared/progress-guard';
import { RunList } from '../shared/run-list';
import { workSideBySide } from '../shared/scheduling';
import { awaitPreparation } from '../shared/step-failure';
import { keepRules, nextRunOptions, versioningOptions } from '../shared/versioning';
import { refuseUnknownMessages, takeEarlySignals } from '../signals/unknown-messages';
import { waitSignal, idOfMessage, nextMessageNumber, sendNotification } from '../shared/notifications';
import { batchProgressQuery, MESSAGES, pauseUpdate, resumeUpdate } from './batch-messages';
import { finishPageSignal, grantSignal, PAGE_MESSAGES, reportSignal } from './page-messages';

/** The time for which waits are collected: many items may wait at once, and a message for each would be too many. */
const COLLECTING = '1 minute';

/** Notifies of the waits of a batch's items, with a message a minute at most. It ends with the run; a message that was not sent goes to the next. */
async function sendItemWaits(state: BatchWaitsState): Promise<void> {
  for (;;) {
    await condition(() => state.message !== undefined || state.waits !== undefined);
    if (!state.message) {
      await sleep(COLLECTING, { summary: 'waits of a minute' });
      noteEvent();
    }
    const message = beginMessage(state, { since: now(), number: nextMessageNumber() });
    if (!message) continue;
    const { listed: waits, more, since } = message;
    const batch = workflowInfo().workflowId;
    await sendNotification(
      {
        id: idOfMessage(message),
        type: 'batch.waits',
        timestamp: new Date(since).toISOString(),
        waits,
        batch,
        ...(more > 0 && { more }),
      },
      Infinity,
    );
    endMessage(state);
  }
}

/** The size at which a new run takes over. Nothing has to end before: pages signal the current run. */
const LONG_HISTORY = { events: 3_000, bytes: 1_000_000 };

const LOOK_FOR_PAGES = '10 minutes';

/** The maximum number of pages that are informed at the same time, and of pages between two checks of the history. */
const AT_ONCE = 20;

interface CarriedBatch {
  state: BatchState;
  preparation: BatchPreparation;
}

interface BatchRun {
  spec: BatchSpec;
  state: BatchState;
  preparation?: BatchPreparation;
  phase: BatchPhase;
}

function show({ spec, state, phase }: BatchRun): void {
  showPage(renderBatchPage(spec, batchProgress(state, spec, phase)));
}

function serveMessages(run: BatchRun): void {
  const { spec, state } = run;
  const report = (value: unknown): void => {
    noteEvent();
    if (run.preparation && isReport(value)) takeReport(state, spec, value);
  };
  const takeWait = (value: unknown): void => {
    noteEvent();
    if (run.preparation?.notify && isWait(value)) addWait(state, value);
  };
  const progress = () => withRetry(batchProgress(state, spec, run.phase));
  const pauseHandler = (paused: boolean) => () => {
    noteEvent();
    state.paused = paused;
    return progress();
  };
  const unknown = (name: string): string => unknownName(name, 'a batch', ['pause', 'resume']);
  takeEarlySignals(
    { report, waiting: takeWait },
    () => undefined,
    () => {
      setHandler(reportSignal, report, { description: PAGE_MESSAGES.report });
      setHandler(waitSignal, takeWait, { description: PAGE_MESSAGES.waiting });
      setHandler(pauseUpdate, pauseHandler(true), { description: MESSAGES.pause });
      setHandler(resumeUpdate, pauseHandler(false), { description: MESSAGES.resume });
      refuseUnknownMessages(unknown, () => undefined);
    },
  );
  setHandler(batchProgressQuery, progress, { description: MESSAGES.progress });
}

function pageHandle({ spec }: BatchRun, number: number) {
  return getExternalWorkflowHandle(pageId(workflowInfo().workflowId, spec.digest, number));
}

function grantOf({ spec, state, preparation }: BatchRun, number: number, slots: number): Grant {
  const { known, retryForMs, maximumOutputBytes, storedFromBytes, notify } = preparation!;
  const via = notify && { via: workflowInfo().workflowId };
  // A budget is looked at with each item; elsewhere a few items make one message.
  const every = Math.ceil((spec.concurrency ?? DEFAULT_CONCURRENCY) / 4);
  return {
    number: state.active.find((each) => each.page === number)!.told,
    slots,
    reportEvery: spec.budget ? 1 : every,
    preparation: { known, retryForMs, maximumOutputBytes, storedFromBytes, notify: via },
  };
}

async function grant(run: BatchRun, number: number, slots: number): Promise<void> {
  const { spec, state } = run;
  noteGrant(state, spec, number, slots);
  try {
    await pageHandle(run, number).signal(grantSignal, grantOf(run, number, slots));
  } catch (error) {
    if (isCancellation(error)) throw error;
    log.warn(`Page ${number + 1} of the batch is gone: ${String(error)}`);
    losePage(state, spec, number);
  }
  noteEvent();
}

async function finish(run: BatchRun, from: number, most = AT_ONCE): Promise<void> {
  const { spec, state } = run;
  const numbers = spec.pages.map((_, number) => number).slice(from, from + most);
  await workSideBySide(numbers, AT_ONCE, async (number) => {
    await pageHandle(run, number)
      .signal(finishPageSignal)
      .catch((error: unknown) => {
        if (isCancellation(error)) throw error;
      });
    noteEvent();
  });
  state.finished = from + numbers.length;
}

async function cancelPages(run: BatchRun): Promise<void> {
  await CancellationScope.nonCancellable(async () => {
    await workSideBySide(run.state.active, AT_ONCE, async ({ page: number }) => {
      await pageHandle(run, number)
        .cancel()
        .catch(() => undefined);
    });
    await finish(run, run.state.finished, run.spec.pages.length);
  });
}

async function lookForPages({ state }: BatchRun): Promise<void> {
  for (;;) {
    await sleep(LOOK_FOR_PAGES, { summary: 'are the pages there' });
    noteEvent();
    recallGrants(state);
  }
}

function isLong(): boolean {
  const { events, bytes } = historyLength();
  return isContinueAsNewSuggested() || events >= LONG_HISTORY.events || bytes >= LONG_HISTORY.bytes;
}

/** Checks the batch. Pages of one that cannot begin need not wait any longer. */
async function prepareOrFinish(run: BatchRun): Promise<BatchPreparation> {
  const { spec } = run;
  try {
    const { value, moved } = expandSpecsAt(spec, ['/loop']);
    return await awaitPreparation(checkingActivities('prepare').prepareBatch({ spec: value, ...asMoved(moved) }));
  } catch (error) {
    // It may be anything: it was not checked.
    if (Array.isArray(spec?.pages)) await finish(run, 0, spec.pages.length);
    throw error;
  }
}

async function runBatch(run: BatchRun): Promise<'end' | 'hand_over'> {
  const { spec, state } = run;
  const turn = progressGuard('A batch');
  const next = () => nextBatchMove(state, spec, { isLong: isLong() && allHandlersFinished() });
  for (;;) {
    const move = next();
    turn([state.next, state.finished, state.active.length, state.paused, ...state.active.map((each) => each.granted)]);
    show(run);
    switch (move.kind) {
      case 'grant':
        await grant(run, move.page, move.slots);
        break;
      case 'finish':
        run.phase = 'finishing';
        await finish(run, move.from);
        break;
      case 'wait':
        await condition(() => next().kind !== 'wait');
        break;
      default:
        return move.kind;
    }
  }
}

/**
 * Runs a loop for each of many items, with a window of loops at the same time and one budget for all of them. The items and their
 * results are in pages, which are runs of `reflectionBatchPage`; this run holds counts. Continues as new when its history grows long.
 *
 * @param carried what the previous run of the same chain passes on; leave it out when you start the workflow
 * @throws ApplicationFailure `InvalidSpec`, `UnknownAction` or `UnknownModel`, before any item runs
 */
export async function reflectionBatch(given: BatchSpec, carried?: CarriedBatch): Promise<BatchResult> {
  const spec = omitNulls(given);
  const begun = carried?.state ?? initialBatch(workflowInfo().startTime.getTime());
  const state = keepRules(begun, carried !== undefined);
  const run: BatchRun = { spec, state, preparation: carried?.preparation, phase: 'preparing' };
  serveMessages(run);
  run.preparation ??= await prepareOrFinish(run);
  run.phase = 'running';
  const runList = new RunList(run.preparation);
  if (!carried) runList.setStatus('running');
  const limit = inputLimit(run.preparation);
  // It ends with the run.
  const looking = CancellationScope.cancellable(() => lookForPages(run));
  looking.catch(() => undefined);
  if (run.preparation.notify) sendItemWaits(state).catch(() => undefined);
  try {
    if ((await runBatch(run)) === 'hand_over') {
      const { first: _checked, ...rest } = spec;
      const handedOver = { state, preparation: run.preparation };
      return await handOver<typeof reflectionBatch>(nextRunOptions(true), limit, rest, handedOver);
    }
  } catch (error) {
    if (isCancellation(error)) await cancelPages(run);
    keepFailedPage(error, renderBatchPage(spec, batchProgress(state, spec, run.phase)));
    throw error;
  }
  run.phase = 'done';
  show(run);
  runList.setStatus('succeeded');
  await runList.waitUntilSet();
  await condition(allHandlersFinished);
  keepPage(renderKeptPage(renderBatchPage(spec, batchProgress(state, spec, run.phase))));
  return batchResult(state, spec, now());
}

setWorkflowOptions(versioningOptions, reflectionBatch);
