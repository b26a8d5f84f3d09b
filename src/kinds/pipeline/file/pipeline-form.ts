import { isUnknownField } from '../../../lib/yaml/unknown-key';
import { isJsonObject, type Json, type JsonObject } from '../../../lib/json/json';
import { unflattenCorrection, unflattenEvaluation } from '../../../spec-files/flat-requests';
import { withoutForeignWords } from '../../../spec-files/foreign-words';
import { asWritten, chainForms, type Placed, placeBelow, placeEach } from '../../../spec-files/placed';
import { specForm } from '../../../spec-files/spec-form';
import { defaultsOf } from '../../../spec-files/state-schema';
import { modelCallForm } from '../../../spec-files/step-form';
import { TRIGGERS_MESSAGE } from '../../../spec-files/trigger-names';

/** A pipeline file's loops count iterations up to `max_iterations`, whether the scores move or not. */
const LOOP_DEFAULTS: JsonObject = { convergence: false };

/** Code and registered actions give hints: the generator runs again. A model or a workflow writes the next version. */
function correctorForm(corrector: JsonObject): Placed<JsonObject> {
  const { action, run, mode } = corrector;
  const isCode = typeof run === 'string' || (typeof action === 'string' && action !== 'llm.call');
  return asWritten(isCode && mode === undefined ? { ...corrector, mode: 'hint' } : corrector);
}

function parametersForm(action: Json | undefined, parameters: JsonObject): Placed {
  switch (action) {
    case 'reflection.loop':
      return chainForms(placeBelow({ ...LOOP_DEFAULTS, ...parameters }, 'corrector', correctorForm), specForm);
    case 'reflection.evaluate':
      return unflattenEvaluation(parameters);
    case 'reflection.correct':
      return unflattenCorrection(parameters);
    case 'llm.call':
      return modelCallForm(parameters);
    default:
      return asWritten(parameters);
  }
}

function nodeForm(node: Json): Placed {
  if (!isJsonObject(node)) return asWritten(node);
  return chainForms(withoutForeignWords(node, 'node'), (value) =>
    placeBelow(value, 'with', (parameters) => parametersForm(value['action'], parameters)),
  );
}

/** The top of an agent file in the words of the wire: a file that declares the state may give its keys defaults. */
function topForm(whole: JsonObject): Placed<JsonObject> {
  const { version: _version, stateSchema, ...rest } = whole;
  const defaults = defaultsOf(stateSchema);
  const { state = {} } = rest;
  const hasDefaults = Object.keys(defaults).length > 0 && isJsonObject(state);
  return withoutForeignWords(hasDefaults ? { ...rest, state: { ...defaults, ...state } } : rest, 'top');
}

const settingsForm = (settings: JsonObject): Placed<JsonObject> =>
  chainForms(withoutForeignWords(settings, 'settings'), (value) =>
    placeBelow(value, 'llm', (llm) => withoutForeignWords(llm, 'call')),
  );

/** A pipeline as workflows take it, of a file that was read: a list is one, too, of nodes. */
export function pipelineForm(written: Json): Placed {
  const isList = Array.isArray(written);
  const whole = isList ? { nodes: written } : written;
  if (!isJsonObject(whole)) return asWritten(whole);
  const placed = [
    (value: JsonObject) => placeBelow(value, 'settings', settingsForm),
    (value: JsonObject) => placeEach(value, 'nodes', nodeForm),
  ].reduce(chainForms, topForm(whole));
  if (!isList) return placed;
  const pointerInList = (pointer: string): string => pointer.replace(/^\/nodes/, '');
  return {
    value: placed.value,
    inFile: (pointer) => pointerInList(placed.inFile(pointer)),
    warnings: placed.warnings?.map(({ path, message }) => ({ path: pointerInList(path), message })),
  };
}

/** Words of the dialect that we do not have, by the pattern of their place, with what to do instead. */
const UNSUPPORTED: readonly (readonly [path: RegExp, message: string])[] = [
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
  [/^\/(?:imports|variables|config)$/, 'not supported; values go into `state:`'],
];

/** Explains what an unknown field is, where the dialect has such a field. */
export function pipelineMessage(path: string, message: string): string {
  if (!isUnknownField(message)) return message;
  return UNSUPPORTED.find(([pattern]) => pattern.test(path))?.[1] ?? message;
}
