import { isJsonObject, type Json } from '../../../lib/json/json';
import { nearestName } from '../../../lib/names/nearest-name';
import type { TopLevel } from '../../../lib/yaml/read-document';

/** Files of other programs, by the keys at their top, in camelCase. */
const OTHERS: readonly [what: string, ...keys: string[]][] = [
  ['a workflow of GitHub Actions', 'on', 'jobs'],
  ['a file of Docker Compose', 'services'],
  ['a manifest of Kubernetes', 'apiVersion', 'kind'],
  ['a `package.json` of npm', 'version', 'dependencies'],
  ['a `package.json` of npm', 'version', 'scripts'],
  ['settings of TypeScript', 'compilerOptions'],
  ['a test suite of promptfoo', 'prompts', 'providers'],
  ['a crew of CrewAI', 'agents', 'tasks'],
  ['a description of an HTTP API (OpenAPI)', 'openapi'],
  ['a configuration of LangGraph', 'graphs'],
  ['settings of MCP servers (`--mcp` takes them)', 'mcpServers'],
  ['a JSON Schema (it belongs under `schema:` of an evaluator)', 'type', 'properties'],
  ['settings of models (REFLECT_MODELS takes them)', 'endpoints', 'models'],
];

/** Keys that files of any program have. */
const COMMON: readonly string[] = ['name', 'description', 'version', 'metadata', 'type'];

const SPEC_KEYS = 'a spec has `generator:` (or `task:`) and `evaluator:`';

/** Keys that make a file one of this package, whatever else it has. */
const OWN: readonly string[] = ['generator', 'evaluator', 'task', 'nodes', 'goal', 'globalConfig'];

/** Keys of the nodes of a pipeline. */
const OF_NODES: readonly string[] = ['name', 'uses', 'action', 'run', 'workflow'];

/**
 * Describes a file that holds something else than this package reads, of which a list of unknown keys would say little.
 * Undefined for a file that may be one of this package, also with typing errors.
 *
 * @param known the keys that files of any kind have at their top
 */
export function otherFile({ keys, isList }: TopLevel, value: Json, known: readonly string[]): string | undefined {
  if (isList) {
    const items = Array.isArray(value) ? value : [];
    const isNodes = items.some((item) => isJsonObject(item) && OF_NODES.some((key) => Object.hasOwn(item, key)));
    return isNodes ? undefined : `the file is a list, which only the nodes of a pipeline may be; ${SPEC_KEYS}`;
  }
  if (keys.length === 0) return `the file holds a single value; ${SPEC_KEYS}`;
  if (OWN.some((key) => keys.includes(key))) return undefined;
  const [other] = OTHERS.find(([, ...needed]) => needed.every((key) => keys.includes(key))) ?? [];
  if (other !== undefined) return `the file looks like ${other}; ${SPEC_KEYS}`;
  const own = keys.filter((key) => !COMMON.includes(key));
  if (own.length === 0 || own.some((key) => known.includes(key) || nearestName(key, known) !== undefined))
    return undefined;
  return `none of its keys (${keys.slice(0, 5).join(', ')}) is one of a spec; ${SPEC_KEYS}`;
}
