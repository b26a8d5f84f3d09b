import { isJsonObject, type Json, type JsonObject, pick } from '../../../lib/json/json';
import { pointerSegments } from '../../../lib/json/json-pointer';
import { materialIn } from '../../../loop/step-state/taint';
import { type PlannedNode } from './pipeline';
import type { ReflectionResult } from '../../../loop/contract/results';
import { toReflectionState } from '../../../loop/step-state/reflection-state';
import type { ReflectionSpec } from '../../../loop/contract/spec';
import type { Step } from '../../../loop/contract/steps';
import { needsOfStep, textsIn } from '../../../loop/step-state/project';
import { isTemplate, templateNeeds } from '../../../lib/text/template-reads';

/** Parts of a loop's spec that a pipeline does not render: templates of the loop itself, and code of hooks. */
export const LEFT_TO_LOOP: ReadonlySet<string> = new Set([
  'task',
  'generator',
  'evaluator',
  'corrector',
  'reflectionPrompt',
  'hooks',
]);

/** Parts of the `judge` settings whose texts a pipeline leaves alone: the second judge is an evaluator. */
export const LEFT_TO_LOOP_OF_JUDGE: ReadonlySet<string> = new Set(['second']);

export function hasTemplate(value: Json | undefined): boolean {
  return textsIn(value).some(isTemplate);
}

function pickTemplates(settings: Json | undefined, leftToLoop: ReadonlySet<string>): JsonObject {
  const entries = isJsonObject(settings) ? Object.entries(settings) : [];
  return Object.fromEntries(entries.filter(([key, value]) => !leftToLoop.has(key) && hasTemplate(value)));
}

/** Templates over the pipeline's state; the loop's own state is one of them. Of `judge`, only those of its settings that are. */
export function pickTemplatedSettings(spec: object): JsonObject {
  const { judge, ...settings } = spec as JsonObject;
  const judging = pickTemplates(judge, LEFT_TO_LOOP_OF_JUDGE);
  return { ...pickTemplates(settings, LEFT_TO_LOOP), ...(Object.keys(judging).length === 0 ? {} : { judge: judging }) };
}

export function removeTemplated(spec: JsonObject): JsonObject {
  const { judge: judging, ...settings } = pickTemplatedSettings(spec);
  const known = without(spec, settings);
  return isJsonObject(judging) ? { ...known, judge: without(spec['judge'] as JsonObject, judging) } : known;
}

function without(settings: JsonObject, left: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(settings).filter(([key]) => !Object.hasOwn(left, key)));
}

export function withSettings(spec: ReflectionSpec, rendered: JsonObject): ReflectionSpec {
  const { judge, ...settings } = rendered as Partial<ReflectionSpec>;
  return { ...spec, ...settings, ...(judge === undefined ? {} : { judge: { ...spec.judge, ...judge } }) };
}

export function stateForTemplates(state: JsonObject, value: Json | undefined): JsonObject {
  return pick(state, templateNeeds(textsIn(value)).keys);
}

export function stateForNode(state: JsonObject, step: Step, actionNeeds: Record<string, string[]>): JsonObject {
  return pick(state, needsOfStep(step, undefined, actionNeeds).keys);
}

/** The keys that its spec reads, under its own. `reflection_…` keys of an earlier loop are left out: to a loop they are its own. */
export function stateForLoop(
  state: JsonObject,
  spec: ReflectionSpec,
  actionNeeds: Record<string, string[]>,
): JsonObject {
  const read = pick(state, listKeysRead(spec, actionNeeds));
  const fresh = Object.entries(read).filter(([key]) => !key.startsWith('reflection_'));
  return { ...Object.fromEntries(fresh), ...spec.state };
}

/** Lists the keys of the state that a spec reads: possibly too many, never too few. */
function listKeysRead(
  { state: _state, ...spec }: ReflectionSpec,
  actionNeeds: Record<string, string[]>,
): string[] | 'all' {
  const parts = spec as unknown as JsonObject;
  const { keys } = templateNeeds(textsIn(parts));
  const declared = listDeclaredNeeds(parts, actionNeeds);
  // Hooks may look at everything.
  if (keys === 'all' || declared === undefined || 'hooks' in spec) return 'all';
  return [...new Set([...keys, ...declared])];
}

/** Lists the keys that the actions inside a value declare to read; undefined when one may read everything. */
function listDeclaredNeeds(value: Json, actionNeeds: Record<string, string[]>): string[] | undefined {
  if (Array.isArray(value)) return joinNeeds(value.map((item) => listDeclaredNeeds(item, actionNeeds)));
  if (!isJsonObject(value)) return [];
  // Inline code may look at everything, and services and workflows are sent everything.
  const seesAll = typeof value['run'] === 'string' || typeof value['workflow'] === 'string';
  if (seesAll || value['type'] === 'external') return undefined;
  const { action } = value;
  const own = typeof action !== 'string' || action === 'llm.call' ? [] : actionNeeds[action];
  return joinNeeds([own, ...Object.values(value).map((item) => listDeclaredNeeds(item, actionNeeds))]);
}

function joinNeeds(lists: (string[] | undefined)[]): string[] | undefined {
  const known = lists.filter((list) => list !== undefined);
  return known.length === lists.length ? known.flat() : undefined;
}

function renderedKeys(state: JsonObject | undefined, pointers: readonly string[]): string[] {
  return pointers.flatMap((pointer) => {
    const [setting, key] = pointerSegments(pointer);
    if (setting !== 'state') return [];
    return key === undefined ? Object.keys(state ?? {}) : [key];
  });
}

/** Lists the keys of the state a loop starts with whose texts are not the pipeline's author's. */
export function materialForLoop(
  given: JsonObject,
  spec: ReflectionSpec,
  material: readonly string[],
  pointers: readonly string[],
): { material?: string[] } {
  const inherited = material.filter((key) => !Object.hasOwn(spec.state ?? {}, key));
  return materialIn(given, [...(spec.material ?? []), ...inherited, ...renderedKeys(spec.state, pointers)]);
}

export function afterLoop(state: JsonObject, { output }: PlannedNode, result: ReflectionResult): JsonObject {
  return { ...state, ...toReflectionState(result), ...(output === undefined ? {} : { [output]: result.finalOutput }) };
}

/** True for an object with the key `output` from inline code: all of its keys go into the state. */
function namesItsOutput(node: PlannedNode, value: Json): boolean {
  const isCode = node.kind === 'step' && 'run' in node.step;
  return isCode && node.output !== undefined && isJsonObject(value) && Object.hasOwn(value, node.output);
}

/** A value goes under `output`; without one, or if inline code returns this key, the keys of an object. Warns of a value without a key. */
export function afterNode(
  state: JsonObject,
  node: PlannedNode,
  value: Json,
): { state: JsonObject; warnings: string[] } {
  const { output, kind } = node;
  if (output !== undefined && !namesItsOutput(node, value))
    return { state: { ...state, [output]: value }, warnings: [] };
  const own: JsonObject = kind === 'correct' ? { reflection_output: value } : {};
  if (isJsonObject(value)) return { state: { ...state, ...value, ...own }, warnings: [] };
  const lost = kind !== 'correct' && value !== null;
  return {
    state: { ...state, ...own },
    warnings: lost ? ['it returned no object, so nothing was kept: give the node an `output`'] : [],
  };
}
