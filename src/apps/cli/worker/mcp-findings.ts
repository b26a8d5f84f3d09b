import { workerSwitches, type WorkOptions } from '../../../worker';
import { mcpFindings as findingsOf, parseMcpFile } from '../../../worker/mcp-servers';
import { withTimeout } from '../../../lib/timeout';
import { readText } from '../support/run-input';
import type { Finding } from './model-findings';
import { renderCount } from '../../../lib/text/counted';

const LONGEST_MS = 30_000;

/** The MCP servers of a file or of `REFLECT_MCP`. Throws CliError, SpecFileError with every problem. */
export async function mcpServersIn(
  file = process.env['REFLECT_MCP'] || undefined,
): Promise<Pick<WorkOptions, 'mcpServers'>> {
  return file === undefined ? {} : { mcpServers: parseMcpFile(...(await readText(file))) };
}

export async function mcpFindings(file: string | undefined): Promise<Finding[]> {
  try {
    const { allow } = workerSwitches({}, process.env);
    const servers = await mcpServersIn(file);
    const found = await withTimeout(LONGEST_MS, undefined, (signal) => findingsOf({ ...servers, allow }, signal));
    return found.map(({ server, tools = [], problem }) => ({
      well: problem === undefined && tools.length > 0,
      text:
        problem ??
        `MCP server "${server}": ${renderCount(tools.length, 'tool')} that runs may use (${tools.join(', ')})`,
      advice:
        problem === undefined ? 'Look at its `tools`, and at --allow-actions.' : 'Check its settings in the file.',
    }));
  } catch (error) {
    return [{ well: false, text: (error as Error).message, advice: 'It comes from --mcp or REFLECT_MCP.' }];
  }
}
