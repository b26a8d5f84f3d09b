import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { Notify } from '../loop/base/notify';
import type { WaitNotification, WaitNotice } from '../loop/contract/notification';
import type { LoopSettings } from '../loop/state/loop-settings';
import { type ExternalCalls, ExternalUnavailable, post, signedHeaders } from '../lib/external';
import { messageOf } from '../lib/base/message-of';
import { webUiLink } from '../lib/names/web-ui-link';
import type { UnlinkedWait } from '../loop/page/wait-notice';
import type { NotifyInput } from './protocol';

const TIMEOUT_MS = 10_000;

/** The receiver of notifications, as a worker is configured. */
export interface Receiver {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** The text under review is sent, too. */
  includesText: boolean;
  /** The address of the Temporal Web UI. */
  webUi?: string;
  /** The address of the review page of a run, with `{workflowId}` in it. */
  review?: string;
  /** The addresses that may be called. */
  rules: Pick<ExternalCalls, 'allowPrivateAddresses' | 'hosts' | 'resolve'>;
  /** Reads the secrets by which messages are signed, the latest first. */
  readSecrets(): string[];
}

type ReviewedText = NonNullable<WaitNotice['text']>;

/** Returns the decision of a run about its waits; empty for one that never waits, or on a worker without a receiver. */
export function notifyOf(
  { review, questions }: Pick<LoopSettings, 'review' | 'questions'>,
  receiver: Receiver | undefined,
): { notify?: Notify } {
  if ((!review && !questions) || !receiver) return {};
  return { notify: receiver.includesText ? { text: true } : {} };
}

/** Returns the text under review with its value only where that is shown. */
function shownText({ value, truncated, ...digest }: ReviewedText, includesText: boolean): ReviewedText {
  const isShown = includesText && value !== undefined;
  return { ...digest, ...(isShown && { value, ...(truncated && { truncated }) }) };
}

function linkedWait(
  { text, asked, ...wait }: UnlinkedWait,
  { webUi, review, includesText }: Receiver,
  namespace: string,
): WaitNotice {
  const { workflowId } = wait;
  return {
    ...wait,
    ...(includesText && asked && { asked }),
    ...(text && { text: shownText(text, includesText) }),
    links: {
      ...(webUi !== undefined && { webUi: webUiLink(webUi, { namespace, workflowId }) }),
      ...(review !== undefined && { review: review.replaceAll('{workflowId}', encodeURIComponent(workflowId)) }),
    },
  };
}

/** Returns the body of a notification. Each attempt sends the same. */
function notificationOf(
  { id, type, timestamp, waits, batch, more }: NotifyInput,
  receiver: Receiver,
  namespace: string,
): WaitNotification {
  const linked = waits.map((wait) => linkedWait(wait, receiver, namespace));
  const data = { namespace, ...(batch !== undefined && { batch }), waits: linked, ...(more !== undefined && { more }) };
  return { id, type, timestamp, data };
}

/**
 * Posts a notification.
 *
 * @throws ApplicationFailure `NotificationFailed`, which a later attempt may mend, also by another worker. It names no secret, no
 *   path and nothing of the answer
 */
export async function sendToReceiver(input: NotifyInput, receiver: Receiver | undefined): Promise<void> {
  const { info, cancellationSignal: signal } = Context.current();
  const fail = (message: string, nextRetryDelay?: number): ApplicationFailure =>
    ApplicationFailure.create({ type: 'NotificationFailed', message, ...(nextRetryDelay && { nextRetryDelay }) });
  if (!receiver) throw fail('this worker has no `notify`, and the run was prepared by one that has');
  const secrets = receiver.readSecrets();
  if (secrets.length === 0) throw fail('the variable that `notify.secretVariable` names is not set');
  const body = JSON.stringify(notificationOf(input, receiver, info.namespace));
  const headers = {
    ...receiver.headers,
    'idempotency-key': input.id,
    ...signedHeaders(input.id, body, secrets, Date.now()),
  };
  const request = { body, headers, timeoutMs: TIMEOUT_MS, signal, isConfidential: true };
  try {
    await post(receiver.url, request, receiver.rules, () => undefined);
  } catch (error) {
    signal.throwIfAborted();
    throw fail(messageOf(error), error instanceof ExternalUnavailable ? error.retryAfterMs : undefined);
  }
}
