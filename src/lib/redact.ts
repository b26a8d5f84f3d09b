import { withoutData } from './text/attachment-text';
import { secretsOf, withoutSecrets } from './text/secrets';

/** Characters of a provider's message that are kept: prompts are sometimes quoted in them. */
const LENGTH = 500;

/** Anything that has the form of a key or of a bearer token. */
const KEYS = /\b(?:sk|pk|rk)-[\w-]{6,}|\bBearer\s+[\w.~+/-]+=*/gi;

/** `postgres://user:password@host`. The name of a scheme is short: looking for a long one from each letter of a long text would take for ever. */
const CREDENTIALS = /(\b[a-z][a-z\d+.-]{0,30}:\/\/)[^\s/@]+@/gi;

const HIDDEN = '[redacted]';

/** Characters of a text that are searched at least: some errors quote megabytes. */
const SEARCHED = 100_000;

/** Characters before the end of what was searched that are not shown: half of a key, cut there, does not look like one. */
const LONGEST_KEY = 4_000;

/** Returns a text without anything that looks like a key, without the keys of this process, and not longer than `length`. */
export function redact(text: string, { env = process.env, length = LENGTH } = {}): string {
  const searched = text.slice(0, Math.max(SEARCHED, length + LONGEST_KEY));
  const safe = withoutSecrets(
    withoutData(searched).replace(KEYS, HIDDEN).replace(CREDENTIALS, `$1${HIDDEN}@`),
    secretsOf(env),
  );
  const shown = Math.min(length, searched.length < text.length ? safe.length - LONGEST_KEY : safe.length);
  return shown < safe.length ? `${safe.slice(0, Math.max(0, shown))}…` : safe;
}
