import type { Json, JsonObject } from '../lib/json/json';
import { jsonPointer } from '../lib/json/json-pointer';
import type { SpecProblem } from '../lib/contract/spec-problem';
import { asWritten, type Placed } from './placed';

const FOR_PEOPLE = 'is ignored: it says nothing about how the file runs';
const OBSERVED = 'is ignored: logs, metrics and traces are configured on the worker';
const KEPT = 'is ignored: Temporal keeps where each run stands';
const ENDPOINT = 'is ignored: which endpoint is called is configured on the worker (`models`, OPENAI_BASE_URL)';

const each = (message: string, ...names: string[]): [string, string][] => names.map((name) => [name, message]);

/** Words of other engines that have no meaning in a file here, by camelCase name. */
const OF_PEOPLE = new Map(
  each(FOR_PEOPLE, 'author', 'authors', 'license', 'tags', 'labels', 'metadata', 'homepage', 'created', 'updated'),
);
const OF_OPERATION = new Map([
  ...each(OBSERVED, 'observability', 'logging', 'tracing', 'telemetry', 'autoTrace', 'traceExporter', 'traceFile'),
  ...each(OBSERVED, 'debug', 'verbose', 'logLevel'),
  ...each(KEPT, 'checkpoint', 'checkpointer', 'checkpointDir', 'checkpoints'),
]);
const OF_ENDPOINT = new Map(
  each(ENDPOINT, 'provider', 'baseUrl', 'apiBase', 'apiUrl', 'apiVersion', 'deployment', 'endpoint'),
);

/** Harmless words by where they stand: at the top of a file, in its settings, in a node, in what calls a model. */
const HARMLESS = {
  top: new Map([...OF_PEOPLE, ...OF_OPERATION]),
  settings: OF_OPERATION,
  node: OF_PEOPLE,
  call: OF_ENDPOINT,
};

const SPOKEN = 'openai';

/** A key that is read from the environment elsewhere is not a secret, and is not used here. */
function isPlaceholder(value: Json): boolean {
  return typeof value === 'string' && /^\s*(?:\$\{\w+\}|\$\w+|\{\{[^{}]+\}\})\s*$/.test(value);
}

const KEY_IN_FILE = 'is ignored: the key is OPENAI_API_KEY where the worker runs';

function harmless(key: string, value: Json, place: keyof typeof HARMLESS): string | undefined {
  if (place === 'call' && key === 'apiKey') return isPlaceholder(value) ? KEY_IN_FILE : undefined;
  return HARMLESS[place].get(key);
}

/** An object without the words of other engines that change nothing here, and a warning of each. */
export function withoutForeignWords(object: JsonObject, place: keyof typeof HARMLESS): Placed<JsonObject> {
  const warnings: SpecProblem[] = [];
  const kept = Object.entries(object).filter(([key, value]) => {
    const message = harmless(key, value, place);
    const isSaid = message !== undefined && (key !== 'provider' || value !== SPOKEN);
    if (isSaid) warnings.push({ path: jsonPointer([key]), message });
    return message === undefined;
  });
  return { ...asWritten(Object.fromEntries(kept)), warnings };
}
