import pc from 'picocolors';
import { userInfo } from 'node:os';
import type { TemporalOverrides } from '../../../lib/config';
import { CliError } from '../support/cli-error';
import { withClient } from '../support/connect';
import { EXIT } from '../support/exit-codes';
import { onInterrupt } from '../support/interrupts';
import { printText, writeJson } from '../terminal/say';
import { Pages } from './pages';
import { ReviewRuns } from './runs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Access, foreign, ROOT } from './access';
import { enteringPage } from './layout';
import { nodeListener } from './node-listener';
import { pagesHandler, respond, respondWithText, type ReviewPages } from './pages-handler';

export interface ReviewServer {
  readonly url: string;
  readonly access: Access;
  close(): Promise<void>;
}

const TIMES = { requestTimeout: 60_000, headersTimeout: 10_000, connectionsCheckingInterval: 1_000 };

/** Most connections without a request under way; the oldest gives way. A browser has six. */
const MOST_ASKING = 64;

export async function startReviewServer(port: number, pages: ReviewPages): Promise<ReviewServer> {
  const access = new Access();
  /** The connections without a request under way, the one that has waited longest first. */
  const asking = new Set<Socket>();
  const portOf = (): number => (server.address() as AddressInfo).port;
  const listener = nodeListener(
    pagesHandler(pages, {
      base: ROOT,
      admit: async (request, url) => admitBrowser(request, url, access, portOf()),
    }),
  );
  const server = createServer(TIMES, (request, response) => {
    const { socket } = request;
    asking.delete(socket);
    response.once('close', () => {
      // One that is closed would stay the oldest for ever.
      if (!socket.destroyed) asking.add(socket);
    });
    listener(request, response);
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
    url: `http://127.0.0.1:${portOf()}`,
    access,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const NOT_ADMITTED =
  'This page is for the browser that opened the link of `reflect review` first. Start the command again for another link.';

function admitBrowser(request: Request, { pathname, searchParams }: URL, access: Access, port: number) {
  const stranger = foreign(request, port);
  if (stranger !== undefined) return respondWithText(403, stranger);
  const token = searchParams.get('token');
  if (request.method === 'GET' && token !== null && pathname === `${ROOT}/`) return enter(request, access, port, token);
  return access.admits(request, port) ? {} : respondWithText(401, NOT_ADMITTED);
}

function enter(request: Request, access: Access, port: number, token: string): Response {
  // A browser that prefetches a link before a user opens it would use it up.
  if (request.headers.has('sec-purpose')) return respondWithText(503, 'Open the link to go on.');
  const cookie = access.redeem(token, port);
  if (cookie === undefined && !access.admits(request, port)) return respondWithText(401, NOT_ADMITTED);
  return respond(200, enteringPage(), cookie === undefined ? {} : { 'set-cookie': cookie });
}

interface ReviewOptions extends TemporalOverrides {
  port: number;
  by?: string;
  json?: boolean;
}

/** `reflect review`: pages on which a person looks at runs and decides about them, until Ctrl-C. */
export async function review({ port, by, json, ...options }: ReviewOptions): Promise<number> {
  return withClient(options, async (client) => {
    const server = await startServer(port, new Pages(new ReviewRuns(client), by ?? userName()));
    const url = `${server.url}${server.access.path}`;
    if (json) writeJson({ url });
    else {
      printText(`Runs that wait for a person: ${pc.bold(url)}`);
      printText(
        'The link works once, in the browser that opens it first. Ctrl-C ends the pages; runs are not affected.',
      );
    }
    await waitForInterrupt();
    await server.close();
    return EXIT.success;
  });
}

async function waitForInterrupt(): Promise<void> {
  await new Promise<void>((resolve) => {
    const stopListening = onInterrupt(() => {
      stopListening();
      resolve();
    });
  });
}

async function startServer(port: number, pages: Pages): Promise<ReviewServer> {
  try {
    return await startReviewServer(port, pages);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    throw new CliError('PortInUse', `Port ${port} can not be used (${code}).`, 'Choose another with --port.');
  }
}

/** Returns the name of the user who runs the process. Some systems know none. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'reviewer';
  }
}
