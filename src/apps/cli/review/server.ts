import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { failureOf } from '../support/report-error';
import { Access, foreign, ROOT } from './access';
import { FormError, formBody } from './form-body';
import { enteringPage, messagePage, POLICY } from './layout';
import { toError } from '../../../lib/base/message-of';

/** The response to the request for a page. */
export interface Answer {
  status: number;
  page: string;
  /** Changes when the page does. */
  state?: string;
}

/** The pages that are served; paths are decoded. */
export interface ReviewPages {
  /**
   * @param seen the state of the page that the browser has.
   * @returns `same` where it is that still
   */
  get(path: string, seen: string | undefined): Promise<Answer | 'same'>;
  /** @returns where to go on, or a page that says why nothing was done */
  post(path: string, form: URLSearchParams): Promise<Answer | { location: string }>;
}

export interface ReviewServer {
  readonly url: string;
  readonly access: Access;
  close(): Promise<void>;
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

const TIMES = { requestTimeout: 60_000, headersTimeout: 10_000, connectionsCheckingInterval: 1_000 };

/**
 * The highest number of connections without a request under way. A browser has six. The oldest one gives way, so that such
 * connections keep no user out.
 */
const MOST_ASKING = 64;

/**
 * Serves the pages on the loopback interface.
 *
 * @param port 0: a free one
 */
export async function startReviewServer(port: number, pages: ReviewPages): Promise<ReviewServer> {
  const access = new Access();
  /** The connections without a request under way, the one that has waited longest first. */
  const asking = new Set<Socket>();
  const server = createServer(TIMES, (request, response) => {
    const { socket } = request;
    asking.delete(socket);
    response.once('close', () => {
      // One that is closed would stay the oldest for ever.
      if (!socket.destroyed) asking.add(socket);
    });
    const { port: own } = server.address() as AddressInfo;
    answer(request, response, { port: own, access, pages }).catch((error: unknown) =>
      respondWithError(response, error),
    );
  });
  server.on('connection', (socket) => {
    asking.add(socket);
    socket.once('close', () => asking.delete(socket));
    if (asking.size > MOST_ASKING) asking.values().next().value?.destroy();
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  server.on('error', () => undefined);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    access,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Place {
  port: number;
  access: Access;
  pages: ReviewPages;
}

async function answer(request: IncomingMessage, response: ServerResponse, place: Place): Promise<void> {
  const { port, access, pages } = place;
  for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
  const stranger = foreign(request, port);
  if (stranger !== undefined) return respondWithText(response, 403, stranger);
  const { method = '', url = '/' } = request;
  const { pathname, searchParams } = new URL(url, `http://127.0.0.1:${port}`);
  const token = searchParams.get('token');
  if (method === 'GET' && token !== null && pathname === `${ROOT}/`) return enter(request, response, place, token);
  if (!access.admits(request, port)) return respondWithText(response, 401, NOT_ADMITTED);
  const path = pathname.startsWith(`${ROOT}/`) ? decodePath(pathname.slice(ROOT.length)) : undefined;
  if (path === undefined) return respondWithText(response, 400, 'The address can not be read.');
  if (method === 'POST') {
    const done = await pages.post(path, await formBody(request));
    if (!('location' in done)) return write(response, done);
    response.writeHead(303, { location: done.location }).end();
    return undefined;
  }
  if (method !== 'GET' && method !== 'HEAD') return respondWithText(response, 405, 'There are pages and forms only.');
  const page = await pages.get(path, request.headers['if-none-match']);
  if (page === 'same') response.writeHead(304).end();
  else write(response, page);
  return undefined;
}

const NOT_ADMITTED =
  'This page is for the browser that opened the link of `reflect review` first. Start the command again for another link.';

function enter(request: IncomingMessage, response: ServerResponse, { access, port }: Place, token: string): void {
  // A browser that prefetches a link before a user opens it would use it up.
  if (request.headers['sec-purpose'] !== undefined) return respondWithText(response, 503, 'Open the link to go on.');
  const cookie = access.redeem(token, port);
  if (cookie !== undefined) response.setHeader('set-cookie', cookie);
  else if (!access.admits(request, port)) return respondWithText(response, 401, NOT_ADMITTED);
  return write(response, { status: 200, page: enteringPage() });
}

function decodePath(pathname: string): string | undefined {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
}

function respondWithError(response: ServerResponse, thrown: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const error = toError(thrown);
  if (error instanceof FormError) {
    // What is left of the form is not read.
    response.setHeader('connection', 'close');
    respondWithText(response, error.status, error.message);
    return;
  }
  const { message, advice } = failureOf(error);
  respondWithText(response, 502, [message, advice].filter(Boolean).join(' '));
}

function respondWithText(response: ServerResponse, status: number, text: string): void {
  write(response, { status, page: messagePage(text) });
}

function write(response: ServerResponse, { status, page, state }: Answer): void {
  if (state !== undefined) response.setHeader('etag', `"${state}"`);
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(page);
}
