import { changeTexts } from '../json/texts';
import { HIDDEN } from './keys';

const SECRET_NAME = /KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|(?:^|_)AUTH(?:_|$)/i;

/** Names of variables that say where a secret is: their values are not secrets. */
const PLACE = /_(?:PATH|FILE|DIR|SOCK)$/i;

const SHORTEST_SECRET = 8;

/** Separates the parts of a secret: otherwise `id:key,id:key` would only be found as a whole. */
const PARTS = /[,:]/;

/** Segments of an address that are surely not secret. Any other may be: some gateways take keys there. */
const PLAIN_SEGMENT =
  /^(?:.{0,3}|v\d+\w{0,8}|openai|models?|chat|completions|embeddings|deployments?|inference|engines|gateway|proxy|serving-endpoints|compatible-mode|projects|locations|global|endpoints)$/i;

/** Lists the secrets in an address: name, password, values of the query, and unusual parts of the path. */
export function urlSecrets(address: string): string[] {
  if (!URL.canParse(address)) return [];
  const { username, password, pathname, searchParams } = new URL(address);
  const segments = pathname.split('/').filter((segment) => !PLAIN_SEGMENT.test(segment));
  const written = [username, password, ...segments];
  return [...new Set([...written, ...written.map(decodeText), ...searchParams.values()])].filter(isLong);
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const isLong = (text: string): boolean => text.length >= SHORTEST_SECRET;

export function shownUrl(address: string): string {
  if (!URL.canParse(address)) return 'an address that cannot be read';
  const { origin, pathname } = new URL(address);
  const segments = pathname.split('/').map((segment) => (PLAIN_SEGMENT.test(segment) ? segment : HIDDEN));
  return `${origin}${segments.join('/')}`;
}

/** Returns the secrets among the variables of an environment: by their names, and those that are in addresses. */
export function secretsOf(env: Readonly<Record<string, string | undefined>>): string[] {
  const found = Object.entries(env).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (/_URL$|^REFLECT_STORAGE$/.test(name)) return urlSecrets(value);
    if (!SECRET_NAME.test(name) || PLACE.test(name)) return [];
    return [value, ...value.split(PARTS)].filter(isLong);
  });
  return [...new Set(found)];
}

/** Returns the characters of base64 that depend on the bytes alone, if `before` bytes precede them in their group of three. */
function base64Core(bytes: Uint8Array, before: number): string {
  const characters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  const written = btoa('\0'.repeat(before) + characters);
  return written.slice(Math.ceil((before * 4) / 3), Math.floor(((before + bytes.length) * 4) / 3));
}

/** Forms that were made before: a log scrubs each line. */
const known = new Map<string, string[]>();
const MOST_KNOWN = 1_000;

function formsOf(secret: string): string[] {
  const before = known.get(secret);
  if (before) return before;
  const bytes = new TextEncoder().encode(secret);
  const hexadecimal = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const base64 = [0, 1, 2].map((offset) => base64Core(bytes, offset));
  const inUrls = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  const forms = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret.replaceAll(/\p{Surrogate}/gu, '')),
    ...(isLong(secret) ? [hexadecimal, hexadecimal.toUpperCase(), ...base64, ...inUrls] : []),
  ];
  const different = [...new Set(forms)];
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(secret, different);
  return different;
}

/** Hides the secrets in a text, however they are written in it. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  // The longest first: otherwise a part would go, and the rest of the whole would stay.
  const forms = secrets.flatMap(formsOf).sort((one, other) => other.length - one.length);
  let safe = text;
  for (const form of forms) safe = safe.replaceAll(form, HIDDEN);
  return safe;
}

export function withoutSecretsInside(value: unknown, secrets: readonly string[]): unknown {
  return changeTexts(value, (text) => withoutSecrets(text, secrets));
}
