import type * as ClientModule from '@modelcontextprotocol/sdk/client/index.js';
import type * as StdioModule from '@modelcontextprotocol/sdk/client/stdio.js';
import type * as HttpModule from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type * as TypesModule from '@modelcontextprotocol/sdk/types.js';
import { requireOptional } from '../../lib/optional-packages';

/** The parts of the MCP SDK that a client needs; those of servers are never loaded. */
type McpSdk = Pick<typeof ClientModule, 'Client'> &
  Pick<typeof StdioModule, 'StdioClientTransport'> &
  Pick<typeof HttpModule, 'StreamableHTTPClientTransport' | 'StreamableHTTPError'> &
  Pick<typeof TypesModule, 'ErrorCode' | 'McpError' | 'ToolListChangedNotificationSchema'>;

function load(part: string): unknown {
  return requireOptional('MCP servers', '@modelcontextprotocol/sdk', part);
}

let sdk: McpSdk | undefined;

/** Loads the MCP SDK when it is needed. Throws PackageMissing. */
export function mcpSdk(): McpSdk {
  sdk ??= {
    ...(load('client/index.js') as typeof ClientModule),
    ...(load('client/stdio.js') as typeof StdioModule),
    ...(load('client/streamableHttp.js') as typeof HttpModule),
    ...(load('types.js') as typeof TypesModule),
  };
  return sdk;
}
