import type { Action, ActionRegistry } from '../../actions/types';
import { UnknownAction } from '../../actions/registry';
import { type AllowList, allows } from '../../lib/base/allow-list';
import { didYouMean } from '../../lib/names/nearest-name';
import { McpConnection } from './connection';
import type { ServerTool } from './content';
import { McpTool } from './mcp-tool';
import type { McpTarget } from './settings';

const MOST_LISTED = 30;

interface Server {
  connection: McpConnection;
  target: McpTarget;
  tools: ReadonlyMap<string, McpTool>;
  mistake?: string | undefined;
}

/** Describes an entry of a safety rule that covers no tool of the server: a mistyped rule would be off without a word. */
function idleRule({ approval = [], readOnly = [] }: McpTarget, tools: readonly string[]): string | undefined {
  const rules = { approval: Array.isArray(approval) ? approval : Object.keys(approval), readOnly };
  for (const [field, entries] of Object.entries(rules)) {
    const idle = entries.find((entry) => entry !== '*' && !tools.some((tool) => allows([entry], tool)));
    if (idle !== undefined) return `\`${field}\` names "${idle}", which is no tool of it${didYouMean(idle, tools)}`;
  }
  return undefined;
}

function partsOf(name: string): { server: string; tool: string } | undefined {
  const match = /^mcp\.([^.]+)\.(.+)$/s.exec(name);
  return match ? { server: match[1]!, tool: match[2]! } : undefined;
}

function listNames(names: readonly string[]): string {
  const more = names.length > MOST_LISTED ? `, and ${names.length - MOST_LISTED} more` : '';
  return `${names.slice(0, MOST_LISTED).join(', ')}${more}`;
}

export class McpServers {
  readonly #servers: ReadonlyMap<string, Server>;

  /** @param allowed names of actions that runs may use */
  constructor(
    targets: ReadonlyMap<string, McpTarget>,
    private readonly allowed: AllowList | undefined,
  ) {
    this.#servers = new Map([...targets].map(([name, target]) => [name, this.#serverOf(name, target)]));
  }

  #serverOf(name: string, target: McpTarget): Server {
    const setTools = (tools: readonly ServerTool[]): void => {
      server.tools = new Map(tools.map((tool) => [tool.name, new McpTool(server.connection, tool, target)]));
      const idle = idleRule(target, [...server.tools.keys()]);
      server.mistake =
        idle && `the settings of MCP server "${name}": ${idle}; it has ${listNames([...server.tools.keys()])}`;
    };
    const server: Server = { connection: new McpConnection(name, target, setTools), target, tools: new Map() };
    return server;
  }

  has(name: string): boolean {
    const parts = partsOf(name);
    return parts !== undefined && this.#servers.has(parts.server);
  }

  #isAllowed(name: string, tool: string, { tools }: McpTarget): boolean {
    return allows(tools, tool) && allows(this.allowed, name);
  }

  /** Finds a tool that runs may use, of a server whose tools are known. */
  find(name: string): Action | undefined {
    const { server = '', tool = '' } = partsOf(name) ?? {};
    const place = this.#servers.get(server);
    const found = place?.tools.get(tool);
    return found && !place?.mistake && found.problem === undefined && this.#isAllowed(name, tool, place!.target)
      ? found.action
      : undefined;
  }

  whyNot(name: string): string | undefined {
    const { server = '', tool = '' } = partsOf(name) ?? {};
    if (server === '') return undefined;
    const place = this.#servers.get(server);
    const action = `action "${name}"`;
    const servers = [...this.#servers.keys()];
    if (!place) {
      const has = servers.length === 0 ? 'it has none' : `it has ${listNames(servers)}`;
      return `${action}: no MCP server "${server}" is configured on this worker${didYouMean(server, servers)}; ${has}`;
    }
    if (!this.#isAllowed(name, tool, place.target)) return `${action} is not allowed on this worker`;
    const { problem = place.mistake } = place.tools.get(tool) ?? {};
    if (problem !== undefined) return `${action}: ${problem}`;
    const tools = [...place.tools.keys()].filter((each) =>
      this.#isAllowed(`mcp.${server}.${each}`, each, place.target),
    );
    const has = tools.length === 0 ? 'it has none' : `it has ${listNames(tools)}`;
    return `${action}: MCP server "${server}" has no tool "${tool}"${didYouMean(tool, tools)}; ${has}`;
  }

  /** Learns the tools of named servers. Throws `Mcp.Unavailable`, `Mcp.Timeout` or `Mcp.Refused`. */
  async learn(names: readonly string[], signal: AbortSignal): Promise<void> {
    const wanted = new Set(names.filter((name) => this.has(name)));
    await Promise.all(
      [...wanted].map(async (name) => {
        const { server, tool } = partsOf(name)!;
        const place = this.#servers.get(server)!;
        if (!this.#isAllowed(name, tool, place.target)) return;
        await place.connection.learnTools(signal);
        await place.tools.get(tool)?.check();
      }),
    );
  }

  /** Lists the tools of each server that runs may use, or why they are unknown, for the operator of the worker. */
  async describe(signal: AbortSignal): Promise<{ server: string; tools?: string[]; problem?: string }[]> {
    return Promise.all(
      [...this.#servers].map(async ([name, place]) => {
        try {
          await place.connection.learnTools(signal);
          const tools = [...place.tools.keys()].filter((tool) =>
            this.#isAllowed(`mcp.${name}.${tool}`, tool, place.target),
          );
          return place.mistake === undefined ? { server: name, tools } : { server: name, problem: place.mistake };
        } catch (error) {
          return { server: name, problem: (error as Error).message };
        }
      }),
    );
  }

  async close(): Promise<void> {
    await Promise.all([...this.#servers.values()].map(({ connection }) => connection.close()));
  }
}

export function withMcpServers(actions: ActionRegistry, servers: McpServers): ActionRegistry {
  const find = (name: string): Action | undefined => actions.find(name) ?? servers.find(name);
  const whyNot = (name: string): string => servers.whyNot(name) ?? actions.whyNot(name);
  return {
    names: actions.names,
    find,
    whyNot,
    get(name) {
      const action = find(name);
      if (!action) throw new UnknownAction(whyNot(name));
      return action;
    },
    learn: (names, signal) => servers.learn(names, signal),
  };
}
