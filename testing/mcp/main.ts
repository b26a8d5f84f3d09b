import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { mcpServer } from './server';

/** The MCP server of the tests as a program. Its argument is the file of its ledger. */
async function main(): Promise<void> {
  const [ledger] = process.argv.slice(2);
  if (ledger === undefined) throw new Error('name the file of the ledger');
  // One that does not end when its input does must be ended by its client.
  if (process.env['MCP_TEST_STUBBORN']) setInterval(() => undefined, 1_000);
  await mcpServer(ledger).connect(new StdioServerTransport());
}

void main();
