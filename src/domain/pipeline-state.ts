import { isJsonObject, type Json, type JsonObject } from './json';
import { type PlannedNode } from './pipeline';
import type { ReflectionResult } from './result';
import { toReflectionState } from './reflection-state';
import type { ReflectionSpec, Step } from './spec';
import { needsOfStep, textsIn } from './step-inputs';
import { isTemplate, templateNeeds } from './template-needs';

/** Parts of a loop's spec with templates that the loop itself renders, over its own state. */
export const RENDERED_BY_LOOP: ReadonlySet<string> = new Set([
  'task',
  'generator',
  'evaluator',
  'corrector',
  'reflectionPrompt',
]);

/** True when some text inside a value is a template. */
export function hasTemplate(value: Json | undefined): boolean {
  return textsIn(value).some(isTemplate);
}

/** The settings of a loop that are templates over the pipeline's state; the loop's own state is one of them. */
export function templatedSettings(spec: object): JsonObject {
  const entries = Object.entries(spec as JsonObject);
  return Object.fromEntries(entries.filter(([key, value]) => !RENDERED_BY_LOOP.has(key) && hasTemplate(value)));
}

/** The part of the state that some templates read. */
export function stateForTemplates(state: JsonObject, value: Json | undefined): JsonObject {
  return only(state, templateNeeds(textsIn(value)).keys);
}

/** The part of the state that a step reads. */
export function stateForNode(state: JsonObject, step: Step, actionNeeds: Record<string, string[]>): JsonObject {
  return only(state, needsOfStep(step, undefined, actionNeeds).keys);
}

function only(state: JsonObject, keys: readonly string[] | 'all'): JsonObject {
  if (keys === 'all') return state;
  return Object.fromEntries(keys.flatMap((key) => (Object.hasOwn(state, key) ? [[key, state[key]!]] : [])));
}

/**
 * The state that a loop starts with: what its spec reads of the pipeline's, under its own. The `reflection_…` keys of an
 * earlier loop are not taken over: to the loop they mean its own versions.
 */
export function stateForLoop(
  state: JsonObject,
  spec: ReflectionSpec,
  actionNeeds: Record<string, string[]>,
): JsonObject {
  const read = only(state, keysRead(spec, actionNeeds));
  const fresh = Object.entries(read).filter(([key]) => !key.startsWith('reflection_'));
  return { ...Object.fromEntries(fresh), ...spec.state };
}

/** Keys of the state that a spec reads: it may name too many, never too few. */
function keysRead({ state: _state, ...spec }: ReflectionSpec, actionNeeds: Record<string, string[]>): string[] | 'all' {
  const parts = spec as unknown as JsonObject;
  const { keys } = templateNeeds(textsIn(parts));
  const declared = declaredNeeds(parts, actionNeeds);
  // Hooks may look at everything.
  if (keys === 'all' || declared === undefined || 'hooks' in spec) return 'all';
  return [...new Set([...keys, ...declared])];
}

/** What the actions inside a value declare to read; undefined when one may read everything. */
function declaredNeeds(value: Json, actionNeeds: Record<string, string[]>): string[] | undefined {
  if (Array.isArray(value)) return joined(value.map((item) => declaredNeeds(item, actionNeeds)));
  if (!isJsonObject(value)) return [];
  // Inline code may look at everything, and a service is sent everything.
  if (typeof value['run'] === 'string' || value['type'] === 'external') return undefined;
  const { action } = value;
  const own = typeof action !== 'string' || action === 'llm.call' ? [] : actionNeeds[action];
  return joined([own, ...Object.values(value).map((item) => declaredNeeds(item, actionNeeds))]);
}

function joined(lists: (string[] | undefined)[]): string[] | undefined {
  const known = lists.filter((list) => list !== undefined);
  return known.length === lists.length ? known.flat() : undefined;
}

/** The state after a loop: what it came to, and under `output` what it handed back. */
export function afterLoop(state: JsonObject, { output }: PlannedNode, result: ReflectionResult): JsonObject {
  return { ...state, ...toReflectionState(result), ...(output === undefined ? {} : { [output]: result.finalOutput }) };
}

/**
 * The state after another node: its value under `output`; without one, the keys of an object.
 *
 * @returns a warning, too, when there is nothing to keep a value under
 */
export function afterNode(
  state: JsonObject,
  { output, kind }: PlannedNode,
  value: Json,
): { state: JsonObject; warnings: string[] } {
  if (output !== undefined) return { state: { ...state, [output]: value }, warnings: [] };
  const own: JsonObject = kind === 'correct' ? { reflection_output: value } : {};
  if (isJsonObject(value)) return { state: { ...state, ...value, ...own }, warnings: [] };
  const lost = kind !== 'correct' && value !== null;
  return {
    state: { ...state, ...own },
    warnings: lost ? ['it returned no object, so nothing was kept: give the node an `output`'] : [],
  };
}
