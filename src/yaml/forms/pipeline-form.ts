import { isUnknownField } from '../unknown-key';
import { isJsonObject, type Json, type JsonObject } from '../../domain/base/json/json';
import { unflattenCorrection, unflattenEvaluation } from './flat-requests';
import { asWritten, type Placed, placedBelow, placedEach } from './placed';
import { specForm } from './spec-form';
import { TRIGGERS_MESSAGE } from './trigger-names';

/**
 * What a loop of a pipeline file begins with. Its documents count iterations up to `max_iterations`, whether the scores
 * still move or not.
 */
const LOOP_DEFAULTS: JsonObject = { convergence: false };

/** What a node is given, in the form that workflows take. */
function parametersForm(action: Json | undefined, parameters: JsonObject): Placed {
  switch (action) {
    case 'reflection.loop':
      return specForm({ ...LOOP_DEFAULTS, ...parameters });
    case 'reflection.evaluate':
      return unflattenEvaluation(parameters);
    case 'reflection.correct':
      return unflattenCorrection(parameters);
    default:
      return asWritten(parameters);
  }
}

function nodeForm(node: Json): Placed {
  if (!isJsonObject(node)) return asWritten(node);
  return placedBelow(node, 'with', (parameters) => parametersForm(node['action'], parameters));
}

/** The one provider that a file may name: what every worker speaks to. */
const PROVIDER = 'openai';

function settingsOf(settings: Json): Json {
  if (!isJsonObject(settings) || !isJsonObject(settings['llm'])) return settings;
  const { provider, ...llm } = settings['llm'];
  return provider === PROVIDER ? { ...settings, llm } : settings;
}

/** A pipeline as workflows take it, of a file that was read: a list is one, too, of nodes. */
export function pipelineForm(written: Json): Placed {
  const whole = Array.isArray(written) ? { nodes: written } : written;
  if (!isJsonObject(whole)) return asWritten(whole);
  const { settings } = whole;
  const { value, inFile } = placedEach(whole, 'nodes', nodeForm);
  return {
    value: settings === undefined ? value : { ...value, settings: settingsOf(settings) },
    inFile: (pointer) => (Array.isArray(written) ? inFile(pointer).replace(/^\/nodes/, '') : inFile(pointer)),
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
  [/^\/nodes\/\d+\/with\/reflectionTriggers$/, TRIGGERS_MESSAGE],
  [/^\/(?:imports|variables|stateSchema|config)$/, 'not supported; values go into `state:`'],
];

/** Says of an unknown field what it is, where the dialect has such a field. */
export function pipelineMessage(path: string, message: string): string {
  if (!isUnknownField(message)) return message;
  return UNSUPPORTED.find(([pattern]) => pattern.test(path))?.[1] ?? message;
}
