import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { z } from 'zod';
import type { JsonObject } from '../../lib/json/json';
import { ToolFailed } from '../../actions/action-failed';
import { orAborted, withTimeout } from '../../lib/timeout';
import { readResult, readTools, type ServerTool, type ToolResult } from './content';
import { mcpSdk } from './sdk';
import type { McpTarget } from './settings';
import { closeTransport, endWithProcess, type McpTransport, MESSAGE_BYTES, transportTo } from './transport';
import { types } from 'node:util';
import { ApplicationFailure } from '@temporalio/common';
import { shortenText } from '../../loop/step-state/tools';
import { refusalOf } from '../../lib/fetch/errors';
import { TOO_LARGE_CODE } from './answering-fetch';
import { redact } from '../../lib/redact';

/** A server answers these where it may take the same request another time. */
const PASSING = new Set([404, 408, 425, 429]);
const SAID_CHARACTERS = 300;
const MESSAGE_CHARACTERS = 16 * 1024;

/** Makes the failure for a server that is away, or did not answer in time: the call is made again. */
function unavailable(server: string, why: string, type: 'Mcp.Unavailable' | 'Mcp.Timeout' = 'Mcp.Unavailable') {
  return ApplicationFailure.create({
    type,
    message: `MCP server "${server}" ${redact(why, { length: SAID_CHARACTERS })}`,
  });
}

/** Makes the failure for a server whose answer cannot be used: asking again does not help. */
function makeRefusal(server: string, why: string): ApplicationFailure {
  const message = `MCP server "${server}" ${redact(why, { length: SAID_CHARACTERS })}`;
  return ApplicationFailure.create({ type: 'Mcp.Refused', message, nonRetryable: true });
}

function reasonOf(error: Error): string {
  const { cause } = error as { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? error.message;
}

/** Returns whether an HTTP server does not know the session: it has begun anew, and did nothing with the request. */
function isSessionGone(error: unknown): boolean {
  return error instanceof mcpSdk().StreamableHTTPError && error.code === 404;
}

function tooLargeIn(error: unknown): string | undefined {
  const isAnswered = error instanceof mcpSdk().McpError && (error.code as number) === TOO_LARGE_CODE;
  return isAnswered ? error.message.replace(/^MCP error -?\d+: /, '') : refusalOf(error)?.message;
}

function failureOf(error: unknown, server: string, timeoutMs: number): Error {
  const { ErrorCode, McpError, StreamableHTTPError } = mcpSdk();
  if (error instanceof ApplicationFailure || error instanceof ToolFailed) return error;
  const tooMuch = tooLargeIn(error);
  if (tooMuch !== undefined) return makeRefusal(server, `answers too much: ${tooMuch}`);
  if (error instanceof McpError) {
    const code: number = error.code;
    if (code === (ErrorCode.ConnectionClosed as number)) return unavailable(server, 'ended, or closed the connection');
    if (code === (ErrorCode.RequestTimeout as number)) {
      return unavailable(server, `did not answer within ${timeoutMs} ms`, 'Mcp.Timeout');
    }
    // The server answered: its message is for the caller of the tool.
    return new ToolFailed(shortenText(error.message.replace(/^(?:MCP error -?\d+: )+/, ''), MESSAGE_CHARACTERS));
  }
  if (error instanceof StreamableHTTPError) {
    const { code = 0 } = error;
    const isPassing = code < 400 || code >= 500 || PASSING.has(code);
    return (isPassing ? unavailable : makeRefusal)(server, `answers ${code}`);
  }
  return unavailable(server, `cannot be reached: ${types.isNativeError(error) ? reasonOf(error) : String(error)}`);
}

/** The time for a server to start. A program may be fetched from a registry first. */
const CONNECT_MS = 60_000;
/** The time for a server to list its tools, and the time for which it is not asked again after that was too short. */
const LIST_MS = 30_000;
const PING_MS = 5_000;
/** A server that has more would fill no prompt with them. */
const MOST_TOOLS = 1_000;
const MOST_PAGES = 100;

/** The SDK's message about a program whose message does not end, before it ends the program. */
const TOO_MUCH = /exceeded maximum size/;
const TOO_LARGE = `answers with more than ${MESSAGE_BYTES} bytes`;

const ANYTHING = z.unknown();

const CLIENT = { name: 'durable-reflection', version: '0' };

interface OpenConnection {
  client: Client;
  transport: McpTransport;
  /** Under way. */
  calls: number;
  /** Whether it ended because its program wrote more than is read of one message. */
  isTooMuch?: boolean;
}

interface McpCall {
  tool: string;
  parameters: JsonObject;
  signal: AbortSignal;
  /** The key for servers that carry out a request once per key. */
  idempotencyKey: string;
}

/**
 * The connection of this process to one MCP server: opened on first use, and again after it was lost. For a program that is
 * also its process.
 */
export class McpConnection {
  #opening: Promise<OpenConnection> | undefined;
  #tools: Promise<readonly ServerTool[]> | undefined;
  #transport: McpTransport | undefined;
  #isClosed = false;

  constructor(
    readonly name: string,
    private readonly target: McpTarget,
    private readonly onTools: (tools: readonly ServerTool[]) => void,
  ) {}

  /**
   * Learns the server's tools, unless they are known. The server is asked again after it reported that they have changed, and
   * with each new connection. Throws ApplicationFailure `Mcp.Unavailable`, `Mcp.Timeout` or `Mcp.Refused`; the reason with which
   * the signal is aborted.
   */
  async learnTools(signal: AbortSignal): Promise<void> {
    await this.#runLimited(signal, CONNECT_MS, async () => {
      if (!this.#tools) await this.#ensureOpen();
      await (this.#tools ??= this.#list((await this.#ensureOpen()).client));
    }).catch((error: unknown) => {
      // It answers, and not with its tools.
      throw error instanceof ToolFailed ? unavailable(this.name, `answers: ${error.message}`) : error;
    });
  }

  /** Calls a tool; the signal cancels it at the server. Throws ToolFailed for an error of the server. */
  async call({ tool, parameters, signal, idempotencyKey }: McpCall): Promise<ToolResult> {
    const { timeoutMs: timeout } = this.target;
    const _meta = { 'durable-reflection/idempotencyKey': idempotencyKey };
    const request = { method: 'tools/call' as const, params: { name: tool, arguments: parameters, _meta } };
    return this.#runLimited(signal, timeout, async (limited) => {
      for (let isAgain = false; ; isAgain = true) {
        const opened = await this.#ensureOpen();
        opened.calls += 1;
        try {
          return readResult(await opened.client.request(request, ANYTHING, { signal: limited, timeout }));
        } catch (error) {
          const tooMuch = tooLargeIn(error);
          if (tooMuch !== undefined) throw new ToolFailed(tooMuch);
          // Of several calls it is unknown which one it was.
          if (opened.isTooMuch && opened.calls === 1) throw new ToolFailed(`The server ${TOO_LARGE}`);
          if (isAgain || limited.aborted || !isSessionGone(error)) throw error;
          this.#leave(opened);
        } finally {
          opened.calls -= 1;
        }
      }
    });
  }

  /** Ends the connection, and the program. Calls that come later fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    // A server that does not answer is not waited for.
    if (this.#transport) await closeTransport(this.#transport);
    const opened = await this.#opening?.catch(() => undefined);
    if (opened) this.#leave(opened);
  }

  /** Runs work that ends with its signal, and at the latest when the server could have started and have answered. */
  async #runLimited<T>(signal: AbortSignal, timeoutMs: number, work: (limited: AbortSignal) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const longestMs = CONNECT_MS + timeoutMs;
    return withTimeout(longestMs, signal, async (limited, isTimeUp) => {
      try {
        return await orAborted(work(limited), limited);
      } catch (error) {
        signal.throwIfAborted();
        if (isTimeUp()) throw unavailable(this.name, `did not answer within ${longestMs} ms`, 'Mcp.Timeout');
        throw failureOf(error, this.name, timeoutMs);
      }
    });
  }

  #ensureOpen(): Promise<OpenConnection> {
    if (this.#isClosed) return Promise.reject(unavailable(this.name, 'is closed: the worker stops'));
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      throw failureOf(error, this.name, CONNECT_MS);
    });
    return this.#opening;
  }

  async #open(): Promise<OpenConnection> {
    const { Client, ToolListChangedNotificationSchema } = mcpSdk();
    const transport = transportTo(this.target);
    this.#transport = transport;
    const client = new Client(CLIENT);
    const opened: OpenConnection = { client, transport, calls: 0 };
    Object.assign(client, {
      onclose: () => this.#leave(opened),
      onerror: ({ message }: Error) => {
        if (TOO_MUCH.test(message)) opened.isTooMuch = true;
        if (/SSE stream|reconnect/i.test(message)) void this.#checkAlive(opened);
      },
    });
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
      this.#tools = undefined;
    });
    endWithProcess(transport);
    try {
      await client.connect(transport, { timeout: CONNECT_MS });
      const tools = this.#list(client);
      this.#tools = tools;
      await tools;
      return opened;
    } catch (error) {
      await closeTransport(transport);
      throw opened.isTooMuch ? makeRefusal(this.name, TOO_LARGE) : error;
    }
  }

  /** Pings the server: the SDK reports nothing about a call whose stream was cut. */
  async #checkAlive({ client, transport }: OpenConnection): Promise<void> {
    await client.ping({ timeout: PING_MS }).catch(() => transport.close());
  }

  /** Leaves a connection, so that the next call opens another one. The tools stay known. */
  #leave(opened: OpenConnection): void {
    void this.#opening?.then(
      (present) => {
        if (present === opened) this.#opening = undefined;
      },
      () => undefined,
    );
  }

  async #list(client: Client): Promise<readonly ServerTool[]> {
    let isLate = false;
    try {
      const tools = await withTimeout(LIST_MS, undefined, async (signal, isTimeUp) =>
        listTools(client, signal).catch((error: unknown) => {
          isLate = isTimeUp();
          if (!isLate) throw error;
          throw unavailable(this.name, `did not list its tools within ${LIST_MS} ms`, 'Mcp.Timeout');
        }),
      );
      this.onTools(tools);
      return tools;
    } catch (error) {
      const forget = (): void => void (this.#tools = undefined);
      // An attempt that waited less long is over: the next one learns it.
      if (isLate) setTimeout(forget, LIST_MS).unref();
      else forget();
      throw error;
    }
  }
}

async function listTools(client: Client, signal: AbortSignal): Promise<ServerTool[]> {
  const tools: ServerTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES && tools.length < MOST_TOOLS; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const request = { method: 'tools/list' as const, params };
    const answer = await client.request(request, ANYTHING, { signal, timeout: 2 * LIST_MS });
    const { tools: more, nextCursor } = readTools(answer, MOST_TOOLS - tools.length);
    tools.push(...more);
    cursor = nextCursor;
    if (cursor === undefined) break;
  }
  return tools;
}
