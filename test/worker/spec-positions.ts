import type { Json, JsonObject } from '../../src/lib/json/json';
import { jsonSchemas } from '../../src/kinds/list/schemas';

type Schema = { [key: string]: unknown };

/** What a worker may be told not to serve. */
export type Need = 'code' | 'call' | 'action' | 'model' | 'agent' | 'workflow';

/** Where a spec may ask for something of its worker: a small argument that does, and the path of the place. */
export interface Position {
  need: Need;
  path: string;
  argument: JsonObject;
}

/** Arguments of workflow types, as their JSON Schemas describe them. */
export const ARGUMENTS = {
  reflectionLoop: 'spec',
  reflectionEvaluate: 'evaluation-request',
  reflectionCorrect: 'correction-request',
  reflectionPipeline: 'pipeline',
  planReflection: 'plan-spec',
  agentReflection: 'agent-spec',
  reflectionBatch: 'batch-spec',
} as const;

/** Fields that ask for something, and what a spec would write there. */
const ASKING: Record<string, [need: Need, value: string]> = {
  run: ['code', 'return 1'],
  url: ['call', 'https://judge.example.com/'],
  command: ['call', 'check'],
  action: ['action', 'hidden'],
  uses: ['action', 'hidden'],
  tools: ['action', 'hidden'],
  onGeneration: ['action', 'hidden'],
  onReflection: ['action', 'hidden'],
  onRevision: ['action', 'hidden'],
  onWaiting: ['action', 'hidden'],
  model: ['model', 'large'],
  reflectionModel: ['model', 'large'],
  agent: ['agent', 'other'],
  workflow: ['workflow', 'hidden'],
};

/** Fields whose texts make nobody do anything. */
const SAYING =
  `name task system prompt role content with language type input output pattern flags message timeout taskType set source stop image file mediaType sha256 stored reasoningEffort
  criteria description questions against reference method mode onFailure bestVersionSelection strategy wallClock
  reflectOnTools taskQueue when onTimeout reflectionPrompt expiresAfter modelCall step retryFor reflection_output data reflection_errors
  call calls covers must mustNot order context extract path suggestion criterion severity errors from to goal material id dependsOn attributes critics decisionTypes evaluator digest defaultAnswer`.split(
    /\s+/,
  );

/** Deep enough for a criterion of a second judge of a loop in a plan. */
const DEPTH = 14;

const isText = (schema: Schema): boolean =>
  schema['type'] === 'string' || Object.keys(schema).length === 0 || alternativesOf(schema).some(isText);

const alternativesOf = (schema: Schema): Schema[] =>
  ['anyOf', 'oneOf', 'allOf'].flatMap((key) => (schema[key] as Schema[] | undefined) ?? []);

/** The smallest object of a schema; where it may have one field or another, that of `having`. */
function smallestObject(schema: Schema, having?: string): JsonObject {
  const properties = (schema['properties'] ?? {}) as Record<string, Schema>;
  const requiredOf = (each: Schema | undefined): string[] => (each?.['required'] ?? []) as string[];
  const choices = [schema['oneOf'], schema['anyOf'], ...alternativesOf(schema).map(({ anyOf }) => anyOf)] as (
    Schema[] | undefined
  )[];
  const chosen = choices.flatMap((each = []) => {
    return requiredOf(each.find((one) => having !== undefined && requiredOf(one).includes(having)) ?? each[0]);
  });
  const fields = [...requiredOf(schema), ...chosen];
  return Object.fromEntries(fields.map((key) => [key, smallest(properties[key] ?? {})]));
}

/** The smallest value of a schema. */
function smallest(schema: Schema): Json {
  if (schema['const'] !== undefined) return schema['const'] as Json;
  if (Array.isArray(schema['enum'])) return schema['enum'][0] as Json;
  const types = [schema['type']].flat();
  if (types.includes('object')) return smallestObject(schema);
  const [first] = alternativesOf(schema);
  if (first) return smallest(first);
  if (types.includes('array')) {
    const count = (schema['minItems'] as number | undefined) ?? 0;
    return Array.from({ length: count }, () => smallest(schema['items'] as Schema));
  }
  if (types.includes('integer') || types.includes('number')) return (schema['minimum'] as number | undefined) ?? 1;
  if (types.includes('boolean')) return true;
  return 'x';
}

/** Every text of a schema, by its field: a small value that has it, and its path. */
function textsOf(schema: Schema, depth = 0): { field: string; path: string; with: (text: string) => Json }[] {
  if (depth > DEPTH) return [];
  const own = alternativesOf(schema).flatMap((each) => textsOf(each, depth));
  const items = schema['items'] as Schema | undefined;
  if (items) {
    const inner = textsOf(items, depth + 1);
    own.push(...inner.map((each) => ({ ...each, path: `/0${each.path}`, with: (text: string) => [each.with(text)] })));
  }
  for (const [field, property] of Object.entries((schema['properties'] ?? {}) as Record<string, Schema>)) {
    if (isText(property) && property['const'] === undefined && property['enum'] === undefined) {
      own.push({ field, path: `/${field}`, with: (text) => ({ ...smallestObject(schema, field), [field]: text }) });
    }
    const texts = property['items'] as Schema | undefined;
    if (texts && isText(texts)) {
      own.push({ field, path: `/${field}/0`, with: (text) => ({ ...smallestObject(schema, field), [field]: [text] }) });
    }
    for (const each of textsOf(property, depth + 1)) {
      own.push({
        ...each,
        path: `/${field}${each.path}`,
        with: (text) => ({ ...smallestObject(schema, field), [field]: each.with(text) }),
      });
    }
  }
  return own;
}

/** Fields of an argument that are neither known to ask for something nor known to say something only. */
export function unknownFields(argument: string): string[] {
  const fields = textsOf(jsonSchemas()[`${argument}.json`]!).map(({ field }) => field);
  return [...new Set(fields)].filter((field) => !(field in ASKING) && !SAYING.includes(field));
}

/** Every position of an argument, with another small argument for each. */
export function positionsOf(argument: string): Position[] {
  const seen = new Set<string>();
  return textsOf(jsonSchemas()[`${argument}.json`]!).flatMap(({ field, path, with: having }) => {
    const asking = ASKING[field];
    if (!asking) return [];
    const [need, value] = asking;
    const position = { need, path, argument: having(value) as JsonObject };
    const identity = JSON.stringify(position);
    if (seen.has(identity)) return [];
    seen.add(identity);
    return [position];
  });
}
