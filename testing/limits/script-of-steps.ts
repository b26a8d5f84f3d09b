import { isJsonObject, type Json } from '../../src/lib/json/json';
import { isModelCall } from '../../src/loop/spec/steps';
import { jsonBytes } from '../../src/lib/json/json-bytes';
import type { Evaluator } from '../../src/loop/contract/evaluators';
import type { Step } from '../../src/loop/contract/steps';
import { madeBy, MODELS, type ModelBehaviour } from './work';

/** What the action or the scripted model of a step is known to give. */
type Scripted = { kind: 'exactly'; output: Json } | { kind: 'written'; characters: number };

const ACTIONS_THAT_MAKE = new Set(['makes', 'makes here']);

/** What a step gives in an iteration; undefined where the script does not say. */
function scriptOf(step: Step, iteration: number): Scripted | undefined {
  if (isModelCall(step)) {
    const behaviour: ModelBehaviour | undefined = MODELS[step.model as keyof typeof MODELS];
    return behaviour && { kind: 'written', characters: behaviour.writes ?? 20 };
  }
  if (!('action' in step) || !ACTIONS_THAT_MAKE.has(step.action)) return undefined;
  const given = step.with ?? {};
  return isJsonObject(given) ? { kind: 'exactly', output: madeBy(given, iteration) } : undefined;
}

const shown = (value: Json): string => `${JSON.stringify(value).slice(0, 60)} (${JSON.stringify(value).length} bytes)`;

/** In what an output is not what the script has its step give in an iteration; undefined where it is, or the script does not say. */
export function notAsScripted(step: Step, iteration: number, output: Json): string | undefined {
  const script = scriptOf(step, iteration);
  if (!script) return undefined;
  const isRight =
    script.kind === 'exactly'
      ? JSON.stringify(output) === JSON.stringify(script.output)
      : typeof output === 'string' && output.length === script.characters && /^Written: \d+ x*$/.test(output);
  const wanted = script.kind === 'exactly' ? shown(script.output) : `"Written: …" of ${script.characters} characters`;
  return isRight ? undefined : `an output of iteration ${iteration} is ${shown(output)} instead of ${wanted}`;
}

/** Bytes as JSON of what a step gives in an iteration; undefined where the script does not say. */
export function scriptedBytes(step: Step, iteration: number): number | undefined {
  const script = scriptOf(step, iteration);
  if (!script) return undefined;
  return script.kind === 'exactly' ? jsonBytes(script.output) : script.characters + 2;
}

/** Returns whether the script has an evaluator refuse every output. */
export function neverPasses(evaluator: Evaluator): boolean {
  switch (evaluator.type) {
    case 'function': {
      const given = evaluator.with ?? {};
      return evaluator.action.startsWith('judges') && isJsonObject(given) && given['passes'] !== true;
    }
    case 'regex':
      return evaluator.mustMatch !== false && evaluator.pattern.startsWith('^never');
    case 'external':
      return true;
    case 'llm':
      return evaluator.model !== undefined && evaluator.model in MODELS;
    default:
      return false;
  }
}
