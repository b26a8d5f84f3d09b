import { createActionRegistry } from '../../src/actions/registry';
import { runTool } from '../../src/actions/tool';
import type { ActionRegistry } from '../../src/actions/types';
import { McpServers, mcpTargets, withMcpServers } from '../../src/worker/mcp';
import type { McpServerSettings } from '../../src/worker/mcp/types';

/** A signal that nobody aborts. */
export const never: AbortSignal = new AbortController().signal;

const opened: McpServers[] = [];

/** The actions of a worker with these servers, which end by `closeServers`. */
export function actionsOf(settings: McpServerSettings, allowed?: string[]): ActionRegistry {
  const servers = new McpServers(mcpTargets(settings, process.env), allowed);
  opened.push(servers);
  return withMcpServers(createActionRegistry([]), servers);
}

/** Ends all servers that were begun. */
export async function closeServers(): Promise<void> {
  await Promise.all(opened.splice(0).map((servers) => servers.close()));
}

/**
 * Calls an action as a model's tool.
 *
 * @param given arguments, or the text that a model wrote
 * @param approval what the worker that checked the spec and a person decided
 */
export async function call(
  actions: ActionRegistry,
  action: string,
  given: object | string = {},
  signal: AbortSignal = never,
  approval: { isGuarded?: boolean; isApproved?: boolean } = {},
): ReturnType<typeof runTool> {
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  const attempt = { attempt: 1, idempotencyKey: 'key-1' };
  const input = { action, arguments: text, state: {}, iteration: 1, workflowId: 'run', ...approval };
  return runTool(input, { actions, signal, attempt });
}

/** Returns whether a process has ended. */
export function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}
