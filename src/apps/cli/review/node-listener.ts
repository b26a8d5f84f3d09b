import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { type Handler, respondWithText } from './pages-handler';

/** A request of Node, as frameworks pass it on. */
interface Incoming extends IncomingMessage {
  /** The path that the browser asked for: below a mount path, Express and Connect cut `url`. */
  originalUrl?: string;
  /** The body that a parser before this listener read. */
  body?: unknown;
}

/** Writes the fields that a parser read as the form that it read; undefined for a body of another kind. */
function rewriteForm(body: unknown): string | undefined {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return body.toString();
  if (typeof body !== 'object' || body === null) return undefined;
  const fields = Object.entries(body).flatMap(([name, value]: [string, unknown]) =>
    [value].flat().map((one) => [name, one]),
  );
  const isFlat = (field: unknown[]): field is [string, string] => typeof field[1] === 'string';
  return fields.every(isFlat) ? new URLSearchParams(fields).toString() : undefined;
}

/** The body of a request: the stream, or else the fields that were read from it. */
function bodyOf(incoming: Incoming): ReadableStream<Uint8Array> | string | undefined {
  return incoming.readableDidRead
    ? rewriteForm(incoming.body)
    : (Readable.toWeb(incoming) as ReadableStream<Uint8Array>);
}

/** Converts a request of Node; undefined for one that has no such form. */
function toRequest(incoming: Incoming, url: string): Request | undefined {
  const { method = 'GET', headers, rawHeaders } = incoming;
  const all = new Headers();
  try {
    for (let index = 0; index < rawHeaders.length; index += 2) all.append(rawHeaders[index]!, rawHeaders[index + 1]!);
    const body = method === 'GET' || method === 'HEAD' ? null : bodyOf(incoming);
    if (body === undefined) return undefined;
    const target = new URL(url, `http://${headers.host ?? 'localhost'}`);
    return new Request(target, { method, headers: all, body, duplex: 'half' });
  } catch {
    return undefined;
  }
}

async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer());
  outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(body);
}

/** The place of the pages of a handler. */
interface Place {
  /** The path below which they are. */
  base: string;
  /** Whether they have no reviewer, and are served on the loopback interface only. */
  loopback: boolean;
}

const places = new WeakMap<Handler, Place>();

/** Has `nodeListener` serve a handler at its place only. */
export function markPlace(handler: Handler, place: Place): void {
  places.set(handler, place);
}

const isLoopback = (address = ''): boolean => /^(?:::ffff:)?127\.|^::1$/.test(address);

const OFF_LOOPBACK = 'These pages have no `reviewer`, so they are served on the loopback interface only.';

/**
 * Makes a listener of `node:http`, Express and Connect of a handler, also below a mount path and behind a body parser; for Fastify, of
 * `request.raw` and `reply.raw`. Requests for other paths go on to `next`, if there is one.
 */
export function nodeListener(
  handler: Handler,
): (incoming: IncomingMessage, outgoing: ServerResponse, next?: (error?: unknown) => void) => void {
  const { base, loopback } = places.get(handler) ?? {};
  const isOwn = (url?: string): boolean =>
    url !== undefined && (base === undefined || url.startsWith(`${base}/`) || url.split('?', 1)[0] === base);
  return (incoming, outgoing, next) => {
    const { originalUrl, url = '/' } = incoming as Incoming;
    const asked = [originalUrl, url].find(isOwn);
    if (asked === undefined && next) {
      next();
      return;
    }
    if (loopback && !isLoopback(incoming.socket.localAddress)) {
      void send(respondWithText(403, OFF_LOOPBACK), outgoing);
      return;
    }
    const request = toRequest(incoming, asked ?? url);
    const response = request ? handler(request) : Promise.resolve(respondWithText(400, 'The request can not be read.'));
    response.then((answered) => send(answered, outgoing)).catch(() => outgoing.destroy());
  };
}
