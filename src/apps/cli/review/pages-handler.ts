import { toError } from '../../../lib/base/message-of';
import { failureOf } from '../support/report-error';
import { ROOT } from './access';
import { messagePage, POLICY } from './layout';

/** The maximum size of a form in bytes. An output has at most some 2 MB, and a form may write a byte as three. */
const MOST_BYTES = 8 * 1024 * 1024;

class FormError extends Error {
  constructor(
    readonly status: 413 | 415,
    message: string,
  ) {
    super(message);
  }
}

async function formBody({ headers, body }: Request): Promise<URLSearchParams> {
  const [type] = (headers.get('content-type') ?? '').split(';');
  if (type?.trim().toLowerCase() !== 'application/x-www-form-urlencoded')
    throw new FormError(415, 'This is no form of these pages.');
  const tooLarge = new FormError(413, `The form has more than ${MOST_BYTES / 1024 / 1024} MiB. Nothing was sent.`);
  if (Number(headers.get('content-length') ?? 0) > MOST_BYTES) throw tooLarge;
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += piece.length;
    if (bytes > MOST_BYTES) throw tooLarge;
    pieces.push(piece);
  }
  return new URLSearchParams(Buffer.concat(pieces).toString('utf8'));
}

export interface Answer {
  status: number;
  page: string;
  state?: string;
}

export interface ReviewPages {
  /**
   * @param seen the state of the page that the browser has.
   * @param reviewer the verified name of the user; undefined: the pages keep a name themselves
   * @returns `same` where it is that still
   */
  get(path: string, seen: string | undefined, reviewer?: string): Promise<Answer | 'same'>;
  post(path: string, form: URLSearchParams, reviewer?: string): Promise<Answer | { location: string }>;
}

/** A function that answers requests, as Hono, Deno and Bun take it. */
export type Handler = (request: Request) => Promise<Response>;

interface Served {
  base: string;
  /** Admits a request, with the verified name of its user if there is one; or responds to it. */
  admit(request: Request, url: URL): Promise<{ reviewer?: string } | Response>;
}

const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // With `no-referrer`, browsers would send forms with the origin `null`.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

export function respond(status: number, page: string | null, headers: Record<string, string> = {}): Response {
  const type: Record<string, string> = page === null ? {} : { 'content-type': 'text/html; charset=utf-8' };
  return new Response(page, { status, headers: { ...HEADERS, ...type, ...headers } });
}

export function respondWithText(status: number, text: string, headers?: Record<string, string>): Response {
  return respond(status, messagePage(text), headers);
}

export function pagesHandler(pages: ReviewPages, served: Served): Handler {
  // Pages and their links begin with the random path, which no text contains.
  const moveLinks = (text: string): string => (served.base === ROOT ? text : text.replaceAll(ROOT, served.base));
  return async (request) => {
    try {
      return await answer(request, pages, served, moveLinks);
    } catch (thrown) {
      return respondWithError(thrown);
    }
  };
}

async function answer(
  request: Request,
  pages: ReviewPages,
  { base, admit }: Served,
  moveLinks: (text: string) => string,
): Promise<Response> {
  const url = new URL(request.url);
  const admitted = await admit(request, url);
  if (admitted instanceof Response) return admitted;
  const { reviewer } = admitted;
  const { method, headers } = request;
  if (url.pathname === base) return respond(308, null, { location: `${base}/` });
  const path = url.pathname.startsWith(`${base}/`) ? decodePath(url.pathname.slice(base.length)) : undefined;
  if (path === undefined) return respondWithText(400, 'The address can not be read.');
  const write = ({ status, page, state }: Answer): Response =>
    respond(status, moveLinks(page), state === undefined ? {} : { etag: `"${state}"` });
  if (method === 'POST') {
    const done = await pages.post(path, await formBody(request), reviewer);
    return 'location' in done ? respond(303, null, { location: moveLinks(done.location) }) : write(done);
  }
  if (method !== 'GET' && method !== 'HEAD') return respondWithText(405, 'There are pages and forms only.');
  const page = await pages.get(path, headers.get('if-none-match') ?? undefined, reviewer);
  return page === 'same' ? respond(304, null) : write(page);
}

function decodePath(pathname: string): string | undefined {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
}

function respondWithError(thrown: unknown): Response {
  const error = toError(thrown);
  // What is left of a form is not read.
  if (error instanceof FormError) return respondWithText(error.status, error.message, { connection: 'close' });
  const { message, advice } = failureOf(error);
  return respondWithText(502, [message, advice].filter(Boolean).join(' '));
}
