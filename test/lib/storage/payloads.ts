import type { Payload, StorageDriverStoreContext } from '@temporalio/common';

/** A payload as the SDK makes it of a value. */
export function jsonPayload(value: unknown): Payload {
  return textPayload(JSON.stringify(value));
}

/** A JSON payload with exactly this text. */
export function textPayload(text: string): Payload {
  return { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from(text) };
}

/** The text of a payload that came back. */
export function textIn(payload: Payload | undefined): string {
  return Buffer.from(payload?.data ?? []).toString();
}

/** What the SDK says about a payload that a workflow of this namespace made. */
export function from(namespace: string): StorageDriverStoreContext {
  return { target: { kind: 'workflow', namespace, id: 'a-run' } };
}

/** Text of `length` characters that does not repeat itself, the same for the same seed. */
export function textOf(length: number, seed = 1): string {
  let state = seed;
  let text = '';
  while (text.length < length) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += `${state.toString(36)} `;
  }
  return text.slice(0, length);
}
