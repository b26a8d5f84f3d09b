/** What the keys of a YAML object mean: words of this package, which may be written in snake_case, or a user's data. */
export type Shape =
  /** Left exactly as it is. */
  { kind: 'data' } | ObjectShape;

/** Keys are converted to camelCase; `fields` says what stands in them, by camelCase name. Others hold plain values. */
export interface ObjectShape {
  kind: 'object';
  fields: Record<string, Shape>;
  /** Keys that stand for another key, or for a field of a nested object, by camelCase name. */
  flat?: Record<string, readonly string[]>;
  /** What shape an object really has, where one of its own texts decides that. */
  choose?(textOf: (key: string) => string | undefined): Shape;
}

export const DATA: Shape = { kind: 'data' };
export const PLAIN: Shape = { kind: 'object', fields: {} };
export const STEP: ObjectShape = { kind: 'object', fields: { with: DATA }, flat: { uses: ['action'] } };
const OF_EVALUATORS = { schema: DATA, examples: DATA, with: DATA, reference: DATA };
/** What a criterion tells its evaluator has the words of that evaluator, and the data that may stand in them. */
const CRITERION: ObjectShape = {
  kind: 'object',
  fields: { evaluatorConfig: { kind: 'object', fields: OF_EVALUATORS } },
};
const EVALUATOR: ObjectShape = { kind: 'object', fields: { ...OF_EVALUATORS, criteria: CRITERION } };

/** What stands in a field of an object of a shape; with several keys, in a field of a field. */
export function shapeOf(parent: Shape, path: readonly string[]): Shape {
  return path.reduce<Shape>((shape, key) => {
    if (shape.kind === 'data') return DATA;
    return Object.hasOwn(shape.fields, key) ? shape.fields[key]! : PLAIN;
  }, parent);
}

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

/** Where the value of a key goes, in an object of a shape. */
export function pathFor(name: string, shape: Shape): readonly string[] {
  if (shape.kind === 'data') return [name];
  const key = camelCase(name);
  return shape.flat && Object.hasOwn(shape.flat, key) ? shape.flat[key]! : [key];
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

/** The shape of a spec. Lists have the shape of their entries: `evaluator` may be one or several. */
export const SPEC_SHAPE: Shape = {
  kind: 'object',
  fields: {
    state: DATA,
    generator: STEP,
    corrector: STEP,
    evaluator: EVALUATOR,
    qualityCriteria: CRITERION,
    judge: { kind: 'object', fields: { second: EVALUATOR } },
    timeouts: PLAIN,
  },
  flat: FLAT_KEYS,
};
