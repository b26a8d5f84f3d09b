import { types } from 'node:util';
import { ApplicationFailure } from '@temporalio/common';
import { ToolFailed } from '../actions/action-failed';
import { redact } from '../redact';
import { mcpSdk } from './sdk';

/** A server answers these where it may take the same request another time. */
const PASSING = new Set([404, 408, 425, 429]);
/** Characters of what a server says of a failure. */
const SAID = 300;

/** The server is away, or did not answer in time: the call is made again. */
export function unavailable(server: string, why: string, type: 'Mcp.Unavailable' | 'Mcp.Timeout' = 'Mcp.Unavailable') {
  return ApplicationFailure.create({ type, message: `MCP server "${server}" ${redact(why, { length: SAID })}` });
}

function refused(server: string, why: string): ApplicationFailure {
  const message = `MCP server "${server}" ${redact(why, { length: SAID })}`;
  return ApplicationFailure.create({ type: 'Mcp.Refused', message, nonRetryable: true });
}

/** Errors of `fetch` have their reason inside. */
function reasonOf(error: Error): string {
  const { cause } = error as { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? error.message;
}

/** An HTTP server says that it does not know the session: it has begun anew, and did nothing with the request. */
export function isSessionGone(error: unknown): boolean {
  return error instanceof mcpSdk().StreamableHTTPError && error.code === 404;
}

/** What the SDK threw, as the failure of the call. @param timeoutMs of the call */
export function failureOf(error: unknown, server: string, timeoutMs: number): Error {
  const { ErrorCode, McpError, StreamableHTTPError } = mcpSdk();
  if (error instanceof ApplicationFailure) return error;
  if (error instanceof McpError) {
    const code: number = error.code;
    if (code === (ErrorCode.ConnectionClosed as number)) return unavailable(server, 'ended, or closed the connection');
    if (code === (ErrorCode.RequestTimeout as number)) {
      return unavailable(server, `did not answer within ${timeoutMs} ms`, 'Mcp.Timeout');
    }
    // It answered: what it says is for whoever called the tool.
    return new ToolFailed(error.message.replace(/^(?:MCP error -?\d+: )+/, ''));
  }
  if (error instanceof StreamableHTTPError) {
    const { code = 0 } = error;
    const isPassing = code < 400 || code >= 500 || PASSING.has(code);
    return (isPassing ? unavailable : refused)(server, `answers ${code}`);
  }
  return unavailable(server, `cannot be reached: ${types.isNativeError(error) ? reasonOf(error) : String(error)}`);
}
