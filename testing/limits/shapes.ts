import type { Json, JsonObject } from '../../src/lib/json/json';
import { jsonSchemas } from '../../src/kinds/list/schemas';
import type { WorkflowType } from './limit-case';
import type { SchemaNode } from './schema-node';

/** A shape that a starter sends, and what makes a run of its smallest value that goes far enough to matter. */
export interface Shape {
  file: string;
  workflow: WorkflowType;
  /** Beside what the schema requires. Fields of a case win. */
  around: JsonObject;
}

/** Three versions, none of which passes. */
const LOOP: JsonObject = {
  generator: { action: 'makes', with: { bytes: 2_000 } },
  evaluator: { type: 'function', action: 'judges', with: {} },
  maxIterations: 2,
  convergence: false,
};

export const SHAPES: readonly Shape[] = [
  { file: 'spec.json', workflow: 'reflectionLoop', around: LOOP },
  { file: 'evaluation-request.json', workflow: 'reflectionEvaluate', around: { data: 'The sea is blue.' } },
  {
    file: 'correction-request.json',
    workflow: 'reflectionCorrect',
    around: { data: 'The sea is blue.', errors: ['It is not said why.'] },
  },
  {
    file: 'pipeline.json',
    workflow: 'reflectionPipeline',
    around: { state: { reflection_output: 'Blue.', reflection_errors: ['Why?'] } },
  },
  {
    file: 'plan-spec.json',
    workflow: 'planReflection',
    around: {
      goal: 'Know the sea.',
      enableLlmReflection: false,
      plan: { id: 'plan', tasks: [{ id: 'tasks 0', description: 'Look.', step: { action: 'makes' } }] },
    },
  },
  {
    file: 'agent-spec.json',
    workflow: 'agentReflection',
    around: { config: { reflection: { method: 'template' } } },
  },
];

/** Values of both; where both have one, lists and values of the second. */
export function merged(first: Json, second: Json): Json {
  if (!isObject(first) || !isObject(second)) return second;
  const keys = new Set([...Object.keys(first), ...Object.keys(second)]);
  // Another kind of step or evaluator is not mixed with the one that was there.
  if (['action', 'type', 'run', 'uses'].some((key) => key in first || key in second) && !sameKind(first, second)) {
    return second;
  }
  return Object.fromEntries(
    [...keys].map((key) => [
      key,
      key in first && key in second ? merged(first[key]!, second[key]!) : (second[key] ?? first[key])!,
    ]),
  );
}

function sameKind(first: JsonObject, second: JsonObject): boolean {
  return ['action', 'type', 'run', 'uses'].every((key) => first[key] === second[key]);
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The JSON Schema of a shape. */
export function schemaOf({ file }: Pick<Shape, 'file'>): SchemaNode {
  const schema = jsonSchemas()[file];
  if (!schema) throw new Error(`there is no JSON Schema ${file}`);
  return schema;
}
