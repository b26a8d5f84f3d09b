import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EventLoopWatch } from './event-loop';
import type { Readiness } from './readiness';

interface ObservabilityServerOptions {
  port: number;
  /** Default: the loopback interface. There is no authentication, so open it only to networks that may see metrics. */
  host?: string;
  readiness(): Promise<Readiness>;
  metrics(): Promise<{ contentType: string; text: string }>;
}

export interface ObservabilityServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Half the time of a decision. With the profile `steady` the worker's calls are given to another by then. */
const STUCK_MS = 5_000;

/** Serves `/healthz`, `/readyz` and `/metrics`. */
export async function startObservabilityServer(options: ObservabilityServerOptions): Promise<ObservabilityServer> {
  const watch = new EventLoopWatch();
  const server = createServer((request, response) => {
    answer(request.method ?? '', request.url ?? '', response, watch, options).catch(() => {
      if (!response.headersSent) respond(response, 500, 'error');
    });
  });
  try {
    await listen(server, options);
  } catch (error) {
    watch.stop();
    throw error;
  }
  const { address, family, port } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    async close() {
      watch.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function listen(server: Server, { port, host = '127.0.0.1' }: ObservabilityServerOptions): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening');
  // Such as too many open files: the next probe shows it.
  server.on('error', () => undefined);
  // Probes must not keep a worker from ending.
  server.unref();
}

async function answer(
  method: string,
  url: string,
  response: ServerResponse,
  watch: EventLoopWatch,
  { readiness, metrics }: ObservabilityServerOptions,
): Promise<void> {
  if (method !== 'GET' && method !== 'HEAD') return respond(response, 405, 'only GET');
  switch (url.split('?')[0]) {
    case '/healthz': {
      const stall = watch.longestStall();
      if (stall < STUCK_MS) return respond(response, 200, 'ok');
      return respond(response, 503, `the event loop stood still for ${(stall / 1_000).toFixed(1)} s`);
    }
    case '/readyz': {
      const { ready, why } = await readiness();
      return respond(response, ready ? 200 : 503, why ?? 'ready');
    }
    case '/metrics': {
      const { contentType, text } = await metrics();
      response.setHeader('content-type', contentType);
      response.end(text);
      return undefined;
    }
    default:
      return respond(response, 404, 'there are /healthz, /readyz and /metrics');
  }
}

function respond(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  response.setHeader('content-type', 'text/plain; charset=utf-8');
  response.end(`${text}\n`);
}
