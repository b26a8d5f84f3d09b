import { types } from 'node:util';
import { ApplicationFailure } from '@temporalio/common';
import { ToolFailed } from '../../actions/action-failed';
import { shortenText } from '../../loop/step-state/tools';
import { refusalOf } from '../../lib/fetch/errors';
import { TOO_LARGE_CODE } from './answering-fetch';
import { redact } from '../../lib/redact';
import { mcpSdk } from './sdk';

/** A server answers these where it may take the same request another time. */
const PASSING = new Set([404, 408, 425, 429]);
/** Characters of what a server says of a failure. */
const SAID = 300;
/** Characters of what a server says of a call that it refuses. */
const MESSAGE_CHARACTERS = 16 * 1024;

/** Makes the failure for a server that is away, or did not answer in time: the call is made again. */
export function unavailable(server: string, why: string, type: 'Mcp.Unavailable' | 'Mcp.Timeout' = 'Mcp.Unavailable') {
  return ApplicationFailure.create({ type, message: `MCP server "${server}" ${redact(why, { length: SAID })}` });
}

/** Makes the failure for a server whose answer cannot be used: asking again does not help. */
export function makeRefusal(server: string, why: string): ApplicationFailure {
  const message = `MCP server "${server}" ${redact(why, { length: SAID })}`;
  return ApplicationFailure.create({ type: 'Mcp.Refused', message, nonRetryable: true });
}

/** Returns the reason of an error. Errors of `fetch` have it inside. */
function reasonOf(error: Error): string {
  const { cause } = error as { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? error.message;
}

/** Returns whether an HTTP server does not know the session: it has begun anew, and did nothing with the request. */
export function isSessionGone(error: unknown): boolean {
  return error instanceof mcpSdk().StreamableHTTPError && error.code === 404;
}

/** Returns the message about an answer that was too large; undefined for every other error. */
export function tooLargeIn(error: unknown): string | undefined {
  const isAnswered = error instanceof mcpSdk().McpError && (error.code as number) === TOO_LARGE_CODE;
  return isAnswered ? error.message.replace(/^MCP error -?\d+: /, '') : refusalOf(error)?.message;
}

/**
 * Returns the failure of a call from an error of the SDK.
 *
 * @param timeoutMs of the call
 */
export function failureOf(error: unknown, server: string, timeoutMs: number): Error {
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
