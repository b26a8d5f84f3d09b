import { isJsonObject, type Json, type JsonObject } from '../../../lib/json/json';
import type { SpecProblem } from '../../../lib/contract/spec-problem';
import { templatesInCode } from '../../../lib/text/code-templates';
import { type FileConfig, parseConfig } from '../../../kinds/list/config';
import { parseSpec } from '../../../loop/parse/spec';
import type { ReadableFile } from '../../../spec-files/file-kind';
import { asWritten } from '../../../spec-files/placed';
import { specForm } from '../../../spec-files/spec-form';
import { stateWarnings } from '../../../spec-files/state-schema';
import { unknownKeys } from '../../../loop/step-state/unknown-keys';
import { sayOfTriggers } from '../../../spec-files/trigger-names';
import { FILE_KINDS, type SpecKinds } from '../../../kinds/list/files';
import { DATA, PLAIN } from '../../../lib/yaml/key-names';
import { readDocument, type TopLevel } from '../../../lib/yaml/read-document';
import { fieldsOf, FLAT_KEYS, SPEC_SHAPE } from '../../../spec-files/shapes';
import { setValues, type SetValue } from '../../../lib/yaml/set-values';
import { type FileProblem, type RunFile, SpecFileError } from '../../../lib/yaml/spec-file-error';
import { nearestName } from '../../../lib/names/nearest-name';

const OTHER_PROGRAMS: readonly [what: string, ...keys: string[]][] = [
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

const COMMON_KEYS: readonly string[] = ['name', 'description', 'version', 'metadata', 'type'];

const SPEC_KEYS = 'a spec has `generator:` (or `task:`) and `evaluator:`';

const OWN_KEYS: readonly string[] = ['generator', 'evaluator', 'task', 'nodes', 'goal', 'globalConfig'];

const NODE_KEYS: readonly string[] = ['name', 'uses', 'action', 'run', 'workflow'];

/** Undefined for a file that may be one of this package, also with typing errors. */
function otherFile({ keys, isList }: TopLevel, value: Json, known: readonly string[]): string | undefined {
  if (isList) {
    const items = Array.isArray(value) ? value : [];
    const isNodes = items.some((item) => isJsonObject(item) && NODE_KEYS.some((key) => Object.hasOwn(item, key)));
    return isNodes ? undefined : `the file is a list, which only the nodes of a pipeline may be; ${SPEC_KEYS}`;
  }
  if (keys.length === 0) return `the file holds a single value; ${SPEC_KEYS}`;
  if (OWN_KEYS.some((key) => keys.includes(key))) return undefined;
  const [other] = OTHER_PROGRAMS.find(([, ...needed]) => needed.every((key) => keys.includes(key))) ?? [];
  if (other !== undefined) return `the file looks like ${other}; ${SPEC_KEYS}`;
  const own = keys.filter((key) => !COMMON_KEYS.includes(key));
  if (own.length === 0 || own.some((key) => known.includes(key) || nearestName(key, known) !== undefined))
    return undefined;
  return `none of its keys (${keys.slice(0, 5).join(', ')}) is one of a spec; ${SPEC_KEYS}`;
}

type SpecFile = FileOf<'loop'>;

type RunnableFile = { [Kind in keyof SpecKinds]: RunFile<Kind, SpecKinds[Kind]> }[keyof SpecKinds];

export type FileOf<Kind extends keyof SpecKinds> = RunFile<Kind, SpecKinds[Kind]>;

interface ConfigFile extends Omit<RunFile<'config', never>, 'spec'> {
  config: FileConfig;
}

export type ReflectionFile = RunnableFile | ConfigFile;

const sayAsItIs = (_path: string, message: string): string => message;

/** Keys that make a file one of another kind: without them it is taken for a spec. */
const OTHER_KINDS = [...Object.values(FILE_KINDS).map(({ key }) => key), 'globalConfig'];

const KNOWN = [
  ...Object.keys(fieldsOf(SPEC_SHAPE)),
  ...Object.keys(FLAT_KEYS),
  ...OTHER_KINDS,
  'qualityCriteria',
  'agent',
];

type Content = { spec: SpecKinds[keyof SpecKinds] } | { config: FileConfig };

const KINDS: Record<ReflectionFile['kind'], ReadableFile<Content>> = {
  ...FILE_KINDS,
  config: {
    holds: 'configuration',
    isIn: ({ keys }) => keys.includes('globalConfig') || (keys.includes('agent') && !keys.includes('generator')),
    shape: () => PLAIN,
    form: asWritten,
    parse: parseConfig,
  },
  loop: {
    holds: 'a spec (`generator:`)',
    isIn: () => true,
    shape: () => SPEC_SHAPE,
    form: specForm,
    parse: parseSpec,
    say: sayOfTriggers(/^\/reflectionTriggers$/),
  },
};

function kindOf(top: TopLevel): [ReflectionFile['kind'], ReadableFile<Content>] {
  const kinds = Object.entries(KINDS) as [ReflectionFile['kind'], ReadableFile<Content>][];
  return kinds.find(([, { isIn }]) => isIn(top))!;
}

/**
 * Reads a YAML (or JSON) file: a spec (`generator:`), a pipeline (`nodes:`, or a list of nodes), a plan (`goal:`), a population
 * (`agents:`) or configuration (`global_config:`, `agent:`). Throws SpecFileError with every problem and its location;
 * UnknownPathError.
 */
export function parseFile(text: string, file: string, given: readonly SetValue[] = []): ReflectionFile {
  const document = readDocument(text, file, (top) => kindOf(top)[1].shape(top));
  const [kind, { form, parse, shape, say = sayAsItIs }] = kindOf(document.top);
  const written = setValues(document.value, shape(document.top), given);
  const { value, inFile, warnings: found = [] } = form(written.value);
  const locate = ({ path, message }: SpecProblem): FileProblem[] => {
    const place = inFile(path);
    const isGiven = written.pointers.some((pointer) => place === pointer || place.startsWith(`${pointer}/`));
    const said = `${say(path, message)}${isGiven ? ' (given by --set)' : ''}`;
    return document.locate({ path: place, message: said }, kind === 'loop' ? OTHER_KINDS : []);
  };
  const parsed = parse(value);
  if ('problems' in parsed) {
    const other = otherFile(document.top, written.value, KNOWN);
    if (other !== undefined) return document.fail('InvalidSpec', [{ path: '', message: other, line: 1, column: 1 }]);
    return document.fail('InvalidSpec', parsed.problems.flatMap(locate));
  }
  const warnings = (state: JsonObject = {}, isWhole = false): FileProblem[] => {
    const own = isJsonObject(value) && isJsonObject(value['state']) ? value['state'] : {};
    const declared = kind === 'pipeline' && isJsonObject(written.value) ? written.value['stateSchema'] : undefined;
    const placeInFile = ({ path, message }: SpecProblem): SpecProblem => ({ path: inFile(path), message });
    const all = [
      ...found,
      ...templatesInCode(written.value),
      ...stateWarnings(declared, { ...own, ...state }, '/stateSchema'),
      ...(isWhole && kind === 'loop' ? unknownKeys(value, { ...own, ...state }).map(placeInFile) : []),
    ];
    return all
      .flatMap((warning) => document.locate(warning))
      .toSorted((one, other) => one.line - other.line || one.column - other.column);
  };
  return { kind, file, locate, warnings, ...parsed } as ReflectionFile;
}

/**
 * Reads a YAML (or JSON) file that holds one kind of run. Keys of the spec may be written in snake_case; what is inside `state`,
 * `schema`, `with` and `examples` is the user's and stays as it is. Throws SpecFileError with every problem and its location.
 */
export function parseFileOf<Kind extends keyof SpecKinds>(text: string, file: string, kind: Kind): FileOf<Kind> {
  const parsed = parseFile(text, file);
  if (parsed.kind === kind) return parsed as FileOf<Kind>;
  const wanted = KINDS[kind].holds.replace(/^a /, '');
  const message = `the file holds ${KINDS[parsed.kind].holds}, and no ${wanted}`;
  throw new SpecFileError('InvalidSpec', file, [{ path: '', message, line: 1, column: 1 }]);
}

export function parseSpecFile(text: string, file: string): SpecFile {
  return parseFileOf(text, file, 'loop');
}

/**
 * Reads a YAML (or JSON) file of plain data, without renaming anything. Throws SpecFileError `InvalidYaml` with every problem.
 */
export function parseDataFile(text: string, file: string): Json {
  return readDocument(text, file, DATA).value;
}
