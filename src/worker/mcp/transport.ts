import type { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { answeringFetch } from './answering-fetch';
import { MOST_ANSWER_BYTES } from '../../lib/fetch/errors';
import { mcpSdk } from './sdk';
import type { McpTarget } from './settings';
import { atMost } from '../../lib/timeout';

export type McpTransport = StdioClientTransport | StreamableHTTPClientTransport;

/** The time for a program to end after its standard input was closed. */
const END_MS = 1_000;
export const MESSAGE_BYTES = MOST_ANSWER_BYTES;

const programs = new Set<number>();

function kill(pid: number): void {
  programs.delete(pid);
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}

/** A program that does not heed that its input is closed would outlive the worker. */
process.on('exit', () => {
  for (const pid of programs) kill(pid);
});

/** Makes the transport to a server; nothing is opened yet. */
export function transportTo({ at }: McpTarget): McpTransport {
  const { StdioClientTransport, StreamableHTTPClientTransport } = mcpSdk();
  if ('url' in at) {
    const headers = Object.fromEntries(at.headers);
    return new StreamableHTTPClientTransport(at.url, { requestInit: { headers }, fetch: answeringFetch });
  }
  const { cwd, ...rest } = at;
  return new StdioClientTransport({ ...rest, ...(cwd && { cwd }), maxBufferSize: MESSAGE_BYTES });
}

function pidOf(transport: McpTransport): number | undefined {
  return 'pid' in transport ? (transport.pid ?? undefined) : undefined;
}

/** Has the program of a transport that is not started yet end with this process. */
export function endWithProcess(transport: McpTransport): void {
  const start = transport.start.bind(transport);
  transport.start = async () => {
    await start();
    const pid = pidOf(transport);
    if (pid === undefined) return;
    programs.add(pid);
    const { onclose } = transport;
    const forgetProgram = (): void => {
      programs.delete(pid);
      onclose?.();
    };
    Object.assign(transport, { onclose: forgetProgram });
  };
}

/** Closes a transport: its session ends, or its program within a second. Never throws. */
export async function closeTransport(transport: McpTransport): Promise<void> {
  const pid = pidOf(transport);
  const until = performance.now() + END_MS;
  const ending = 'terminateSession' in transport ? transport.terminateSession() : Promise.resolve();
  await atMost(END_MS, ending).catch(() => undefined);
  const closing = transport.close().catch(() => undefined);
  await atMost(until - performance.now(), closing, () => pid !== undefined && kill(pid));
  if (pid !== undefined) programs.delete(pid);
}
