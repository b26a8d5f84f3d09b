import { evaluatorTraits } from '../spec/evaluator-traits';
import { isJsonObject, type Json, type JsonObject, textOf } from '../../lib/json/json';
import type { LoopState } from '../state/loop-state';
import { EVIDENCE_VARIABLE, hintKeys, type StateNeeds, stepState } from './variables';
import { materialIn } from './taint';
import { attachmentTemplates } from '../spec/attachments';
import { isModelCall, isWorkflowStep } from '../spec/steps';
import type { Evaluator } from '../contract/evaluators';
import type { ModelCallStep, Step } from '../contract/steps';
import type { ReflectionSpec } from '../contract/spec';
import { templateNeeds } from '../../lib/text/template-reads';
import { shortenText } from './tools';

export function textsIn(value: Json | undefined): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

function needsOfTexts(texts: readonly (string | undefined)[]): StateNeeds {
  const { keys, history, variables } = templateNeeds(texts.filter((text) => text !== undefined));
  const evidence = variables.includes(EVIDENCE_VARIABLE);
  if (keys === 'all') return { keys, history, variables: 'all', evidence };
  return { keys, history: variables.length > 0 ? history : 'none', variables, evidence };
}

function needsOfModelCall(
  { system, prompt, messages = [] }: ModelCallStep,
  task: string | undefined,
  attached: string[] = [],
): StateNeeds {
  return needsOfTexts([task, system, prompt, ...messages.map(({ content }) => content), ...attached]);
}

/** Keys that it declares, and keys that its templates name; without a declaration, all but old outputs. */
function needsOfAction(
  declared: readonly string[] | undefined,
  parameters: Json | undefined,
  task?: string,
): StateNeeds {
  const named = needsOfTexts([...textsIn(parameters), task]);
  const whole = declared?.some((key) => key === 'reflection_history' || key === 'reflection_best');
  const history = whole || named.history === 'full' ? 'full' : 'digest';
  const evidence = named.evidence || declared?.includes(EVIDENCE_VARIABLE) === true;
  if (!declared || named.keys === 'all') return { keys: 'all', history, variables: 'all', evidence };
  return { keys: [...declared, ...named.keys], history, variables: 'all', evidence };
}

export function needsOfStep(step: Step, task: string | undefined, actionNeeds: Record<string, string[]>): StateNeeds {
  if (isModelCall(step)) return needsOfModelCall(step, task, attachmentTemplates(step.attachments));
  if (isWorkflowStep(step)) return needsOfAction(undefined, step.with, task);
  if (!('action' in step)) return codeNeeds(step.run);
  return needsOfAction(actionNeeds[step.action], 'with' in step ? step.with : undefined, task);
}

export function stateForStep(
  spec: Pick<ReflectionSpec, 'state' | 'task'>,
  state: LoopState,
  step: Step,
  actionNeeds: Record<string, string[]>,
  iteration: number,
): JsonObject {
  const given = { ...spec.state, ...hintKeys(state) };
  return stepState(given, state, needsOfStep(step, spec.task, actionNeeds), iteration);
}

/** The keys of the state whose texts the spec's author did not write, for a step: those of a hint count among them. */
export function materialForStep(
  { state: own, material }: Pick<ReflectionSpec, 'state' | 'material'>,
  state: LoopState,
): string[] | undefined {
  const hint = hintKeys(state);
  if (Object.keys(hint).length === 0) return material;
  return materialIn({ ...own, ...hint }, [...(material ?? []), ...Object.keys(hint)]).material;
}

function needsOfEvaluators(
  spec: Pick<ReflectionSpec, 'task' | 'reflectionPrompt'>,
  evaluators: readonly Evaluator[],
  actionNeeds: Record<string, string[]>,
): StateNeeds {
  const [only] = evaluators;
  // It is never asked together with others.
  if (only && 'action' in only) return needsOfAction(actionNeeds[only.action], only.with, spec.task);
  if (only && 'workflow' in only) return needsOfAction(undefined, only.with, spec.task);
  if (only && 'run' in only) return codeNeeds(only.run);
  if (only && evaluatorTraits(only.type).readsWholeState)
    return { keys: 'all', history: 'digest', variables: 'all', evidence: false };
  const attached = evaluators.flatMap((each) => ('attachments' in each ? attachmentTemplates(each.attachments) : []));
  return needsOfTexts([spec.task, ...promptsOf(spec, evaluators), ...attached]);
}

function promptsOf(
  { reflectionPrompt }: Pick<ReflectionSpec, 'reflectionPrompt'>,
  evaluators: readonly Evaluator[],
): (string | undefined)[] {
  const prompts = evaluators.map((evaluator) => ('prompt' in evaluator ? evaluator.prompt : undefined));
  const sources = evaluators.map((evaluator) => ('source' in evaluator ? evaluator.source : undefined));
  return [reflectionPrompt, ...prompts, ...sources];
}

const INPUT_CHARACTERS = 64 * 1024;

/** Values that the generator's prompt shows, but neither by task nor by some judges: an invented value looks as good as a right one. */
export function inputsForJudges(
  spec: Pick<ReflectionSpec, 'state' | 'task' | 'reflectionPrompt' | 'generator'>,
  evaluators: readonly Evaluator[],
): Record<string, string> | undefined {
  const { generator, task, state = {} } = spec;
  if (!isModelCall(generator)) return undefined;
  const read = needsOfModelCall(generator, task).keys;
  const shown = needsOfTexts([task, ...promptsOf(spec, evaluators)]).keys;
  if (shown === 'all') return undefined;
  let left = INPUT_CHARACTERS;
  const inputs: Record<string, string> = {};
  for (const key of read === 'all' ? Object.keys(state) : read) {
    if (left <= 0 || shown.includes(key) || !Object.hasOwn(state, key) || Object.hasOwn(inputs, key)) continue;
    const text = textOf(state[key]!);
    inputs[key] = shortenText(text, left);
    left -= text.length;
  }
  return Object.keys(inputs).length === 0 ? undefined : inputs;
}

/** The state for evaluators: without the output, which is sent beside it. */
export function stateForEvaluators(
  spec: Pick<ReflectionSpec, 'state' | 'task' | 'reflectionPrompt'>,
  state: LoopState,
  evaluators: readonly Evaluator[],
  actionNeeds: Record<string, string[]>,
  iteration: number,
): JsonObject {
  const needs = needsOfEvaluators(spec, evaluators, actionNeeds);
  const {
    reflection_output: _output,
    reflection_guidance: _guidance,
    // A judge is to judge what is there, not what was wrong elsewhere.
    reflection_insights: _insights,
    ...rest
  } = stepState(spec.state ?? {}, state, needs, iteration);
  return rest;
}

/** A key of the state that is named where it is read: `state.key`, `state["key"]`, `state.get("key"`, Prolog's `state(key,`. */
const NAMED = String.raw`\s*(?:\.\s*(?!get\b|items\b|keys\b|values\b|pop\b|copy\b|setdefault\b)[A-Za-z_]|(?:\[|\.\s*get\s*\()\s*(?:"[^"\\]*"|'[^'\\]*')\s*[\]),]|\(\s*[a-z]\w*\s*,)`;
const STATE_AS_A_WHOLE = new RegExp(String.raw`\b[sS]tate\b(?!${NAMED})`);

const ALL_VARIABLES = /\b(?:globals|locals|vars|eval|exec|globalThis|_G|_ENV|Function)\b/;

/** Keys named anywhere in its text, all if it uses the state as a whole: maybe too many, never too few. */
export function codeNeeds(code: string): StateNeeds {
  const variables = [...new Set(code.match(/\breflection_\w+/g) ?? [])];
  const evidence = variables.includes(EVIDENCE_VARIABLE);
  const wantsOutput = /\b[oO]utput\b/.test(code);
  const history = /\breflection_(?:history|best)\b/.test(code) ? 'full' : 'digest';
  if (STATE_AS_A_WHOLE.test(code) || ALL_VARIABLES.test(code))
    return { keys: 'all', history, variables: 'all', evidence };
  return {
    keys: [...new Set([...(code.match(/\w+/g) ?? []), ...literals(code)])],
    history: variables.length > 0 ? history : 'none',
    variables: [...variables, ...(wantsOutput ? ['reflection_output'] : [])],
    evidence,
  };
}

/** Literals without escapes: keys that are not words can only be read by these. */
function literals(code: string): string[] {
  return [...code.matchAll(/"([^"\\\n]{1,200})"|'([^'\\\n]{1,200})'/g)].map((match) => match[1] ?? match[2]!);
}
