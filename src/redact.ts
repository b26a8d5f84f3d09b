import { withoutData } from './domain/text/attachment-text';
import { secretsOf, withoutSecrets } from './domain/text/secrets';

/** Characters of a provider's message that are kept: prompts are sometimes quoted in them. */
const LENGTH = 500;

/** Anything that has the form of a key or of a bearer token. */
const KEYS = /\b(?:sk|pk|rk)-[\w-]{6,}|\bBearer\s+[\w.~+/-]+=*/gi;

/** `postgres://user:password@host`. The name of a scheme is short: looking for a long one from each letter of a long text would take for ever. */
const CREDENTIALS = /(\b[a-z][a-z\d+.-]{0,30}:\/\/)[^\s/@]+@/gi;

const HIDDEN = '[redacted]';

/** Characters of a text that are looked at: some errors quote megabytes. */
const LOOKED_AT = 100_000;

/** A text without anything that looks like a key, without the keys of this process, and not longer than `length`. */
export function redact(text: string, { env = process.env, length = LENGTH } = {}): string {
  const safe = withoutSecrets(
    withoutData(text.slice(0, LOOKED_AT)).replace(KEYS, HIDDEN).replace(CREDENTIALS, `$1${HIDDEN}@`),
    secretsOf(env),
  );
  return safe.length > length ? `${safe.slice(0, length)}…` : safe;
}
