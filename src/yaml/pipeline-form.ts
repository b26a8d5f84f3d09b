import { isJsonObject, type Json, type JsonObject } from '../domain/json';

/**
 * What a loop of a pipeline file begins with. Its documents count iterations up to `max_iterations`, whether the scores
 * still move or not.
 */
const LOOP_DEFAULTS: JsonObject = {};

/** What a node of a file leaves out, because the documents have a default for it. */
function withDefaults(action: Json | undefined, parameters: JsonObject): JsonObject {
  if (action === 'reflection.loop') return { ...LOOP_DEFAULTS, ...parameters };
  const { evaluator, corrector } = parameters;
  if (action === 'reflection.evaluate' && isJsonObject(evaluator)) {
    return { ...parameters, evaluator: { type: 'schema', ...evaluator } };
  }
  if (action === 'reflection.correct' && isJsonObject(corrector) && !('run' in corrector)) {
    return { ...parameters, corrector: { action: 'llm.call', ...corrector } };
  }
  return parameters;
}

function nodeOf(node: Json): Json {
  if (!isJsonObject(node) || !isJsonObject(node['with'])) return node;
  return { ...node, with: withDefaults(node['action'], node['with']) };
}

/** The one provider that a file may name: what every worker speaks to. */
const PROVIDER = 'openai';

function settingsOf(settings: Json): Json {
  if (!isJsonObject(settings) || !isJsonObject(settings['llm'])) return settings;
  const { provider, ...llm } = settings['llm'];
  return { ...settings, llm: provider === undefined || provider === PROVIDER ? llm : settings['llm'] };
}

/** A pipeline as workflows take it, of a file that was read. */
export function pipelineForm(value: Json): Json {
  const whole = Array.isArray(value) ? { nodes: value } : value;
  if (!isJsonObject(whole)) return whole;
  const { nodes, settings } = whole;
  return {
    ...whole,
    ...(Array.isArray(nodes) ? { nodes: nodes.map(nodeOf) } : {}),
    ...(settings === undefined ? {} : { settings: settingsOf(settings) }),
  };
}

/** Words of the dialect that we do not have, by the pattern of their place, with what to do instead. */
const UNSUPPORTED: readonly (readonly [path: RegExp, message: string])[] = [
  [
    /^\/settings\/llm\/provider$/,
    'which endpoint is called is configured on the worker (`models`, OPENAI_BASE_URL), so a file cannot choose it',
  ],
  [
    /^\/settings\/llm\/(?:api_?key|apiKey)$/,
    'a key does not belong into a file: set OPENAI_API_KEY where the worker runs',
  ],
  [/^\/edges\/\d+\/(?:when|condition|if|type)$/, 'edges with conditions are not supported: nodes run in their order'],
  [
    /^\/nodes\/\d+\/(?:goto|next|when|if|condition|while|loop|parallel)$/i,
    'is not supported: nodes run in their order',
  ],
  [/^\/(?:imports|variables|stateSchema|config)$/, 'not supported; values go into `state:`'],
];

/** Says of an unknown field what it is, where the dialect has such a field. */
export function unsupportedMessage(path: string, message: string): string {
  if (message !== 'unknown field') return message;
  return UNSUPPORTED.find(([pattern]) => pattern.test(path))?.[1] ?? message;
}
