import { createHmac } from 'node:crypto';

/** Marks a secret that is written in base64, as Standard Webhooks does. */
const ENCODED = 'whsec_';

/** Bytes of the key in an encoded secret, as Standard Webhooks has them, and characters of a secret that is a text: fewer can be guessed. */
const LEAST_BYTES = 24;
const LEAST_CHARACTERS = 16;

/** Reads the secrets in a variable: one, or several with spaces between them. */
export function secretsIn(variable: string | undefined): string[] {
  return (variable ?? '').split(/\s+/).filter(Boolean);
}

/** Says why messages cannot be signed with secrets; undefined if they can. Names none of them. */
export function secretsProblem(secrets: readonly string[]): string | undefined {
  if (secrets.length === 0) return 'is not set';
  const isShort = (secret: string): boolean =>
    keyOf(secret).length < (secret.startsWith(ENCODED) ? LEAST_BYTES : LEAST_CHARACTERS);
  if (!secrets.some(isShort)) return undefined;
  return `has a secret that can be guessed: at least ${LEAST_BYTES} bytes in base64 after "${ENCODED}", or ${LEAST_CHARACTERS} characters, are needed`;
}

function keyOf(secret: string): Buffer {
  return secret.startsWith(ENCODED) ? Buffer.from(secret.slice(ENCODED.length), 'base64') : Buffer.from(secret, 'utf8');
}

/**
 * The headers that name and sign a message, as Standard Webhooks has them: HMAC-SHA256 over its id, the time and the body.
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
