import type { JsonObject } from '../../lib/json/json';
import type { Duration } from '../../lib/contract/values';

/** The settings that every MCP server may have. */
interface McpServerLimits {
  /** Tools that runs may use: names, or beginnings that end with `*`. Default: all that the server has. */
  tools?: string[];
  /**
   * Tools that only read, so that judges may call them: names, or beginnings that end with `*`. The server's own `readOnlyHint`
   * is not enough. Default: none.
   */
  readOnly?: string[];
  /**
   * Tools whose calls need the approval of a person: names, or beginnings that end with `*`; or an object with such names, each with
   * a JSON Schema: a call whose arguments it fits needs approval. Default: none.
   */
  approval?: string[] | Record<string, JsonObject>;
  /** Maximum time of one call, such as `30s`, or milliseconds. Default: a minute. */
  timeout?: Duration;
  /**
   * Maximum number of attempts of one call, from 1. An attempt that was lost with its worker counts, so 1 means at most
   * once. Default: calls are retried like those of other actions.
   */
  maximumAttempts?: number;
}

/** A program that speaks the Model Context Protocol on its standard input and output. Every worker process runs one. */
export interface McpProgram extends McpServerLimits {
  /** Path of the program, or a name that is looked up in the worker's `PATH`. There is no shell. */
  command: string;
  args?: string[];
  /** The working directory. Default: that of the worker. */
  cwd?: string;
  /**
   * Environment variables of the program, each with the name of the worker's variable that has its value. Apart from
   * these it gets `PATH`, `HOME`, `USER` and the like.
   */
  envFromVariables?: Record<string, string>;
}

/** A server that speaks the Model Context Protocol over streamable HTTP. */
export interface McpService extends McpServerLimits {
  url: string;
  /** Headers of every request, each with the name of the worker's variable that has its value. */
  headersFromVariables?: Record<string, string>;
}

/** A server of the Model Context Protocol (MCP), whose tools are actions: `mcp.<server>.<tool>`. */
export type McpServer = McpProgram | McpService;

/** MCP servers by the names under which specs know their tools. */
export type McpServerSettings = Record<string, McpServer>;
