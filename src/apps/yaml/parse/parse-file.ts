import { isJsonObject, type Json, type JsonObject } from '../../../lib/json/json';
import type { SpecProblem } from '../../../lib/contract/spec-problem';
import { templatesInCode } from '../../../lib/text/code-templates';
import { type FileConfig, parseConfig } from '../../../kinds/list/config';
import { parseSpec } from '../../../loop/parse/spec';
import type { ReadableFile } from '../forms/file-kind';
import { otherFile } from '../forms/other-files';
import { asWritten } from '../forms/placed';
import { specForm } from '../forms/spec-form';
import { stateWarnings } from '../forms/state-schema';
import { unknownKeys } from '../../../loop/step-state/unknown-keys';
import { sayOfTriggers } from '../forms/trigger-names';
import { FILE_KINDS, type SpecKinds } from '../../../kinds/list/files';
import { DATA, PLAIN } from '../../../lib/yaml/key-names';
import { readDocument, type TopLevel } from '../../../lib/yaml/read-document';
import { fieldsOf, FLAT_KEYS, SPEC_SHAPE } from '../forms/shapes';
import { setValues, type SetValue } from '../../../lib/yaml/set-values';
import { type FileProblem, type RunFile, SpecFileError } from '../../../lib/yaml/spec-file-error';

type SpecFile = FileOf<'loop'>;

type RunnableFile = { [Kind in keyof SpecKinds]: RunFile<Kind, SpecKinds[Kind]> }[keyof SpecKinds];

export type FileOf<Kind extends keyof SpecKinds> = RunFile<Kind, SpecKinds[Kind]>;

/** Configuration that was read from a file. */
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
 * (`agents:`) or configuration (`global_config:`, `agent:`).
 *
 * @param given values in place of those of the file
 * @throws SpecFileError with every problem and its location; UnknownPathError
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
 * `schema`, `with` and `examples` is the user's and stays as it is.
 *
 * @throws SpecFileError with every problem and its location
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
 * Reads a YAML (or JSON) file of plain data, without renaming anything.
 *
 * @throws SpecFileError `InvalidYaml` with every problem
 */
export function parseDataFile(text: string, file: string): Json {
  return readDocument(text, file, DATA).value;
}
