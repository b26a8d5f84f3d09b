import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import { duration, jsonObject, milliseconds } from '../../lib/contract/values';
import { isJsonObject, type Json, type JsonObject } from '../../lib/json/json';
import { jsonPointer } from '../../lib/json/json-pointer';
import type { SpecProblem } from '../../lib/contract/spec-problem';
import { formProblems } from '../../lib/contract/form-problems';
import { DATA } from '../../lib/yaml/key-names';
import { readDocument } from '../../lib/yaml/read-document';
import { httpUrl, inCamelCase, unsetVariables, valuesOfVariables, variableNames } from '../../lib/yaml/worker-settings';
import type { McpProgram, McpServer, McpServerSettings, McpService } from './types';

const SERVER_NAME = /^[A-Za-z0-9_-]{1,32}$/;
const DEFAULT_TIMEOUT_MS = 60_000;
const KEY = 'mcpServers';

const filled = z.string().min(1, 'must not be empty');
const limits = {
  tools: z.array(filled).optional(),
  readOnly: z.array(filled).optional(),
  approval: z.union([z.array(filled), z.record(filled, jsonObject)]).optional(),
  timeout: duration.optional(),
  maximumAttempts: z.int().min(1).optional(),
};
const program = z.strictObject({
  command: filled,
  args: z.array(z.string()).optional(),
  cwd: filled.optional(),
  envFromVariables: variableNames.optional(),
  ...limits,
}) satisfies z.ZodType<McpProgram>;
const service = z.strictObject({
  url: httpUrl,
  headersFromVariables: variableNames.optional(),
  ...limits,
}) satisfies z.ZodType<McpService>;

/** An MCP server as a worker calls it. The values of variables are in it: it is never shown. */
export interface McpTarget {
  tools?: readonly string[];
  readOnly?: readonly string[];
  approval?: McpServer['approval'];
  timeoutMs: number;
  maximumAttempts?: number;
  at: { command: string; args: string[]; cwd?: string; env: Record<string, string> } | { url: URL; headers: Headers };
}

/** Settings of MCP servers that cannot be used. */
export class InvalidMcpServers extends TypeError {
  override name = 'InvalidMcpServers';

  constructor(readonly problems: SpecProblem[]) {
    const lines = problems.map(({ path, message }) => `${path || KEY}: ${message}`);
    super(`${KEY} has ${lines.length === 1 ? 'a mistake' : `${lines.length} mistakes`}:\n${lines.join('\n')}`);
  }
}

function problemsOfServer(name: string, value: unknown, env: NodeJS.ProcessEnv): SpecProblem[] {
  const ofName = SERVER_NAME.test(name)
    ? []
    : [{ path: '', message: 'its name may have letters, digits, _ and -, 32 at most' }];
  if (!isJsonObject(value)) return [...ofName, { path: '', message: 'must be an object with `command` or `url`' }];
  const problems = [...ofName, ...formProblems('url' in value ? service : program, value)];
  const { cwd, envFromVariables, headersFromVariables } = value;
  if (typeof cwd === 'string' && !statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
    problems.push({ path: '/cwd', message: 'is no folder' });
  }
  return [
    ...problems,
    ...unsetVariables({ envFromVariables, headersFromVariables }, env),
    ...badHeaders(headersFromVariables),
  ];
}

function badHeaders(headers: Json | undefined): SpecProblem[] {
  return Object.keys(isJsonObject(headers) ? headers : {}).flatMap((name) =>
    /^[\w!#$%&'*+.^`|~-]+$/.test(name)
      ? []
      : [{ path: jsonPointer(['headersFromVariables', name]), message: 'is no name of a header' }],
  );
}

function targetOf(name: string, server: McpServer, env: NodeJS.ProcessEnv): McpTarget {
  const { tools, readOnly, approval, timeout, maximumAttempts } = server;
  const prefix = `mcp.${name}.`;
  // The full name of a tool, as specs write it, is understood, too.
  const ownName = (entry: string): string => (entry.startsWith(prefix) ? entry.slice(prefix.length) : entry);
  const rules = Array.isArray(approval)
    ? approval.map(ownName)
    : approval && Object.fromEntries(Object.entries(approval).map(([entry, schema]) => [ownName(entry), schema]));
  return {
    ...(tools && { tools: tools.map(ownName) }),
    ...(readOnly && { readOnly: readOnly.map(ownName) }),
    ...(rules && { approval: rules }),
    ...(maximumAttempts !== undefined && { maximumAttempts }),
    timeoutMs: timeout === undefined ? DEFAULT_TIMEOUT_MS : milliseconds(timeout),
    at:
      'url' in server
        ? { url: new URL(server.url), headers: new Headers(valuesOfVariables(server.headersFromVariables ?? {}, env)) }
        : {
            command: server.command,
            args: server.args ?? [],
            ...(server.cwd !== undefined && { cwd: server.cwd }),
            env: valuesOfVariables(server.envFromVariables ?? {}, env),
          },
  };
}

/** Checks settings of MCP servers, and converts them. Throws InvalidMcpServers with every mistake. */
export function mcpTargets(settings: unknown, env: NodeJS.ProcessEnv): Map<string, McpTarget> {
  if (!isJsonObject(settings)) throw new InvalidMcpServers([{ path: '', message: 'must be an object of servers' }]);
  const problems = Object.entries(settings).flatMap(([name, value]) =>
    problemsOfServer(name, value, env).map(({ path, message }) => ({ path: jsonPointer([name]) + path, message })),
  );
  if (problems.length > 0) throw new InvalidMcpServers(problems);
  const servers = Object.entries(settings) as unknown as [string, McpServer][];
  return new Map(servers.map(([name, server]) => [name, targetOf(name, server, env)]));
}

/**
 * Reads a YAML (or JSON) file with `mcpServers`: an object of servers by name.
 *
 * @throws SpecFileError with every mistake and its place; Error for a file that cannot be read
 */
export function readMcpFile(file: string, env: NodeJS.ProcessEnv = process.env): McpServerSettings {
  return parseMcpFile(readFileSync(file, 'utf8'), file, env);
}

/** Reads the text of such a file. Throws SpecFileError. */
export function parseMcpFile(text: string, file: string, env: NodeJS.ProcessEnv = process.env): McpServerSettings {
  const { value, locate, fail } = readDocument(text, file, DATA);
  const refuse = (problems: SpecProblem[]): never =>
    fail(
      'InvalidSpec',
      problems.flatMap((problem) => locate(problem)),
    );
  const top = isJsonObject(value) ? inCamelCase(value) : {};
  const strange = Object.keys(top).filter((key) => key !== KEY);
  if (!(KEY in top) || strange.length > 0) {
    const unknown = strange.map((key) => ({ path: jsonPointer([key]), message: `unknown field; there is ${KEY}` }));
    return refuse([...unknown, ...(KEY in top ? [] : [{ path: '', message: `must have ${KEY}, servers by name` }])]);
  }
  const servers = isJsonObject(top[KEY])
    ? Object.fromEntries(
        Object.entries(top[KEY]).map(([name, server]) => [name, isJsonObject(server) ? inCamelCase(server) : server]),
      )
    : top[KEY];
  try {
    mcpTargets(servers, env);
  } catch (error) {
    if (!(error instanceof InvalidMcpServers)) throw error;
    const key = Object.keys(value as JsonObject)[0]!;
    return refuse(error.problems.map(({ path, message }) => ({ path: jsonPointer([key]) + path, message })));
  }
  return servers as unknown as McpServerSettings;
}
