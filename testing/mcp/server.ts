import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';

/** One call that the server was sent, as its ledger has it. */
export interface McpLedgerEntry {
  tool: string;
  arguments: unknown;
  /** Of the call, the same for all of its attempts. */
  key: unknown;
  pid: number;
  /** How the call ended; absent for its beginning. */
  end?: 'answered' | 'cancelled';
}

type Run = (given: Record<string, unknown>, signal: AbortSignal) => Promise<CallToolResult> | CallToolResult;

interface OwnTool extends Tool {
  run: Run;
}

const text = (content: string): CallToolResult => ({ content: [{ type: 'text', text: content }] });
const object = (properties: Record<string, object> = {}, required: string[] = []): Tool['inputSchema'] => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Tools of every kind that a client may meet. */
function tools(ledger: string): OwnTool[] {
  const later: OwnTool = { name: 'later', inputSchema: object(), run: () => text('I am new.') };
  const all: OwnTool[] = [
    {
      name: 'add',
      description: 'Adds two numbers.',
      inputSchema: object({ a: { type: 'number' }, b: { type: 'number' } }, ['a', 'b']),
      run: ({ a, b }) => text(String(Number(a) + Number(b))),
    },
    {
      name: 'look.up',
      description: `Looks a word up.${' It knows many.'.repeat(200)}`,
      inputSchema: object({ word: { type: 'string', minLength: 2 }, ms: { type: 'number' } }, ['word']),
      async run({ word, ms = 0 }, signal) {
        await sleep(Number(ms), undefined, { signal });
        return text(`${String(word)}: a word. {{ state.secret }}`);
      },
    },
    {
      name: 'count',
      description: 'Counts letters.',
      inputSchema: object({ word: { type: 'string' }, ms: { type: 'number' } }, ['word']),
      async run({ word, ms = 0 }, signal) {
        await sleep(Number(ms), undefined, { signal });
        return text(String(String(word).length));
      },
    },
    {
      name: 'fails',
      inputSchema: object(),
      run: () => ({ ...text('There is no such page.'), isError: true }),
    },
    {
      name: 'breaks',
      inputSchema: object(),
      run: () => {
        throw new McpError(ErrorCode.InternalError, 'the shelf fell over');
      },
    },
    {
      name: 'crashes_once',
      inputSchema: object(),
      run: () => {
        const mark = `${ledger}.crashed`;
        if (existsSync(mark)) return text('I am back.');
        writeFileSync(mark, '');
        return process.exit(9);
      },
    },
    { name: 'huge', inputSchema: object(), run: () => text('x'.repeat(1_000_000)) },
    {
      name: 'slow',
      inputSchema: object(),
      async run(_given, signal) {
        await sleep(60_000, undefined, { signal });
        return text('at last');
      },
    },
    {
      name: 'picture',
      inputSchema: object(),
      run: () => ({
        content: [
          { type: 'text', text: 'A pixel:' },
          { type: 'image', data: PIXEL, mimeType: 'image/png' },
          { type: 'resource_link', uri: 'file:///pixel.png', name: 'pixel' },
          {
            type: 'resource_link',
            uri: 'file:///all.txt',
            name: 'all',
            title: 'All notes',
            mimeType: 'text/plain',
            description: 'Read it by `read`.',
          },
          { type: 'resource', resource: { uri: 'file:///notes.txt', mimeType: 'text/plain', text: 'First.\nSecond.' } },
          { type: 'resource', resource: { uri: 'file:///empty.txt', text: '' } },
          { type: 'resource', resource: { uri: 'file:///pixel.png', mimeType: 'image/png', blob: PIXEL } },
          { type: 'audio', data: PIXEL, mimeType: 'audio/wav' },
        ],
      }),
    },
    {
      name: 'judges',
      inputSchema: object({ output: {} }),
      run: ({ output }) => {
        const good = JSON.stringify(output).includes('5');
        const structuredContent = { pass: good, score: good ? 0.9 : 0.2 };
        return { ...text(JSON.stringify(structuredContent)), structuredContent };
      },
    },
    {
      name: 'variables',
      inputSchema: object(),
      run: () => text(Object.keys(process.env).sort().join(' ')),
    },
    {
      name: 'bad_schema',
      inputSchema: { type: 'object', properties: { a: { type: 'nothing' } } },
      run: () => text(''),
    },
    {
      name: 'old_draft',
      inputSchema: {
        $schema: 'http://json-schema.org/draft-04/schema#',
        type: 'object',
        properties: { a: { type: 'number', minimum: 1, exclusiveMinimum: true } },
      },
      run: ({ a }) => text(Number(a) > 1 ? 'Accepted.' : 'The server says: a must be more than 1.'),
    },
    {
      name: 'grows',
      inputSchema: object(),
      run: () => {
        if (!all.includes(later)) all.push(later);
        return text('There is a new tool.');
      },
    },
  ];
  return all;
}

/** Tools on one page of the list, so that every client has to turn pages. */
const PAGE = 4;

/**
 * A server of the Model Context Protocol, made with its SDK. It is not connected yet.
 *
 * @param ledger the file that gets a line for the beginning and the end of each call
 */
export function mcpServer(ledger: string): Server {
  const server = new Server({ name: 'test', version: '1' }, { capabilities: { tools: { listChanged: true } } });
  const all = tools(ledger);
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
    const from = Number(params?.cursor ?? 0);
    const page = all.slice(from, from + PAGE).map(({ run: _run, ...tool }) => tool);
    return { tools: page, ...(from + PAGE < all.length ? { nextCursor: String(from + PAGE) } : {}) };
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const { name, arguments: given = {}, _meta } = params;
    const entry = { tool: name, arguments: given, key: _meta?.['durable-reflection/idempotencyKey'], pid: process.pid };
    const note = (more: Partial<McpLedgerEntry> = {}): void =>
      appendFileSync(ledger, `${JSON.stringify({ ...entry, ...more })}\n`);
    note();
    const tool = all.find((each) => each.name === name);
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `no tool ${name}`);
    const count = all.length;
    try {
      const result = await tool.run(given, signal);
      note({ end: 'answered' });
      if (all.length !== count) await server.sendToolListChanged();
      return result;
    } catch (error) {
      if (signal.aborted) note({ end: 'cancelled' });
      throw error;
    }
  });
  return server;
}
