import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { type Handler, respondWithText } from './pages-handler';

/** Converts a request of Node; undefined for one that has no such form. */
function toRequest(
  { method = 'GET', url = '/', headers, rawHeaders }: IncomingMessage,
  body: Readable,
): Request | undefined {
  const all = new Headers();
  try {
    for (let index = 0; index < rawHeaders.length; index += 2) all.append(rawHeaders[index]!, rawHeaders[index + 1]!);
    const hasBody = method !== 'GET' && method !== 'HEAD';
    return new Request(new URL(url, `http://${headers.host ?? 'localhost'}`), {
      method,
      headers: all,
      ...(hasBody && { body: Readable.toWeb(body) as ReadableStream<Uint8Array>, duplex: 'half' as const }),
    });
  } catch {
    return undefined;
  }
}

async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer());
  outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(body);
}

/** Handlers of pages without a reviewer, which are served on the loopback interface only. */
const loopbackOnly = new WeakSet<Handler>();

/** Has `nodeListener` serve a handler on the loopback interface only. */
export function markLoopback(handler: Handler): void {
  loopbackOnly.add(handler);
}

const isLoopback = (address = ''): boolean => /^(?:::ffff:)?127\.|^::1$/.test(address);

const OFF_LOOPBACK = 'These pages have no `reviewer`, so they are served on the loopback interface only.';

/** Returns a handler as a listener of `node:http`, of Express and of Fastify (`reply.raw`). */
export function nodeListener(handler: Handler): RequestListener {
  return (incoming, outgoing) => {
    if (loopbackOnly.has(handler) && !isLoopback(incoming.socket.localAddress)) {
      void send(respondWithText(403, OFF_LOOPBACK), outgoing);
      return;
    }
    const request = toRequest(incoming, incoming);
    const response = request ? handler(request) : Promise.resolve(respondWithText(400, 'The request can not be read.'));
    response.then((answered) => send(answered, outgoing)).catch(() => outgoing.destroy());
  };
}
