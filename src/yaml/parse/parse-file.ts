import { PLAIN, type Shape, SPEC_SHAPE } from '../key-names';
import { agentsOf } from './parse-agents';
import { configOf, isConfig } from './parse-config';
import { pipelineOf } from './parse-pipeline';
import { planOf } from './parse-plan';
import { type SpecFile, specOf } from './parse-spec';
import { AGENTS_SHAPE, PLAN_SHAPE } from '../forms/plan-shape';
import { NODE_LIST_SHAPE, PIPELINE_SHAPE } from '../forms/pipeline-shape';
import { type ReadDocument, readDocument, type TopLevel } from '../read-document';
import { SpecFileError } from '../spec-file-error';

interface FileKind {
  /** What it is in words. */
  holds: string;
  isIn(top: TopLevel): boolean;
  shape(top: TopLevel): Shape;
  read(document: ReadDocument, file: string): { file: string };
}

/** What a file may hold: the first of these whose keys are there. */
const KINDS = {
  pipeline: {
    holds: 'a pipeline (`nodes:`)',
    isIn: ({ isList, keys }) => isList || keys.includes('nodes'),
    shape: ({ isList }) => (isList ? NODE_LIST_SHAPE : PIPELINE_SHAPE),
    read: pipelineOf,
  },
  plan: {
    holds: 'a plan (`goal:`)',
    isIn: ({ keys }) => keys.includes('goal'),
    shape: () => PLAN_SHAPE,
    read: planOf,
  },
  agents: {
    holds: 'a population (`agents:`)',
    isIn: ({ keys }) => keys.includes('agents'),
    shape: () => AGENTS_SHAPE,
    read: agentsOf,
  },
  config: { holds: 'configuration', isIn: isConfig, shape: () => PLAIN, read: configOf },
  loop: { holds: 'a spec (`generator:`)', isIn: () => true, shape: () => SPEC_SHAPE, read: specOf },
} satisfies Record<string, FileKind>;

export type ReflectionFile = ReturnType<(typeof KINDS)[keyof typeof KINDS]['read']>;

const kindOf = (top: TopLevel) => Object.values(KINDS).find(({ isIn }) => isIn(top))!;

/**
 * Reads a YAML (or JSON) file: a spec (`generator:`), a pipeline (`nodes:`, or a list of nodes), a plan (`goal:`), a population
 * (`agents:`) or configuration (`global_config:`, `agent:`).
 *
 * @throws SpecFileError with every mistake, and where it stands
 */
export function parseFile(text: string, file: string): ReflectionFile {
  const document = readDocument(text, file, (top) => kindOf(top).shape(top));
  return kindOf(document.top).read(document, file);
}

/**
 * Reads a YAML (or JSON) file that holds one spec. Keys of the spec may be written in snake_case; what is inside `state`,
 * `schema`, `with` and `examples` is the user's and stays as it is.
 *
 * @throws SpecFileError with every mistake, and where it stands
 */
export function parseSpecFile(text: string, file: string): SpecFile {
  const parsed = parseFile(text, file);
  if (parsed.kind === 'loop') return parsed;
  const message = `the file holds ${KINDS[parsed.kind].holds}, and no spec (\`generator:\`)`;
  throw new SpecFileError('InvalidSpec', file, [{ path: '', message, line: 1, column: 1 }]);
}
