import { type Dispatcher, fetch as fetchOfUndici, getGlobalDispatcher, type RequestInit as UndiciInit } from 'undici';
import { shownUrl } from '../text/secrets';
import { boundedBody, readErrorText } from './bounded-body';
import { MOST_ANSWER_BYTES, RedirectRefused } from './errors';

type Fetch = typeof globalThis.fetch;

export interface BoundedFetchOptions {
  /** The maximum size of a response after decompression, in bytes; of an event stream, that of one event. Default 8 MiB. */
  maxBytes?: number;
}

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/** A dispatcher without limits for headers and bodies, which are five minutes. */
function patient(dispatcher: () => Dispatcher): Dispatcher {
  const made = {
    get isMockActive() {
      return (dispatcher() as { isMockActive?: boolean }).isMockActive;
    },
    dispatch: (options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandlers) =>
      dispatcher().dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler),
  };
  return made as unknown as Dispatcher;
}

/** Converts a request to the arguments of a library's `fetch`, which knows only requests of its own class. */
function convertRequest(input: Parameters<Fetch>[0], init: RequestInit = {}): [string | URL, UndiciInit] {
  if (typeof input === 'string' || input instanceof URL) return [input, init as UndiciInit];
  const { url, method, headers, body, signal, redirect } = input;
  const given = { method, headers, signal, redirect, ...(body && { body, duplex: 'half' }) };
  return [url, { ...given, ...init } as UndiciInit];
}

function describeRedirect(location: string | null, from: string | URL): string {
  return location !== null && URL.canParse(location, String(from))
    ? shownUrl(new URL(location, from).href)
    : 'an address that is none';
}

const HIGHEST_STATUS = 599;

/** Corrects a status line: servers write its text in their own alphabet, and make up statuses. */
function statusOf({ status, statusText }: { status: number; statusText: string }): ResponseInit {
  return {
    status: Math.min(status, HIGHEST_STATUS),
    statusText: statusText.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?'),
  };
}

/**
 * Makes a `fetch` for calls that carry secrets, to servers that are not trusted. At most `maxBytes` of a response are read,
 * counted after decompression; then its body ends with an error. Bodies of error responses are cut. Redirects are refused,
 * unless the call says `redirect: 'manual'`. Only the call's own signal ends it: other limits of time, such as Node's five
 * minutes, do not apply. It goes through the global dispatcher of undici, and so through a proxy that is set there.
 */
export function boundedFetch(options: BoundedFetchOptions = {}): Fetch {
  return boundedFetchThrough(getGlobalDispatcher, options);
}

export function boundedFetchThrough(
  through: () => Dispatcher,
  { maxBytes = MOST_ANSWER_BYTES }: BoundedFetchOptions = {},
): Fetch {
  const usual = patient(through);
  return async (input, init) => {
    const [address, given] = convertRequest(input, init);
    const dispatcher = given.dispatcher ?? usual;
    const answer = await fetchOfUndici(address, { ...given, redirect: 'manual', dispatcher });
    const { status } = answer;
    const headers = new Headers([...answer.headers]);
    const body = answer.body as ReadableStream<Uint8Array> | null;
    if (REDIRECTS.includes(status) && given.redirect !== 'manual') {
      await body?.cancel();
      const to = describeRedirect(headers.get('location'), address);
      throw new RedirectRefused(
        `The address answered ${status} and refers to ${to}. Redirects are not followed, as they would hand on the key: set that address where it is the right one.`,
      );
    }
    const head = { ...statusOf(answer), headers };
    if (status >= 400) return new Response(await readErrorText(body), head);
    const isEventStream = headers.get('content-type')?.includes('text/event-stream') ?? false;
    return new Response(body && boundedBody(body, maxBytes, isEventStream), head);
  };
}
