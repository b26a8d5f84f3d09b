import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { Notify } from '../loop/base/notify';
import type { WaitNotification, WaitNotice } from '../loop/contract/notification';
import type { PersonWait } from '../loop/contract/waiting';
import type { LoopSettings } from '../loop/state/loop-settings';
import { type ExternalCalls, ExternalUnavailable, post, secretsProblem, signedHeaders } from '../lib/external';
import { messageOf } from '../lib/base/message-of';
import { changeTexts } from '../lib/json/texts';
import { withoutKeys } from '../lib/text/keys';
import { secretsOf, withoutSecrets } from '../lib/text/secrets';
import { webUiLink } from '../lib/names/web-ui-link';
import type { UnlinkedWait } from '../loop/page/wait-notice';
import type { NotifyInput } from './protocol';

const TIMEOUT_MS = 10_000;

export interface Receiver {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** The text under review is sent, too. */
  includesText: boolean;
  webUi?: string;
  /** The address of the review page of a run, with `{workflowId}` in it. */
  review?: string;
  rules: Pick<ExternalCalls, 'allowPrivateAddresses' | 'hosts' | 'resolve'>;
  /** Reads the secrets by which messages are signed, the latest first. */
  readSecrets(): string[];
}

type ReviewedText = NonNullable<WaitNotice['text']>;

/** The decision of a run about its waits; empty for one that never waits, or on a worker without a receiver. */
export function notifyOf(
  { review, questions }: Pick<LoopSettings, 'review' | 'questions'>,
  receiver: Receiver | undefined,
): { notify?: Notify } {
  if ((!review && !questions) || !receiver) return {};
  return { notify: receiver.includesText ? { text: true } : {} };
}

const hide = (text: string): string => withoutSecrets(withoutKeys(text), secretsOf(process.env));

function shownText({ value, truncated, ...digest }: ReviewedText, includesText: boolean): ReviewedText {
  const isShown = includesText && value !== undefined;
  return { ...digest, ...(isShown && { value: hide(value), ...(truncated && { truncated }) }) };
}

function linkedWait(
  { text, asked, what, ...wait }: UnlinkedWait,
  { webUi, review, includesText }: Receiver,
  namespace: string,
): WaitNotice {
  const { workflowId } = wait;
  return {
    ...wait,
    what: hide(what),
    // Answers are sent to their ids.
    ...(includesText &&
      asked && { asked: asked.map((each) => ({ ...(changeTexts(each, hide) as PersonWait), id: each.id })) }),
    ...(text && { text: shownText(text, includesText) }),
    links: {
      ...(webUi !== undefined && { webUi: webUiLink(webUi, { namespace, workflowId }) }),
      ...(review !== undefined && { review: review.replaceAll('{workflowId}', encodeURIComponent(workflowId)) }),
    },
  };
}

function notificationOf(
  { id, type, timestamp, waits, batch, more }: NotifyInput,
  receiver: Receiver,
  namespace: string,
): WaitNotification {
  const linked = waits.map((wait) => linkedWait(wait, receiver, namespace));
  const data = { namespace, ...(batch !== undefined && { batch }), waits: linked, ...(more !== undefined && { more }) };
  return { id, type, timestamp, data };
}

/** Posts a message with its signatures. Throws as `post` does. */
export function postSigned<Answer>(
  { id, body, ...request }: { id: string; body: string; signal: AbortSignal; isConfidential: boolean },
  receiver: Receiver,
  read: Parameters<typeof post<Answer>>[3],
): Promise<Answer> {
  const headers = {
    ...receiver.headers,
    'idempotency-key': id,
    ...signedHeaders(id, body, receiver.readSecrets(), Date.now()),
  };
  return post(receiver.url, { ...request, body, headers, timeoutMs: TIMEOUT_MS }, receiver.rules, read);
}

/** Throws `NotificationFailed`, which another worker may mend. It names no secret, no path and nothing of the answer. */
export async function sendToReceiver(input: NotifyInput, receiver: Receiver | undefined): Promise<void> {
  const { info, cancellationSignal: signal } = Context.current();
  const fail = (message: string, nextRetryDelay?: number): ApplicationFailure =>
    ApplicationFailure.create({ type: 'NotificationFailed', message, ...(nextRetryDelay && { nextRetryDelay }) });
  if (!receiver) throw fail('this worker has no `notify`, and the run was prepared by one that has');
  const problem = secretsProblem(receiver.readSecrets());
  if (problem !== undefined) throw fail(`the variable that \`notify.secretVariable\` names ${problem}`);
  const body = JSON.stringify(notificationOf(input, receiver, info.namespace));
  try {
    await postSigned({ id: input.id, body, signal, isConfidential: true }, receiver, () => undefined);
  } catch (error) {
    signal.throwIfAborted();
    throw fail(messageOf(error), error instanceof ExternalUnavailable ? error.retryAfterMs : undefined);
  }
}
