import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** An MCP server over HTTP that greets a client, and never answers a request for its tools. */
export async function startSilentMcp(): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { id, method, params } = JSON.parse(body || '{}') as {
        id?: number;
        method?: string;
        params?: { protocolVersion: string };
      };
      if (id === undefined) return response.writeHead(method ? 202 : 405).end();
      if (method !== 'initialize') return undefined;
      const capabilities = { tools: {} };
      const serverInfo = { name: 'silent', version: '1' };
      const result = { protocolVersion: params!.protocolVersion, capabilities, serverInfo };
      response.writeHead(200, { 'content-type': 'application/json' });
      return response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
