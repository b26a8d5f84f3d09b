import { PLAIN, type Shape, SPEC_SHAPE } from '../key-names';
import { type AgentsFile, agentsOf } from './parse-agents';
import { type ConfigFile, configOf, isConfig } from './parse-config';
import { type PipelineFile, pipelineOf } from './parse-pipeline';
import { type PlanFile, planOf } from './parse-plan';
import { type SpecFile, specOf } from './parse-spec';
import { AGENTS_SHAPE, PLAN_SHAPE } from '../forms/plan-shape';
import { NODE_LIST_SHAPE, PIPELINE_SHAPE } from '../forms/pipeline-shape';
import { readDocument, type TopLevel } from '../read-document';
import { SpecFileError } from '../spec-file-error';

export type ReflectionFile = SpecFile | PipelineFile | PlanFile | AgentsFile | ConfigFile;

type Kind = ReflectionFile['kind'];

/**
 * A list of nodes, and a file with `nodes:`, is a pipeline; `goal:` makes a plan, `agents:` a population; `global_config:` and
 * `agent:` alone are configuration.
 */
function kindOf(top: TopLevel): Kind {
  if (top.isList || top.keys.includes('nodes')) return 'pipeline';
  if (top.keys.includes('goal')) return 'plan';
  if (top.keys.includes('agents')) return 'agents';
  return isConfig(top) ? 'config' : 'spec';
}

const SHAPES: Record<Kind, Shape> = {
  spec: SPEC_SHAPE,
  pipeline: PIPELINE_SHAPE,
  plan: PLAN_SHAPE,
  agents: AGENTS_SHAPE,
  config: PLAIN,
};

/**
 * Reads a YAML (or JSON) file: a spec (`generator:`), a pipeline (`nodes:`, or a list of nodes), a plan (`goal:`), a population
 * (`agents:`) or configuration (`global_config:`, `agent:`).
 *
 * @throws SpecFileError with every mistake, and where it stands
 */
export function parseFile(text: string, file: string): ReflectionFile {
  const document = readDocument(text, file, (top) => (top.isList ? NODE_LIST_SHAPE : SHAPES[kindOf(top)]));
  switch (kindOf(document.top)) {
    case 'pipeline':
      return pipelineOf(document, file);
    case 'plan':
      return planOf(document, file);
    case 'agents':
      return agentsOf(document, file);
    case 'config':
      return configOf(document, file);
    default:
      return specOf(document, file);
  }
}

const HOLDS = {
  pipeline: 'a pipeline (`nodes:`)',
  plan: 'a plan (`goal:`)',
  agents: 'a population (`agents:`)',
  config: 'configuration',
};

/**
 * Reads a YAML (or JSON) file that holds one spec. Keys of the spec may be written in snake_case; what is inside `state`,
 * `schema`, `with` and `examples` is the user's and stays as it is.
 *
 * @throws SpecFileError with every mistake, and where it stands
 */
export function parseSpecFile(text: string, file: string): SpecFile {
  const parsed = parseFile(text, file);
  if (parsed.kind === 'spec') return parsed;
  const message = `the file holds ${HOLDS[parsed.kind]}, and no spec (\`generator:\`)`;
  throw new SpecFileError('InvalidSpec', file, [{ path: '', message, line: 1, column: 1 }]);
}
