import { parseMcpFile } from '../../src/worker/mcp';
import { parseModelsFile } from '../../src/worker/models-file/read-models-file';
import { createModels } from '../../src/lib/models';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const SERVER_SETTINGS = join(__dirname, '..', '..', 'src', 'apps', 'server', 'dev-server.ts');

/** The variables that a block names, each with a value. */
function variablesIn(code: string): Record<string, string> {
  return Object.fromEntries([...code.matchAll(/: ([A-Z_]{5,})\b/g)].map(([, name]) => [name, 'set']));
}

/**
 * Checks a YAML block of a page that is no spec: settings of a Temporal server (those with which our own is started), of MCP
 * servers, or of models.
 *
 * @returns false for anything else
 */
export function checkSettings(code: string, place: string): boolean {
  const named = [...code.matchAll(/^([a-z]+\.\w+):$/gm)].map(([, name]) => name!);
  for (const name of named) expect(readFileSync(SERVER_SETTINGS, 'utf8')).toContain(`'${name}=`);
  if (named.length > 0) return true;
  if (code.includes('mcpServers:')) {
    expect(parseMcpFile(code, place, variablesIn(code))).not.toEqual({});
    return true;
  }
  if (!/^endpoints:/m.test(code)) return false;
  const models = parseModelsFile(code, place, variablesIn(code));
  expect(() => createModels(models, {})).not.toThrow();
  return true;
}
