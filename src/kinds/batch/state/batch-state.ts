import type { Ruled } from '../../../loop/base/rules';
import { DEFAULT_CONCURRENCY } from '../base/defaults';
import { reachedBudget } from '../../../loop/limits/budget';
import type { PageReport } from './batch';
import type { BatchWaitsState } from './batch-waits';
import type { BatchCounts, BatchPhase, BatchProgress, BatchResult } from '../contract/batch-results';
import type { BatchSpec } from '../contract/batch';
import { addCounts, countEndedItems, NO_COUNTS, passRate } from './counts';

/** A batch page with items that wait or run, as far as the batch knows. */
export interface ActivePage extends PageReport {
  /** Slots that the batch granted to the page; -1: the grant has to be sent again. */
  granted: number;
  /** Number of the latest grant. The page's report says which grant the page knows. */
  told: number;
  /** The most slots of grants that the page may not have got yet. */
  peak: number;
}

/** The state of a batch beside its spec: it grows with the pages that are active, and not with the items. */
export interface BatchState extends Ruled, BatchWaitsState {
  /** The first page that was not begun. */
  next: number;
  active: ActivePage[];
  /** The counts over all pages that have ended. */
  counts: BatchCounts;
  paused: boolean;
  budgetSpent: boolean;
  /** Number of pages that were asked to finish, from the first on. */
  finished: number;
  startedAt: number;
}

export function initialBatch(startedAt: number): BatchState {
  return { next: 0, active: [], counts: NO_COUNTS, paused: false, budgetSpent: false, finished: 0, startedAt };
}

function sumCounts({ counts, active }: BatchState): BatchCounts {
  return active.reduce((sum, page) => addCounts(sum, page.counts), counts);
}

type BatchMove =
  /** Grant a page the number of loops that it may run at the same time. */
  | { kind: 'grant'; page: number; slots: number }
  | { kind: 'hand_over' }
  /** Ask all pages from this one on to finish: nothing follows. */
  | { kind: 'finish'; from: number }
  | { kind: 'end' }
  | { kind: 'wait' };

function countHeldSlots({ peak, running, waiting }: ActivePage): number {
  return Math.max(running, Math.min(peak, waiting + running));
}

/** The grant to change first, so that a page with fewer slots gives them back before other pages use them. */
function nextGrant(state: BatchState, spec: BatchSpec): { page: number; slots: number } | undefined {
  const { active, next, paused, budgetSpent } = state;
  const stopped = paused || budgetSpent;
  const unreached = active.find(({ granted }) => granted < 0);
  if (unreached) return { page: unreached.page, slots: stopped ? 0 : unreached.peak };
  if (stopped) {
    const open = active.find(({ granted }) => granted > 0);
    return open && { page: open.page, slots: 0 };
  }
  const free = (spec.concurrency ?? DEFAULT_CONCURRENCY) - active.reduce((sum, page) => sum + countHeldSlots(page), 0);
  for (const each of active) {
    const { page, granted, waiting, running } = each;
    const slots = Math.min(countHeldSlots(each) + Math.max(0, free), waiting + running);
    if (waiting > 0 && slots > granted) return { page, slots };
  }
  const items = spec.pages[next];
  return items === undefined || free <= 0 ? undefined : { page: next, slots: Math.min(free, items) };
}

export function nextBatchMove(state: BatchState, spec: BatchSpec, { isLong }: { isLong: boolean }): BatchMove {
  if (isLong) return { kind: 'hand_over' };
  const grant = nextGrant(state, spec);
  if (grant) return { kind: 'grant', ...grant };
  const isOver = state.active.length === 0 && (state.next >= spec.pages.length || state.budgetSpent);
  if (!isOver) return { kind: 'wait' };
  return state.finished < spec.pages.length ? { kind: 'finish', from: state.finished } : { kind: 'end' };
}

export function noteGrant(state: BatchState, { pages }: BatchSpec, page: number, slots: number): void {
  const active = state.active.find((each) => each.page === page);
  if (active) {
    const { told, peak } = active;
    Object.assign(active, { granted: slots, told: told + 1, peak: Math.max(peak, slots) });
    return;
  }
  state.next = page + 1;
  const granted = { granted: slots, told: 1, peak: slots };
  state.active.push({ ...granted, page, grant: 0, waiting: pages[page]!, running: 0, counts: NO_COUNTS });
}

function isThrough({ waiting, running, grant, told, granted }: ActivePage, budgetSpent: boolean): boolean {
  return running === 0 && (waiting === 0 || (budgetSpent && grant === told && granted === 0));
}

function settle(state: BatchState, spec: BatchSpec): void {
  const tokenUsage = sumCounts(state).tokenUsage;
  const spent = reachedBudget(spec.budget, { tokenUsage, startedAt: 0 }, 0) !== undefined;
  if (spent) state.budgetSpent = true;
  const through = state.active.filter((page) => isThrough(page, state.budgetSpent));
  state.counts = through.reduce((sum, { counts }) => addCounts(sum, counts), state.counts);
  state.active = state.active.filter((page) => !through.includes(page));
}

/** Takes the report of a page. A report of a page that is not active changes nothing. */
export function takeReport(state: BatchState, spec: BatchSpec, report: PageReport): void {
  const index = state.active.findIndex(({ page }) => page === report.page);
  if (index < 0) return;
  const { granted, told, peak } = state.active[index]!;
  state.active[index] = { ...report, granted, told, peak: report.grant === told ? Math.max(0, granted) : peak };
  settle(state, spec);
}

export function losePage(state: BatchState, spec: BatchSpec, lost: number): void {
  const page = state.active.find((each) => each.page === lost);
  if (!page) return;
  const { waiting, running, counts } = page;
  const failed = counts.failed + waiting + running;
  Object.assign(page, { waiting: 0, running: 0, counts: { ...counts, failed } });
  settle(state, spec);
}

/** Marks the grants of all active pages to be sent again, to see whether the pages still run. */
export function recallGrants(state: BatchState): void {
  for (const page of state.active) page.granted = -1;
}

/** Whether a value is a report: signals may carry anything. */
export function isReport(value: unknown): value is PageReport {
  const { page, grant, waiting, running, counts } = (value ?? {}) as Partial<PageReport>;
  const numbers = [page, grant, waiting, running, counts?.passed, counts?.notPassed, counts?.failed];
  return numbers.every((number) => typeof number === 'number') && typeof counts?.tokenUsage === 'object';
}

function itemsOf({ pages }: Pick<BatchSpec, 'pages'>): number {
  return pages.reduce((sum, items) => sum + items, 0);
}

export function batchProgress(state: BatchState, spec: BatchSpec, phase: BatchPhase): BatchProgress {
  const items = Array.isArray(spec?.pages) ? itemsOf(spec) : 0;
  const running = state.active.reduce((sum, page) => sum + page.running, 0);
  const startedAt = new Date(state.startedAt).toISOString();
  const shown = phase === 'running' && state.paused ? 'paused' : phase;
  return { ...sumCounts(state), phase: shown, items, running, budgetSpent: state.budgetSpent, startedAt };
}

export function batchResult(state: BatchState, spec: BatchSpec, now: number): BatchResult {
  const items = itemsOf(spec);
  const counts = sumCounts(state);
  return {
    ...counts,
    items,
    notStarted: items - countEndedItems(counts),
    passRate: passRate(counts),
    budgetSpent: state.budgetSpent,
    executionTime: now - state.startedAt,
  };
}
