import { isJsonObject, type Json } from '../json/json';

interface DataUrl {
  mediaType: string;
  base64: string;
  bytes: number;
}

const DATA_URL = /^data:([\w.+-]{1,100}\/[\w.+-]{1,100})(?:;[\w.+-]{1,100}=[^;,]{1,200}){0,10};base64,/i;
const NOT_BASE64 = /[^A-Za-z0-9+/]/;

export function dataUrl(text: string): DataUrl | undefined {
  const [head, mediaType] = DATA_URL.exec(text.slice(0, 2_500)) ?? [];
  if (head === undefined) return undefined;
  const base64 = text.slice(head.length).trimEnd();
  const digits = base64.replace(/={1,2}$/, '');
  if (digits === '' || digits.length % 4 === 1 || NOT_BASE64.test(digits)) return undefined;
  return { mediaType: mediaType!.toLowerCase(), base64, bytes: Math.floor((digits.length * 3) / 4) };
}

const UNITS = ['bytes', 'kB', 'MB', 'GB'];

function sizeText(bytes: number): string {
  const power = bytes < 1_000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const size = bytes / 1_000 ** power;
  return `${power === 0 ? size : size.toFixed(1)} ${UNITS[power]}`;
}

/** Returns the text that users and models read in place of a picture or a file: `[image/png, 1.2 MB, sha256 0f3a…]`. */
export function attachmentText({
  mediaType,
  bytes,
  sha256,
  name,
}: {
  mediaType: string;
  bytes: number;
  sha256?: string;
  name?: string;
}): string {
  const hash = sha256 === undefined ? [] : [`sha256 ${sha256.slice(0, 12)}…`];
  return `[${[...(name === undefined ? [] : [name]), mediaType, sizeText(bytes), ...hash].join(', ')}]`;
}

/** Matches long `data:` URLs: a shorter one may be any text, and does no harm. */
const LONG_DATA = /data:([\w.+-]{1,100}\/[\w.+-]{1,100})[^,"'\s]{0,200};base64,([A-Za-z0-9+/]{64,}={0,2})/gi;

/** Returns a text in which the base64 of `data:` URLs is described, not shown. */
export function withoutData(text: string): string {
  if (!text.includes(';base64,')) return text;
  return text.replace(LONG_DATA, (_whole, mediaType: string, base64: string) =>
    attachmentText({ mediaType, bytes: Math.floor((base64.replace(/=+$/, '').length * 3) / 4) }),
  );
}

/**
 * Returns a value in which pictures and files, be they references or `data:` URLs, are described. A text that contains one
 * stays as it is.
 */
export function withoutAttachments(value: Json): Json {
  if (typeof value === 'string') {
    const inline = dataUrl(value);
    return inline ? attachmentText(inline) : value;
  }
  if (Array.isArray(value)) return value.map(withoutAttachments);
  if (!isJsonObject(value)) return value;
  const { sha256, stored, mediaType, bytes, name } = value;
  const isReference = typeof sha256 === 'string' && typeof stored === 'string' && typeof bytes === 'number';
  if (isReference && typeof mediaType === 'string') {
    return attachmentText({ mediaType, bytes, sha256, ...(typeof name === 'string' && { name }) });
  }
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutAttachments(each)]));
}
