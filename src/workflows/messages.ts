import type { SignalDefinition, UpdateDefinition } from '@temporalio/common';
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type {
  AbortPayload,
  AcceptPayload,
  CommandName,
  DecidePayload,
  ExtendPayload,
  GuidePayload,
  OverridePayload,
  ReflectPayload,
} from '../domain/state/command-payloads';
import type { Progress } from '../domain/page/progress';
import type { HistoryPage } from '../domain/versions/history-page';

export type { HistoryPage } from '../domain/versions/history-page';

export const acceptSignal = defineSignal<[AcceptPayload?]>('accept');
export const acceptUpdate = defineUpdate<Progress, [AcceptPayload?]>('accept');
export const abortSignal = defineSignal<[AbortPayload?]>('abort');
export const abortUpdate = defineUpdate<Progress, [AbortPayload?]>('abort');
export const guideSignal = defineSignal<[GuidePayload]>('guide');
export const guideUpdate = defineUpdate<Progress, [GuidePayload]>('guide');
export const overrideSignal = defineSignal<[OverridePayload]>('override');
export const overrideUpdate = defineUpdate<Progress, [OverridePayload]>('override');
export const extendSignal = defineSignal<[ExtendPayload]>('extend');
export const extendUpdate = defineUpdate<Progress, [ExtendPayload]>('extend');
export const decideSignal = defineSignal<[DecidePayload]>('decide');
export const decideUpdate = defineUpdate<Progress, [DecidePayload]>('decide');
export const reflectSignal = defineSignal<[ReflectPayload?]>('reflect');
export const reflectUpdate = defineUpdate<Progress, [ReflectPayload?]>('reflect');
export const progressQuery = defineQuery<Progress>('progress');
export const historyQuery = defineQuery<HistoryPage, [{ from?: number }?]>('history');

interface CommandDefinition {
  signal: SignalDefinition<[unknown?]>;
  update: UpdateDefinition<Progress, [unknown?]>;
}

/** A command as its handlers see it: what comes in is checked by the loop, so its form is unknown here. */
export function commandDefinition(name: CommandName): CommandDefinition {
  return { signal: defineSignal<[unknown?]>(name), update: defineUpdate<Progress, [unknown?]>(name) };
}
