/** Characters of a provider's message that are kept: prompts are sometimes quoted in them. */
const LENGTH = 500;

/** Anything that has the form of a key or of a bearer token. */
const KEYS = /\b(?:sk|pk|rk)-[\w-]{6,}|\bBearer\s+[\w.~+/-]+=*/gi;

/** `postgres://user:password@host`. The name of a scheme is short: looking for a long one from each letter of a long text would take for ever. */
const CREDENTIALS = /(\b[a-z][a-z\d+.-]{0,30}:\/\/)[^\s/@]+@/gi;

const SECRET_NAME = /KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|(?:^|_)AUTH(?:_|$)/i;

/** Where a secret is, is none. */
const PLACE = /_(?:PATH|FILE|DIR|SOCK)$/i;

/** Values of environment variables shorter than this are too common to be secrets. */
const SHORTEST_SECRET = 8;

/** Without them, `id:key,id:key` would only be found as a whole. */
const PARTS = /[,:]/;

const HIDDEN = '[redacted]';

function secretsOf(env: NodeJS.ProcessEnv): string[] {
  const values = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && SECRET_NAME.test(name) && !PLACE.test(name) ? [value, ...value.split(PARTS)] : [],
  );
  // The longest first: otherwise a part would go, and the rest of the whole would stay.
  return values.filter((value) => value.length >= SHORTEST_SECRET).sort((a, b) => b.length - a.length);
}

/** A text without anything that looks like a key, without the keys of this process, and not longer than `length`. */
export function redact(text: string, { env = process.env, length = LENGTH } = {}): string {
  let safe = text.replace(KEYS, HIDDEN).replace(CREDENTIALS, `$1${HIDDEN}@`);
  for (const secret of secretsOf(env)) safe = safe.replaceAll(secret, HIDDEN);
  return safe.length > length ? `${safe.slice(0, length)}…` : safe;
}
