import { defineSearchAttributeKey, type SearchAttributeUpdatePair } from '@temporalio/common';
import { log, workflowInfo } from '@temporalio/workflow';
import { openWaits } from '../../loop/state/parking';
import { needsOf } from '../../loop/evaluation/blockers';
import { currentIteration, bestSoFar, type LoopState } from '../../loop/state/loop-state';
import { jsonBytes } from '../../lib/json/json-bytes';
import { USUALLY_STORED_FROM } from '../../lib/limits/payload-limit';
import { KEPT_PAGE_FIELD } from '../../loop/page/kept-page';
import { renderKeptRunPage, renderRunPage, renderSummaryLine } from '../../loop/page/run-page';
import { SEARCH_ATTRIBUTES } from '../../lib/names/search-attributes';
import { noteFindings } from '../../loop/state/unfinished-iteration';
import type { Preparation } from '../../loop/state/loop-settings';
import { runStatus } from '../../loop/state/success';
import type { ReflectionResult } from '../../loop/contract/results';
import { keepPage, showPage } from '../shared/kept-page';
import { RunList } from '../shared/run-list';
import type { LoopRun } from './loop-run';

const STATUS = defineSearchAttributeKey(SEARCH_ATTRIBUTES.status, 'KEYWORD');
const ITERATION = defineSearchAttributeKey(SEARCH_ATTRIBUTES.iteration, 'INT');
const BEST_SCORE = defineSearchAttributeKey(SEARCH_ATTRIBUTES.bestScore, 'DOUBLE');
const REASON = defineSearchAttributeKey(SEARCH_ATTRIBUTES.reason, 'KEYWORD');

/**
 * Shows the state of the run on its page in the Web UI. Costs nothing in history. The summary is part of the page, too,
 * because only our client gives a run a static one, and the next run of a chain does not inherit it.
 */
export function showDetails({ spec: { name, settings }, state, phase }: LoopRun): void {
  const { workflowId } = workflowInfo();
  showPage(renderRunPage(state, settings, phase, { summary: renderSummaryLine({ ...settings, name }), workflowId }));
}

function keptDetails({ spec: { name, settings }, state, phase }: LoopRun, failure?: string): string[] {
  return renderKeptRunPage(state, settings, phase, { summary: renderSummaryLine({ ...settings, name }), failure });
}

export function keepDetails(run: LoopRun, failure?: string): void {
  keepPage(keptDetails(run, failure));
}

/**
 * Leaves the page of a run that ends with a result in a place where no worker is needed: in the result itself, if that is
 * shown and costs nothing; in the memo, if an earlier page there would be out of date, or if the result is not shown: a
 * child's goes to its parent, and a large one is stored outside the history.
 */
export function addPage(run: LoopRun, result: ReflectionResult): ReflectionResult {
  const { memo, parent } = workflowInfo();
  const isShown = !parent && jsonBytes(result) < USUALLY_STORED_FROM;
  if (!isShown || memo?.[KEPT_PAGE_FIELD] !== undefined) {
    keepDetails(run);
    return result;
  }
  return { page: keptDetails(run), ...result };
}

/** The author of the spec may not have intended them: they go to the log at once, and to the first version. */
export function tellFindings(state: LoopState, preparation: Pick<Preparation, 'warnings'>): void {
  for (const warning of preparation.warnings ?? []) log.warn(warning);
  noteFindings(state, preparation);
}

export function searchAttributesOf(state: LoopState): SearchAttributeUpdatePair[] {
  const score = bestSoFar(state)?.evaluation.overallScore ?? null;
  return [
    { key: STATUS, value: runStatus(state) },
    { key: ITERATION, value: currentIteration(state) },
    ...(score === null ? [] : [{ key: BEST_SCORE, value: score }]),
    ...reasonPairs(state),
  ];
}

/** Why a loop ended, or the first of its waits. The reason is taken back when the loop goes on. */
function reasonPairs(state: LoopState): SearchAttributeUpdatePair[] {
  if (state.stopped) return [{ key: REASON, value: state.stopped.reason }];
  const [open] = openWaits(state);
  if (open) return [{ key: REASON, value: open.kind }];
  if (needsOf(state).length > 0) return [{ key: REASON, value: 'blocked' }];
  const isShown = workflowInfo().typedSearchAttributes.get(REASON) !== undefined;
  return isShown ? [{ key: REASON, value: null }] : [];
}

/** Says of a run, wherever that is shown, that it ended before its spec was checked. */
export function showUnchecked(state: LoopState): void {
  showPage(renderRunPage(state, undefined, 'done', { workflowId: workflowInfo().workflowId }));
  keepPage(renderKeptRunPage(state, undefined, 'done'));
  // The starter of the run has set one, if the namespace has them.
  const searchAttributes = workflowInfo().typedSearchAttributes.get(STATUS) !== undefined;
  new RunList({ searchAttributes }).set(searchAttributesOf(state));
}

/** Keeps the page of a loop where it waits for a person, and once more when it goes on. */
export class KeptDetails {
  #wait: number | string | undefined;

  /** @param isLeft whatever phase it is in, it does not wait any longer */
  show(run: LoopRun, isLeft = false): void {
    const { state, phase } = run;
    // The end keeps its own.
    if (state.stopped) return;
    const [open] = openWaits(state);
    const wait = phase === 'waiting' && !isLeft ? (open?.id ?? state.versions.at(-1)?.iteration) : undefined;
    if (wait === this.#wait) return;
    this.#wait = wait;
    keepDetails(run);
  }
}
