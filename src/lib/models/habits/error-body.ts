import { type Dispatcher, getGlobalDispatcher } from 'undici';
import { boundedFetchThrough } from '../../fetch/bounded-fetch';
import { fieldOf, textIn } from './read-json';

/** Returns the text of a framework about a mistake in a body: the place and the mistake, and not the value there. */
function problemText(problem: unknown): string {
  const place = fieldOf(problem, 'loc');
  // An object that JSON made may have a `toString` that is not a function.
  const steps: unknown[] = Array.isArray(place) ? place : [];
  const at = steps.filter((step) => typeof step === 'string' || typeof step === 'number').join('.');
  return [at, textIn(problem, 'msg')].filter((text) => text !== '').join(': ');
}

function messageIn(body: unknown): string {
  const detail = fieldOf(body, 'detail') ?? fieldOf(fieldOf(body, 'message'), 'detail');
  if (typeof detail === 'string') return detail;
  if (Array.isArray(detail)) return detail.map(problemText).join('; ');
  return textIn(detail, 'message') || textIn(body, 'message') || textIn(body, 'msg');
}

/** Rewrites the body of an error to the protocol's form; returns undefined if it has that form, or no message. */
function protocolError(text: string): string | undefined {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  const [first] = Array.isArray(body) ? (body as unknown[]) : [body];
  const error = fieldOf(first, 'error');
  if (error != null) return first === body ? undefined : JSON.stringify({ error });
  const message = messageIn(first);
  return message === '' ? undefined : JSON.stringify({ error: { message } });
}

/**
 * Makes a `fetch` that rewrites errors of another form, such as `{ detail }`, to that of the protocol: the vendor's
 * client drops forms that it does not know.
 *
 * @param maxBytes of an answer
 * @param proxy that requests go through. Default: the global dispatcher
 */
export function fetchReadable(maxBytes?: number, proxy?: Dispatcher): typeof fetch {
  const through = proxy ? () => proxy : getGlobalDispatcher;
  const bounded = boundedFetchThrough(through, maxBytes === undefined ? {} : { maxBytes });
  return async (...given) => {
    const response = await bounded(...given);
    const { status, statusText, headers } = response;
    if (status < 400) return response;
    const text = await response.text();
    return new Response(protocolError(text) ?? text, { status, statusText, headers });
  };
}
