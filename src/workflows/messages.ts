import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { AbortPayload, AcceptPayload } from '../domain/commands';
import type { Progress } from '../domain/progress';
import type { ReflectionVersion } from '../domain/version';

/** One page of a run's versions. `next` is the `from` of the next page. */
export interface HistoryPage {
  versions: ReflectionVersion[];
  next?: number;
}

export const acceptSignal = defineSignal<[AcceptPayload?]>('accept');
export const acceptUpdate = defineUpdate<Progress, [AcceptPayload?]>('accept');
export const abortSignal = defineSignal<[AbortPayload?]>('abort');
export const abortUpdate = defineUpdate<Progress, [AbortPayload?]>('abort');
export const progressQuery = defineQuery<Progress>('progress');
export const historyQuery = defineQuery<HistoryPage, [{ from?: number }?]>('history');
