import { isJsonObject, type Json, type JsonObject } from '../../domain/base/json';
import { type Unflattened, unflattenCorrection, unflattenEvaluation } from './flat-requests';
import { placeQualityCriteria } from './quality-criteria';
import { placeTriggers, TRIGGERS_MESSAGE } from './trigger-names';

/**
 * What a loop of a pipeline file begins with. Its documents count iterations up to `max_iterations`, whether the scores
 * still move or not.
 */
const LOOP_DEFAULTS: JsonObject = { convergence: false };

type WrittenAt = Unflattened['writtenAt'];

const asWritten: WrittenAt = (pointer) => pointer;

/** What a node is given, in the form that workflows take. */
function parametersOf(action: Json | undefined, parameters: JsonObject): Unflattened {
  switch (action) {
    case 'reflection.loop': {
      const { value, inFile } = placeQualityCriteria(placeTriggers({ ...LOOP_DEFAULTS, ...parameters }));
      return { value: value as JsonObject, writtenAt: inFile };
    }
    case 'reflection.evaluate':
      return unflattenEvaluation(parameters);
    case 'reflection.correct':
      return unflattenCorrection(parameters);
    default:
      return { value: parameters, writtenAt: asWritten };
  }
}

function nodeOf(node: Json): { node: Json; writtenAt: WrittenAt } {
  if (!isJsonObject(node) || !isJsonObject(node['with'])) return { node, writtenAt: asWritten };
  const { value, writtenAt } = parametersOf(node['action'], node['with']);
  return { node: { ...node, with: value }, writtenAt };
}

/** The one provider that a file may name: what every worker speaks to. */
const PROVIDER = 'openai';

function settingsOf(settings: Json): Json {
  if (!isJsonObject(settings) || !isJsonObject(settings['llm'])) return settings;
  const { provider, ...llm } = settings['llm'];
  return { ...settings, llm: provider === undefined || provider === PROVIDER ? llm : settings['llm'] };
}

/** A pipeline as workflows take it, of a file that was read; and for a JSON Pointer into it, the one into the file. */
export function pipelineForm(value: Json): { value: Json; writtenAt: WrittenAt } {
  const whole = Array.isArray(value) ? { nodes: value } : value;
  if (!isJsonObject(whole)) return { value: whole, writtenAt: asWritten };
  const { nodes: listed, settings } = whole;
  const nodes = Array.isArray(listed) ? listed.map(nodeOf) : [];
  return {
    value: {
      ...whole,
      ...(Array.isArray(listed) ? { nodes: nodes.map(({ node }) => node) } : {}),
      ...(settings === undefined ? {} : { settings: settingsOf(settings) }),
    },
    writtenAt(pointer) {
      const [, place = '', index = '', inside = ''] = /^(\/nodes\/(\d+)\/with)(\/.*)$/s.exec(pointer) ?? [];
      const written = place === '' ? pointer : `${place}${nodes[Number(index)]!.writtenAt(inside)}`;
      return Array.isArray(value) ? written.replace(/^\/nodes/, '') : written;
    },
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
export function unsupportedMessage(path: string, message: string): string {
  if (message !== 'unknown field') return message;
  return UNSUPPORTED.find(([pattern]) => pattern.test(path))?.[1] ?? message;
}
