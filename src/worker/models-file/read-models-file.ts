import { readFileSync } from 'node:fs';
import { isJsonObject, type Json, type JsonObject } from '../../lib/json/json';
import { jsonPointer } from '../../lib/json/json-pointer';
import { didYouMean } from '../../lib/names/nearest-name';
import type { SpecProblem } from '../../lib/contract/spec-problem';
import type { ModelConfig } from '../../lib/models/types';
import { formProblems } from '../../lib/contract/form-problems';
import { camelCase, DATA, snakeCase } from '../../lib/yaml/key-names';
import { readDocument } from '../../lib/yaml/read-document';
import {
  inCamelCase,
  unsetVariables,
  valuesOfVariables,
  httpUrl,
  variableName,
  variableNames,
} from '../../lib/yaml/worker-settings';
import { z } from 'zod';
import { json } from '../../lib/contract/values';
import type { EndpointLimits } from '../../lib/models/circuits/endpoint-limits';
import { LEAST_REPLY_BYTES, MOST_REPLY_BYTES } from '../../lib/models/habits/reply-size';

const NAME = /^[\w.:/@-]{1,200}$/;

const filled = z.string().min(1, 'must not be empty').max(2_000);
const price = z.number().min(0);
const positive = z.number().positive();

const ENDPOINT = z.strictObject({
  baseUrl: httpUrl.optional(),
  apiKeyVariable: variableName.optional(),
  headersFromVariables: variableNames.optional(),
  queryFromVariables: variableNames.optional(),
  callsPerSecond: positive.optional(),
  concurrentCalls: z.int().min(1).optional(),
});
type EndpointSettings = z.infer<typeof ENDPOINT>;

type OwnFields = Omit<
  ModelConfig,
  'name' | 'baseUrl' | 'apiKeyVariable' | 'headers' | 'query' | 'endpointLimits' | 'extraBody'
>;

const MODEL = z.strictObject({
  endpoint: filled.optional(),
  model: filled,
  prices: z
    .strictObject({ inputPerMillion: price, outputPerMillion: price, cachedInputPerMillion: price.optional() })
    .optional(),
  contextWindow: z.int().min(1).optional(),
  fallback: filled.optional(),
  structuredOutput: z.boolean().optional(),
  images: z.boolean().optional(),
  files: z.boolean().optional(),
  maxOutputTokens: z.union([z.literal(false), z.int().min(1)]).optional(),
  maxReplyBytes: z.int().min(LEAST_REPLY_BYTES).max(MOST_REPLY_BYTES).optional(),
  limitField: z.enum(['max_completion_tokens', 'max_tokens']).optional(),
  systemRole: z.boolean().optional(),
  background: z.boolean().optional(),
  stream: z.boolean().optional(),
  seed: z.int().optional(),
  topP: z.number().min(0).max(1).optional(),
  stop: z.array(filled).min(1).max(4).optional(),
  reasoningEffort: filled.optional(),
  extraBody: z.record(z.string(), json).optional(),
}) satisfies z.ZodType<OwnFields>;
type ModelSettings = z.infer<typeof MODEL>;

function limitsOf({ callsPerSecond, concurrentCalls }: EndpointSettings): EndpointLimits | undefined {
  if (callsPerSecond === undefined && concurrentCalls === undefined) return undefined;
  return {
    ...(callsPerSecond === undefined ? {} : { callsPerSecond }),
    ...(concurrentCalls === undefined ? {} : { concurrentCalls }),
  };
}

const TOP = ['endpoints', 'models', 'default'];

/**
 * Reads a YAML (or JSON) file of models: `endpoints` and `models` by name, and the name of the `default`. Keys may be
 * written in snake_case. The values of keys, headers and query parameters are in environment variables, never in the
 * file.
 *
 * @returns the models, the default first, as `createWorker` takes them
 * @throws SpecFileError with every mistake and its place; Error for a file that cannot be read
 */
export function readModelsFile(file: string, env: NodeJS.ProcessEnv = process.env): ModelConfig[] {
  return parseModelsFile(readFileSync(file, 'utf8'), file, env);
}

/** Reads the text of such a file. Throws SpecFileError. */
export function parseModelsFile(text: string, file: string, env: NodeJS.ProcessEnv = process.env): ModelConfig[] {
  const { value, locate, fail } = readDocument(text, file, DATA);
  const top = isJsonObject(value) ? inCamelCase(value) : {};
  const endpoints = entriesOf(top['endpoints'], inCamelCase);
  const models = entriesOf(top['models'], modelInCamelCase);
  const problems = [
    ...topProblems(top, value),
    ...namedProblems('endpoints', endpoints, (each) => endpointProblems(each, env)),
    ...namedProblems('models', models, (each) => modelProblems(each, endpoints, models)),
    ...defaultProblems(top['default'], models),
  ];
  if (problems.length > 0) {
    const inFile = problems.map(({ path, ...rest }) => ({ ...rest, path: pathInFile(value, path) }));
    return fail(
      'InvalidSpec',
      inFile.flatMap((problem) => locate(problem)),
    );
  }
  const configs = Object.entries(models as Record<string, ModelSettings>).map(([name, model]) =>
    configOf(name, model, (endpoints as Record<string, EndpointSettings>)[model.endpoint ?? ''] ?? {}, env),
  );
  return configs.toSorted((one, other) => Number(other.name === top['default']) - Number(one.name === top['default']));
}

function modelInCamelCase(value: JsonObject): JsonObject {
  const model = inCamelCase(value);
  return isJsonObject(model['prices']) ? { ...model, prices: inCamelCase(model['prices']) } : model;
}

function entriesOf(part: Json | undefined, convert: (value: JsonObject) => JsonObject): Record<string, Json> {
  if (!isJsonObject(part)) return {};
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => [name, isJsonObject(value) ? convert(value) : value]),
  );
}

function topProblems(top: JsonObject, value: Json): SpecProblem[] {
  if (!isJsonObject(value)) return [{ path: '', message: 'must be an object with `models`' }];
  const strange = Object.keys(top).filter((key) => !TOP.includes(key));
  const { endpoints, models } = top;
  return [
    ...strange.map((key) => ({ path: jsonPointer([key]), message: `unknown field${didYouMean(key, TOP)}` })),
    ...(endpoints === undefined || isJsonObject(endpoints)
      ? []
      : [{ path: '/endpoints', message: 'must be an object of endpoints by name' }]),
    ...(isJsonObject(models) && Object.keys(models).length > 0
      ? []
      : [
          {
            path: models === undefined ? '' : '/models',
            message: 'must have `models`: at least one model by its name',
          },
        ]),
  ];
}

function namedProblems(
  part: string,
  named: Record<string, Json>,
  problemsOf: (value: JsonObject) => SpecProblem[],
): SpecProblem[] {
  return Object.entries(named).flatMap(([name, value]) => {
    const at = jsonPointer([part, name]);
    const ofName = NAME.test(name) ? [] : ['a name has letters, digits and _ . : / @ -, 200 at most'];
    const found = isJsonObject(value) ? problemsOf(value) : [{ path: '', message: 'must be an object' }];
    return [
      ...ofName.map((message) => ({ path: at, message })),
      ...found.map((each) => ({ ...each, path: at + each.path })),
    ];
  });
}

function endpointProblems(endpoint: JsonObject, env: NodeJS.ProcessEnv): SpecProblem[] {
  const { headersFromVariables, queryFromVariables } = endpoint;
  return [...formProblems(ENDPOINT, endpoint), ...unsetVariables({ headersFromVariables, queryFromVariables }, env)];
}

function modelProblems(
  model: JsonObject,
  endpoints: Record<string, Json>,
  models: Record<string, Json>,
): SpecProblem[] {
  const { endpoint, fallback } = model;
  const unknown = (path: string, name: Json | undefined, known: Record<string, Json>, what: string): SpecProblem[] =>
    typeof name !== 'string' || Object.hasOwn(known, name)
      ? []
      : [{ path, message: `there is no ${what} "${name}"${didYouMean(name, Object.keys(known))}` }];
  return [
    ...formProblems(MODEL, model),
    ...unknown('/endpoint', endpoint, endpoints, 'endpoint'),
    ...unknown('/fallback', fallback, models, 'model'),
  ];
}

function defaultProblems(name: Json | undefined, models: Record<string, Json>): SpecProblem[] {
  if (name === undefined || (typeof name === 'string' && Object.hasOwn(models, name))) return [];
  const shown =
    typeof name === 'string'
      ? `there is no model "${name}"${didYouMean(name, Object.keys(models))}`
      : 'must be the name of a model';
  return [{ path: '/default', message: shown }];
}

function pathInFile(value: Json, path: string): string {
  const segments = path.split('/').slice(1);
  let at: Json | undefined = value;
  const written = segments.map((segment) => {
    const name = segment.replaceAll('~1', '/').replaceAll('~0', '~');
    const keys: string[] = isJsonObject(at ?? null) ? Object.keys(at as JsonObject) : [];
    const key = keys.includes(name) ? name : (keys.find((each) => camelCase(each) === name) ?? snakeCase(name));
    at = isJsonObject(at ?? null) ? (at as JsonObject)[key] : Array.isArray(at) ? at[Number(name)] : undefined;
    return key;
  });
  return jsonPointer(written);
}

function configOf(
  name: string,
  { endpoint: _endpoint, ...model }: ModelSettings,
  endpoint: EndpointSettings,
  env: NodeJS.ProcessEnv,
): ModelConfig {
  const { baseUrl, apiKeyVariable, headersFromVariables, queryFromVariables } = endpoint;
  const endpointLimits = limitsOf(endpoint);
  return {
    ...model,
    name,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(apiKeyVariable === undefined ? {} : { apiKeyVariable }),
    ...(headersFromVariables && { headers: valuesOfVariables(headersFromVariables, env) }),
    ...(queryFromVariables && { query: valuesOfVariables(queryFromVariables, env) }),
    ...(endpointLimits && { endpointLimits }),
  } as ModelConfig;
}
