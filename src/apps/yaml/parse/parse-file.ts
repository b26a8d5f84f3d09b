import type { AgentReflectionSpec } from '../../../kinds/agents/contract/agents';
import type { FileConfig } from '../../../kinds/file-config/contract';
import type { PipelineSpec } from '../../../kinds/pipeline/contract/pipeline';
import type { PlanSpec } from '../../../kinds/plan/contract/plan';
import type { ReflectionSpec } from '../../../loop/contract/spec';
import { isJsonObject, type Json, type JsonObject } from '../../../lib/json/json';
import type { SpecProblem } from '../../../lib/contract/spec-problem';
import { templatesInCode } from '../../../lib/text/code-templates';
import { parseAgentReflection, parseConfig, parsePipeline, parsePlanSpec, parseSpec } from '../../../kinds/schemas';
import { pipelineForm, pipelineMessage } from '../../../kinds/pipeline/file/pipeline-form';
import { asWritten, type Placed } from '../forms/placed';
import { planForm } from '../../../kinds/plan/file/plan-form';
import { specForm } from '../forms/spec-form';
import { stateWarnings } from '../forms/state-schema';
import { unknownKeys } from '../../../loop/step-state/unknown-keys';
import { TRIGGERS_MESSAGE } from '../forms/trigger-names';
import { DATA, PLAIN, type Shape } from '../../../lib/yaml/key-names';
import { readDocument, type TopLevel } from '../../../lib/yaml/read-document';
import { AGENTS_SHAPE, NODE_LIST_SHAPE, PIPELINE_SHAPE, PLAN_SHAPE, SPEC_SHAPE } from '../forms/shapes';
import { type FileProblem, type RunFile, SpecFileError } from '../../../lib/yaml/spec-file-error';

/** A spec that was read from a file. */
type SpecFile = RunFile<'loop', ReflectionSpec>;

/** A pipeline that was read from a file. */
export type PipelineFile = RunFile<'pipeline', PipelineSpec>;

/** A goal, and how it is to be reached, that was read from a file. */
type PlanFile = RunFile<'plan', PlanSpec>;

/** A population that was read from a file. */
type AgentsFile = RunFile<'agents', AgentReflectionSpec>;

/** Configuration that was read from a file. */
export interface ConfigFile extends Omit<RunFile<'config', never>, 'spec'> {
  config: FileConfig;
}

/** A file that a run can be started by. */
type RunnableFile = SpecFile | PipelineFile | PlanFile | AgentsFile;

export type ReflectionFile = RunnableFile | ConfigFile;

interface FileKind<File> {
  /** The contents of such a file in words. */
  holds: string;
  isIn(top: TopLevel): boolean;
  shape(top: TopLevel): Shape;
  form(written: Json): Placed;
  parse(value: Json): Omit<File, 'kind' | 'file' | 'locate' | 'warnings'> | { problems: SpecProblem[] };
  /** Returns the message about a problem at a path. */
  say?(path: string, message: string): string;
}

/** Makes a function that replaces messages about a list of triggers, where a loop has one. */
const sayOfTriggers =
  (place: RegExp) =>
  (path: string, message: string): string =>
    place.test(path) ? TRIGGERS_MESSAGE : message;

const sayAsItIs = (_path: string, message: string): string => message;

/** Keys that make a file one of another kind: without them it is taken for a spec. */
const OTHER_KINDS = ['nodes', 'goal', 'agents', 'globalConfig'];

/** The kinds of file: a file is of the first kind whose keys are there. */
const KINDS: { [Kind in ReflectionFile['kind']]: FileKind<Extract<ReflectionFile, { kind: Kind }>> } = {
  pipeline: {
    holds: 'a pipeline (`nodes:`)',
    isIn: ({ isList, keys }) => isList || keys.includes('nodes'),
    shape: ({ isList }) => (isList ? NODE_LIST_SHAPE : PIPELINE_SHAPE),
    form: pipelineForm,
    parse(value) {
      const parsed = parsePipeline(value);
      return 'problems' in parsed ? parsed : { spec: parsed.pipeline };
    },
    say: pipelineMessage,
  },
  plan: {
    holds: 'a plan (`goal:`)',
    isIn: ({ keys }) => keys.includes('goal'),
    shape: () => PLAN_SHAPE,
    form: planForm,
    parse: parsePlanSpec,
    say: sayOfTriggers(/^\/plan\/tasks\/\d+\/step\/loop\/reflectionTriggers$/),
  },
  agents: {
    holds: 'a population (`agents:`)',
    isIn: ({ keys }) => keys.includes('agents'),
    shape: () => AGENTS_SHAPE,
    form: asWritten,
    parse: parseAgentReflection,
  },
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

function kindOf(top: TopLevel): [ReflectionFile['kind'], FileKind<ReflectionFile>] {
  const kinds = Object.entries(KINDS) as [ReflectionFile['kind'], FileKind<ReflectionFile>][];
  return kinds.find(([, { isIn }]) => isIn(top))!;
}

/**
 * Reads a YAML (or JSON) file: a spec (`generator:`), a pipeline (`nodes:`, or a list of nodes), a plan (`goal:`), a population
 * (`agents:`) or configuration (`global_config:`, `agent:`).
 *
 * @throws SpecFileError with every problem and its location
 */
export function parseFile(text: string, file: string): ReflectionFile {
  const document = readDocument(text, file, (top) => kindOf(top)[1].shape(top));
  const [kind, { form, parse, say = sayAsItIs }] = kindOf(document.top);
  const { value, inFile, warnings: found = [] } = form(document.value);
  const locate = ({ path, message }: SpecProblem): FileProblem[] =>
    document.locate({ path: inFile(path), message: say(path, message) }, kind === 'loop' ? OTHER_KINDS : []);
  const parsed = parse(value);
  if ('problems' in parsed) return document.fail('InvalidSpec', parsed.problems.flatMap(locate));
  const warnings = (state: JsonObject = {}, isWhole = false): FileProblem[] => {
    const own = isJsonObject(value) && isJsonObject(value['state']) ? value['state'] : {};
    const declared = kind === 'pipeline' && isJsonObject(document.value) ? document.value['stateSchema'] : undefined;
    const placeInFile = ({ path, message }: SpecProblem): SpecProblem => ({ path: inFile(path), message });
    const all = [
      ...found,
      ...templatesInCode(document.value),
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
export function parseFileOf<Kind extends RunnableFile['kind']>(
  text: string,
  file: string,
  kind: Kind,
): Extract<RunnableFile, { kind: Kind }> {
  const parsed = parseFile(text, file);
  if (parsed.kind === kind) return parsed as Extract<RunnableFile, { kind: Kind }>;
  const wanted = KINDS[kind].holds.replace(/^a /, '');
  const message = `the file holds ${KINDS[parsed.kind].holds}, and no ${wanted}`;
  throw new SpecFileError('InvalidSpec', file, [{ path: '', message, line: 1, column: 1 }]);
}

/** Reads a file that holds one spec, as `parseFileOf` does. */
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
