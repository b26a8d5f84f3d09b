import type { AllowList } from '../lib/base/allow-list';
import { McpServers, mcpTargets, readMcpFile } from './mcp';
import { assertInstalled } from '../lib/optional-packages';
import type { WorkOptions } from './work-options';

export { parseMcpFile } from './mcp';

interface McpServerFinding {
  server: string;
  tools?: string[];
  problem?: string;
}

/**
 * Reads the MCP servers of a worker, by its options or else by the file that `REFLECT_MCP` names; undefined for none. Throws
 * InvalidMcpServers or SpecFileError for settings that cannot be used; PackageMissing.
 */
export function mcpServersOf(
  { mcpServers }: Pick<WorkOptions, 'mcpServers'>,
  env: NodeJS.ProcessEnv,
  allowed?: AllowList,
): McpServers | undefined {
  const { REFLECT_MCP: file } = env;
  const settings = mcpServers ?? (file ? readMcpFile(file, env) : undefined);
  if (settings === undefined) return undefined;
  const targets = mcpTargets(settings, env);
  if (targets.size === 0) return undefined;
  assertInstalled('MCP servers');
  return new McpServers(targets, allowed);
}

/** Asks each server of a worker of this environment for its tools, and ends the connections. */
export async function mcpFindings(
  options: Pick<WorkOptions, 'mcpServers' | 'allow'>,
  signal: AbortSignal,
): Promise<McpServerFinding[]> {
  const servers = mcpServersOf(options, process.env, options.allow?.actions);
  if (!servers) return [];
  try {
    return await servers.describe(signal);
  } finally {
    await servers.close();
  }
}
