/** What the keys of a YAML object mean: words of this package, which may be written in snake_case, or a user's data. */
export type Shape =
  /** Left exactly as it is. */
  | { kind: 'data' }
  /** Keys are converted to camelCase; `fields` says what stands in them, by camelCase name. Others hold plain values. */
  | { kind: 'object'; fields: Record<string, Shape> };

type ObjectShape = Extract<Shape, { kind: 'object' }>;

const DATA: Shape = { kind: 'data' };
const PLAIN: Shape = { kind: 'object', fields: {} };
const STEP: ObjectShape = { kind: 'object', fields: { with: DATA } };
const OF_EVALUATORS = { schema: DATA, examples: DATA, with: DATA, reference: DATA };
/** What a criterion tells its evaluator has the words of that evaluator, and the data that may stand in them. */
const CRITERION: ObjectShape = {
  kind: 'object',
  fields: { evaluatorConfig: { kind: 'object', fields: OF_EVALUATORS } },
};
const EVALUATOR: ObjectShape = { kind: 'object', fields: { ...OF_EVALUATORS, criteria: CRITERION } };

/** The shape of a spec. Lists have the shape of their entries: `evaluator` may be one or several. */
export const SPEC_SHAPE: Shape = {
  kind: 'object',
  fields: {
    state: DATA,
    generator: STEP,
    corrector: STEP,
    evaluator: EVALUATOR,
    qualityCriteria: CRITERION,
    timeouts: PLAIN,
  },
};

/** The shape of an evaluation: its flat dialect has the fields of an evaluator at the top. */
export const EVALUATION_SHAPE: Shape = {
  kind: 'object',
  fields: { ...EVALUATOR.fields, state: DATA, data: DATA, evaluator: EVALUATOR },
};

/** The shape of a correction: its flat dialect has the fields of a step at the top. */
export const CORRECTION_SHAPE: Shape = {
  kind: 'object',
  fields: { ...STEP.fields, state: DATA, data: DATA, errors: DATA, corrector: STEP },
};

/** What stands in a field of an object of a shape. */
export function shapeOf(parent: Shape, key: string): Shape {
  if (parent.kind === 'data') return DATA;
  return Object.hasOwn(parent.fields, key) ? parent.fields[key]! : PLAIN;
}

/** `max_iterations` as `maxIterations`. Keys that are not snake_case stay as they are. */
export function camelCase(key: string): string {
  if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)+$/.test(key)) return key;
  return key.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}

/** Flat keys that stand for a field of a nested object, by camelCase name. */
export const FLAT_KEYS: Record<string, readonly [string, string]> = {
  revisionStrategy: ['revision', 'strategy'],
  includePriorVersions: ['revision', 'includePriorVersions'],
  includeReflectionHistory: ['revision', 'includeReflectionHistory'],
  maxRevisionTokens: ['revision', 'maxRevisionTokens'],
  plateauIterations: ['convergence', 'plateauIterations'],
  improvementThreshold: ['convergence', 'improvementThreshold'],
  detectOscillation: ['convergence', 'detectOscillation'],
  reflectionInterval: ['triggers', 'reflectionInterval'],
  reflectOnError: ['triggers', 'reflectOnError'],
  reflectOnTools: ['triggers', 'reflectOnTools'],
  qualityDropThreshold: ['triggers', 'qualityDropThreshold'],
};

/** Top-level keys of files that mean something that is not built yet, by camelCase name. */
export const LATER_KEYS: Record<string, string> = {
  nodes: 'pipelines (`nodes:`) are not supported yet',
  globalConfig: 'agent configuration (`global_config:`) is not supported yet',
  reflectionTriggers: 'not supported yet',
};
