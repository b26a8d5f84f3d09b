import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a server said of its answers. */
export interface Counted {
  /** Requests for chat completions that were answered with status 200. */
  calls: number;
  promptTokens: number;
  completionTokens: number;
}

export interface CountingProxy {
  baseUrl: string;
  /** What was counted since it was last asked. */
  take(): Counted;
  close(): Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const nothing = (): Counted => ({ calls: 0, promptTokens: 0, completionTokens: 0 });

/** Passes requests on, and adds up the tokens that whole answers name. */
export async function countingProxy(target: string): Promise<CountingProxy> {
  let counted = nothing();
  const server = createServer((request, response) => {
    void (async () => {
      const { method = 'POST', url = '', headers } = request;
      const body = await bodyOf(request);
      const { authorization } = headers;
      const answer = await fetch(`${target}${url.replace(/^\/v1/, '')}`, {
        method,
        headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
        ...(body.length > 0 && { body: body.toString() }),
      });
      const text = await answer.text();
      if (answer.ok && url.endsWith('/chat/completions')) {
        const { usage } = JSON.parse(text) as { usage?: { prompt_tokens: number; completion_tokens: number } };
        counted.calls += 1;
        counted.promptTokens += usage?.prompt_tokens ?? 0;
        counted.completionTokens += usage?.completion_tokens ?? 0;
      }
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' });
      response.end(text);
    })().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    take() {
      const taken = counted;
      counted = nothing();
      return taken;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
