import type { WaitNotice } from '../contract/notification';
import { omitUndefined } from '../../lib/base/defined';
import { sha256 } from '../../lib/base/sha256';
import type { Json } from '../../lib/json/json';
import { utf8Bytes } from '../../lib/json/json-bytes';
import { wellCut } from '../../lib/names/protocol-text';
import { describeWait, reviewedVersion } from '../commands/available';
import { describeAnswerSilence, describeOpenWaits, describeParked } from '../commands/open-waits';
import { describeSilence } from '../commands/review-lines';
import { openWaits } from '../state/parking';
import type { LoopSettings } from '../state/loop-settings';
import { type LoopState, versionOf } from '../state/loop-state';

/** A notice as workflows write it: the worker that sends it adds the links. */
export type UnlinkedWait = Omit<WaitNotice, 'links'>;

export const MOST_TEXT = 16_000;

function describeText(output: Json, isIncluded: boolean): WaitNotice['text'] {
  const text = typeof output === 'string' ? output : JSON.stringify(output);
  const digest = { sha256: sha256(text), bytes: utf8Bytes(text) };
  if (!isIncluded) return digest;
  const value = wellCut(text.slice(0, MOST_TEXT));
  return { ...digest, value, ...(text.length > MOST_TEXT && { truncated: true as const }) };
}

export interface NoticePlace {
  id: string;
  workflowId: string;
  runId: string;
  name: string | undefined;
  reminder: boolean;
  text: boolean;
  commands: boolean;
}

/** The notice of the open questions and calls of a parked step. Their texts are part of it only if texts are. */
function askedNotice(state: LoopState, settings: LoopSettings, place: NoticePlace): UnlinkedWait | undefined {
  const wait = describeParked(state);
  const { parked } = state;
  if (!wait || !parked?.notice) return undefined;
  const { text, commands: hasCommands, ...run } = place;
  return omitUndefined({
    ...run,
    what: text ? wait.what : describeOpenWaits(wait.waits ?? [], false),
    kind: wait.kind,
    asked: text ? wait.waits : undefined,
    since: new Date(parked.notice.since).toISOString(),
    until: wait.until,
    unanswered: describeAnswerSilence(state, settings),
    commands: hasCommands ? wait.commands : undefined,
  });
}

export function waitNotice(state: LoopState, settings: LoopSettings, place: NoticePlace): UnlinkedWait | undefined {
  if (openWaits(state).length > 0) return askedNotice(state, settings, place);
  const { review } = state;
  const wait = describeWait(state, settings);
  const number = review && reviewedVersion(review);
  const version = number === undefined ? undefined : versionOf(state, number);
  if (!review?.notice || !wait || !version) return undefined;
  const { since } = review.notice;
  const { what, failedChecks, needs, until, commands } = wait;
  const { text, commands: hasCommands, ...run } = place;
  return omitUndefined({
    ...run,
    what,
    kind: wait.kind,
    version: version.iteration,
    outcome: version.evaluation.outcome,
    score: version.evaluation.overallScore,
    failedChecks,
    reason: review.reason,
    needs,
    since: new Date(since).toISOString(),
    until,
    unanswered: describeSilence(state, settings),
    commands: hasCommands ? commands : undefined,
    text: describeText(version.output, text),
  });
}
