import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { createGzip } from 'node:zlib';

/** How a server answers. */
export type Answering = (request: IncomingMessage, response: ServerResponse, body: string) => unknown;

/** A server that answers as the protocol does not expect: the scripted one keeps to it. */
export class HostileServer {
  readonly asked: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = [];

  private constructor(
    private readonly server: Server,
    /** How the next requests are answered. */
    public answering: Answering,
  ) {}

  static async start(answering: Answering = (_, response) => response.end()): Promise<HostileServer> {
    const server = createServer((request, response) => {
      let body = '';
      response.on('error', () => undefined);
      request.setEncoding('utf8');
      request.on('data', (piece: string) => {
        body += piece;
      });
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        made.asked.push({ method, url, headers, body });
        void made.answering(request, response, body);
      });
    });
    const made = new HostileServer(server, answering);
    await new Promise<void>((listening) => {
      server.listen(0, '127.0.0.1', listening);
    });
    return made;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get baseUrl(): string {
    return `${this.origin}/v1`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => {
      this.server.close(closed);
    });
  }
}

const PIECE = 64 * 1024;

/** Writes a text between two others, again and again, until there are so many bytes of it or nobody reads on. */
export async function writeAgain(
  response: ServerResponse,
  { head = '', again, tail = '', bytes = Infinity, zipped = false }: Flood,
): Promise<void> {
  const out = zipped ? createGzip({ level: 1 }) : response;
  if (out !== response) out.pipe(response);
  out.on('error', () => undefined);
  const piece = again.repeat(Math.ceil(PIECE / again.length));
  out.write(head);
  for (let written = 0; written < bytes && !response.destroyed; written += piece.length) {
    if (!out.write(piece)) {
      await new Promise<void>((free) => {
        const go = (): void => {
          out.off('drain', go);
          response.off('close', go);
          free();
        };
        out.on('drain', go);
        response.on('close', go);
      });
    }
    await turn();
  }
  out.end(tail);
}

/** A text that is written again and again. */
export interface Flood {
  head?: string;
  again: string;
  tail?: string;
  bytes?: number;
  zipped?: boolean;
}
