import { fieldOf, textIn } from './read-json';

/** Characters of an answer that are read for its message. */
const LONGEST = 100_000;

/** What frameworks say of a mistake in a body: where, and what, and not what stood there. */
function problemText(problem: unknown): string {
  const place = fieldOf(problem, 'loc');
  const at = Array.isArray(place) ? place.map(String).join('.') : '';
  return [at, textIn(problem, 'msg')].filter((text) => text !== '').join(': ');
}

function messageIn(body: unknown): string {
  const detail = fieldOf(body, 'detail');
  if (typeof detail === 'string') return detail;
  if (Array.isArray(detail)) return detail.map(problemText).join('; ');
  return textIn(detail, 'message') || textIn(body, 'message') || textIn(body, 'msg');
}

/** The body of an error in the protocol's form; undefined where it has that, or says nothing. */
export function protocolError(text: string): string | undefined {
  if (text.length > LONGEST) return undefined;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (fieldOf(body, 'error') != null) return undefined;
  const message = messageIn(body);
  return message === '' ? undefined : JSON.stringify({ error: { message } });
}

/** Like `fetch`, but errors in a form of their own, such as `{ detail }`, come in that of the protocol: the vendor's client drops what it does not know. */
export async function fetchReadable(...given: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...given);
  const { status, statusText, headers } = response;
  if (status < 400 || status > 599) return response;
  // What cannot be read to its end still has its status.
  const text = await response.text().catch(() => '');
  return new Response(protocolError(text) ?? text, { status, statusText, headers });
}
