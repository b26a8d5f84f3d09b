import { defineSearchAttributeKey, type SearchAttributePair } from '@temporalio/common';
import { setCurrentDetails } from '@temporalio/workflow';
import { currentIteration, bestSoFar, type LoopState } from '../../domain/state/loop-state';
import { runPage, summaryLine } from '../../domain/page/run-page';
import { SEARCH_ATTRIBUTES } from '../../domain/base/names/search-attributes';
import { runStatus } from '../../domain/state/success';
import type { LoopRun } from './loop-run';

const STATUS = defineSearchAttributeKey(SEARCH_ATTRIBUTES.status, 'KEYWORD');
const ITERATION = defineSearchAttributeKey(SEARCH_ATTRIBUTES.iteration, 'INT');
const BEST_SCORE = defineSearchAttributeKey(SEARCH_ATTRIBUTES.bestScore, 'DOUBLE');
const REASON = defineSearchAttributeKey(SEARCH_ATTRIBUTES.reason, 'KEYWORD');

/**
 * What the run's page in the Web UI says. Costs nothing in history. The summary stands here, too, because only our client
 * gives a run a static one, and the next run of a chain does not inherit it.
 */
export function showDetails({ spec: { name, settings }, state, phase }: LoopRun): void {
  setCurrentDetails(runPage(state, settings, phase, summaryLine({ ...settings, name })));
}

/** What the run list shows of a loop. */
export function listed(state: LoopState): SearchAttributePair[] {
  const score = bestSoFar(state)?.evaluation.overallScore ?? null;
  return [
    { key: STATUS, value: runStatus(state) },
    { key: ITERATION, value: currentIteration(state) },
    ...(score === null ? [] : [{ key: BEST_SCORE, value: score }]),
    ...(state.stopped ? [{ key: REASON, value: state.stopped.reason }] : []),
  ];
}
