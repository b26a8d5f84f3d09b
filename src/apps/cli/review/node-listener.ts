import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { type Handler, respondWithText } from './pages-handler';

interface Incoming extends IncomingMessage {
  /** The whole path: below a mount path, Express and Connect cut `url`. */
  originalUrl?: string;
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

function toRequest(incoming: Incoming, url: string): Request | undefined {
  const { method = 'GET', headers, rawHeaders } = incoming;
  const all = new Headers();
  try {
    for (let index = 0; index < rawHeaders.length; index += 2) all.append(rawHeaders[index]!, rawHeaders[index + 1]!);
    const hasBody = method !== 'GET' && method !== 'HEAD';
    const body = incoming.readableDidRead ? rewriteForm(incoming.body) : Readable.toWeb(incoming);
    if (hasBody && body === undefined) return undefined;
    return new Request(new URL(url, `http://${headers.host ?? 'localhost'}`), {
      method,
      headers: all,
      ...(hasBody && { body: body as ReadableStream<Uint8Array>, duplex: 'half' as const }),
    });
  } catch {
    return undefined;
  }
}

async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer());
  outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(body);
}

/** The path below which the pages of a handler are, and whether they have no reviewer: then they are for the loopback interface only. */
export const places = new WeakMap<Handler, { base: string; loopback: boolean }>();

const isLoopback = (address = ''): boolean => /^(?:::ffff:)?127\.|^::1$/.test(address);

const OFF_LOOPBACK = 'These pages have no `reviewer`, so they are served on the loopback interface only.';

/**
 * Makes a listener of `node:http`, Express and Connect of a handler, also below a mount path and after a body parser; for Fastify, of
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
