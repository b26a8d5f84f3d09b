import type { SignalDefinition, UpdateDefinition } from '@temporalio/common';
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type {
  AbortPayload,
  AcceptPayload,
  AnswerPayload,
  CommandName,
  DecidePayload,
  ExtendPayload,
  GuidePayload,
  OverridePayload,
  ReflectPayload,
} from '../loop/base/command-payloads';
import type { Progress, HistoryPage } from '../loop/contract/results';
import type { HistoryQuestion } from '../loop/versions/history-page';

export type { HistoryPage } from '../loop/contract/results';

/** Ends the run with its best version, or with the current one if the payload names its iteration. */
export const acceptSignal = defineSignal<[AcceptPayload?]>('accept');
/**
 * Accepts a version, like `acceptSignal`; returns the progress, or is rejected with the reason, as are all updates below.
 * `reflectionLoop` answers `acceptUpdate` and `abortUpdate` once they took effect.
 */
export const acceptUpdate = defineUpdate<Progress, [AcceptPayload?]>('accept');
/** Ends the run as `aborted`, and cancels the call in flight. */
export const abortSignal = defineSignal<[AbortPayload?]>('abort');
export const abortUpdate = defineUpdate<Progress, [AbortPayload?]>('abort');
/** Passes a reviewer's text to the next revision. A run that waits for a review continues. */
export const guideSignal = defineSignal<[GuidePayload]>('guide');
export const guideUpdate = defineUpdate<Progress, [GuidePayload]>('guide');
/** Makes an output the next version and evaluates it; cancels the call in flight. */
export const overrideSignal = defineSignal<[OverridePayload]>('override');
export const overrideUpdate = defineUpdate<Progress, [OverridePayload]>('override');
/** Raises limits. A run that waits at one of them continues. */
export const extendSignal = defineSignal<[ExtendPayload]>('extend');
export const extendUpdate = defineUpdate<Progress, [ExtendPayload]>('extend');
/** Overrides the loop's decision after the evaluation of its current iteration. */
export const decideSignal = defineSignal<[DecidePayload]>('decide');
export const decideUpdate = defineUpdate<Progress, [DecidePayload]>('decide');
/** Evaluates the current version again; cancels the call in flight. */
export const reflectSignal = defineSignal<[ReflectPayload?]>('reflect');
export const reflectUpdate = defineUpdate<Progress, [ReflectPayload?]>('reflect');
/** Answers a question of a step, or decides about a call that waits for approval. */
export const answerSignal = defineSignal<[AnswerPayload]>('answer');
export const answerUpdate = defineUpdate<Progress, [AnswerPayload]>('answer');
/** The state of a loop. */
export const progressQuery = defineQuery<Progress>('progress');
/**
 * The versions of the current run from an iteration on, as many as fit into an answer; `next` is where to continue.
 */
export const historyQuery = defineQuery<HistoryPage, [HistoryQuestion?]>('history');

export const QUERIES = {
  progress: 'Where the run stands, and what it waits for.',
  history: 'The versions, as many as fit into an answer. Takes {"from": 1}; `next` says where to continue.',
} as const;

interface CommandDefinition {
  signal: SignalDefinition<[unknown?]>;
  update: UpdateDefinition<Progress, [unknown?]>;
}

/** Returns the definitions of a command as its handlers see it: the loop checks the payload, so its form is unknown here. */
export function commandDefinition(name: CommandName): CommandDefinition {
  return { signal: defineSignal<[unknown?]>(name), update: defineUpdate<Progress, [unknown?]>(name) };
}
