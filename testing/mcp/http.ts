import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { mcpServer } from './server';

/** The MCP server of the tests over streamable HTTP, on a port of this machine. */
export interface HttpMcp {
  url: string;
  /** Headers of each request, in their order. */
  headers: IncomingMessage['headers'][];
  /** Sessions that were begun. */
  sessions: number;
  /** Forgets all sessions and cuts all connections, as a server does that is started anew. */
  restart(): void;
  /** What every request is answered with instead, until it is undefined again. */
  answerWith: number | undefined;
  close(): Promise<void>;
}

export async function startHttpMcp(ledger: string): Promise<HttpMcp> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    mcp.headers.push(request.headers);
    if (mcp.answerWith !== undefined) return void response.writeHead(mcp.answerWith).end();
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    if (id !== undefined && !known) return void response.writeHead(404).end('no such session');
    if (known) return known.handleRequest(request, response);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (session) => {
        mcp.sessions += 1;
        sessions.set(session, transport);
      },
      onsessionclosed: (session) => void sessions.delete(session),
    });
    await mcpServer(ledger).connect(transport as Parameters<ReturnType<typeof mcpServer>['connect']>[0]);
    return transport.handleRequest(request, response);
  };
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const mcp: HttpMcp = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    headers: [],
    sessions: 0,
    answerWith: undefined,
    restart() {
      for (const transport of sessions.values()) void transport.close();
      sessions.clear();
      server.closeAllConnections();
    },
    async close() {
      mcp.restart();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return mcp;
}
