import { withoutData } from './text/attachment-text';
import { withoutKeys } from './text/keys';
import { secretsOf, withoutSecrets } from './text/secrets';

const MOST_CHARACTERS = 500;

const SEARCHED_CHARACTERS = 100_000;

/** Characters before the end of what was searched that are not shown: half of a key, cut there, does not look like one. */
const LONGEST_KEY = 4_000;

/** Returns a text without anything that looks like a key, without the keys of this process, and not longer than `length`. */
export function redact(text: string, { env = process.env, length = MOST_CHARACTERS } = {}): string {
  const searched = text.slice(0, Math.max(SEARCHED_CHARACTERS, length + LONGEST_KEY));
  const safe = withoutSecrets(withoutKeys(withoutData(searched)), secretsOf(env));
  const shown = Math.min(length, searched.length < text.length ? safe.length - LONGEST_KEY : safe.length);
  return shown < safe.length ? `${safe.slice(0, Math.max(0, shown))}…` : safe;
}
