export { McpServers, withMcpServers } from './servers';
export { InvalidMcpServers, mcpTargets, parseMcpFile, readMcpFile } from './settings';
export type { McpProgram, McpServer, McpServerSettings, McpService } from './types';
