import { createHmac } from 'node:crypto';

/** Marks a secret that is written in base64, as Standard Webhooks does. */
const ENCODED = 'whsec_';

function keyOf(secret: string): Buffer {
  return secret.startsWith(ENCODED) ? Buffer.from(secret.slice(ENCODED.length), 'base64') : Buffer.from(secret, 'utf8');
}

/**
 * Returns the headers that name and sign a message, as Standard Webhooks has them: HMAC-SHA256 over its id, the time and the body.
 *
 * @param secrets one, or several while they are being replaced: there is a signature with each
 * @param now epoch milliseconds
 */
export function signedHeaders(
  id: string,
  body: string,
  secrets: readonly string[],
  now: number,
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const time = String(Math.floor(now / 1_000));
  const signed = secrets.map((secret) =>
    createHmac('sha256', keyOf(secret)).update(`${id}.${time}.${body}`).digest('base64'),
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': time,
    'webhook-signature': signed.map((each) => `v1,${each}`).join(' '),
  };
}
