import { evaluatorTraits } from '../../../loop/spec/evaluator-traits';
import { isJsonObject, type Json, type JsonObject } from '../../../lib/json/json';
import { jsonPointer, pointerSegments, replaceAt } from '../../../lib/json/json-pointer';
import { isSoleExpression } from '../../../lib/text/template-reads';

/** Paths of steps and evaluators in a built-in action's parameters; an empty path is the parameters themselves. */
const PARTS: Record<string, readonly (readonly string[])[]> = {
  'reflection.loop': [['generator'], ['evaluator'], ['corrector'], ['judge', 'second']],
  'reflection.evaluate': [['evaluator']],
  'reflection.correct': [['corrector']],
  'llm.call': [[]],
};

/** Parameters that only the pipeline itself may set: its state may hold a model's text. */
const FIXED = new Set([
  'action',
  'type',
  'evaluator',
  'run',
  'language',
  'tools',
  'url',
  'command',
  'workflow',
  'taskQueue',
]);

/** Parameters that their user renders, over the state at that time. */
const RENDERED_AT_USE = new Set(['system', 'prompt', 'content', 'with']);

/** Whether a parameter of a step or evaluator, by its key, may get its value when its node is reached. */
export function mayBeDeferred(key: string): boolean {
  return !FIXED.has(key) && !RENDERED_AT_USE.has(key);
}

function expressionsIn(value: Json, path: readonly string[]): string[] {
  if (typeof value === 'string') return isSoleExpression(value) ? [jsonPointer(path)] : [];
  if (Array.isArray(value)) return value.flatMap((item, index) => expressionsIn(item, [...path, String(index)]));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => expressionsIn(item, [...path, key]));
}

function expressionsInPart(part: Json, path: readonly string[]): string[] {
  if (Array.isArray(part)) return part.flatMap((each, index) => expressionsInPart(each, [...path, String(index)]));
  if (!isJsonObject(part)) return [];
  return Object.entries(part).flatMap(([key, value]) => {
    if (!mayBeDeferred(key)) return [];
    // Items of a criterion have names of their own, such as `evaluator`; JSON of the user has no such meaning.
    if (key === 'criteria' || key === 'evaluatorConfig' || key === 'messages') {
      return typeof value === 'string' ? expressionsIn(value, [...path, key]) : listExpressions(value, [...path, key]);
    }
    return expressionsIn(value, [...path, key]);
  });
}

/** Lists the items of criteria and messages that are one expression, and the expressions inside the others. */
function listExpressions(value: Json, path: readonly string[]): string[] {
  if (!Array.isArray(value)) return expressionsInPart(value, path);
  return value.flatMap((item, index) => {
    const at = [...path, String(index)];
    return typeof item === 'string' ? expressionsIn(item, at) : expressionsInPart(item, at);
  });
}

/** JSON Pointers of parameters that are exactly one expression and that nothing else renders: they become its value, with its type. */
export function findDeferredParameters(action: string, parameters: Json): string[] {
  if (!isJsonObject(parameters)) return [];
  const parts = Object.hasOwn(PARTS, action) ? PARTS[action]! : [];
  return parts.flatMap((path) => expressionsInPart(partAt(parameters, path), path));
}

function partAt(parameters: Json, path: readonly string[]): Json {
  return path.reduce<Json>((at, key) => (isJsonObject(at) && Object.hasOwn(at, key) ? at[key]! : null), parameters);
}

function fieldOf(pointer: string, action: string): string {
  const segments = pointerSegments(pointer);
  const part = PARTS[action]!.find((path) => path.every((key, index) => key === segments[index]))!.length;
  const isListed = part > 0 && /^\d+$/.test(segments[part] ?? '');
  return jsonPointer(segments.slice(0, part + (isListed ? 2 : 1)));
}

/** A test whether a problem, by its path, may disappear once the deferred parameters have their values. */
export function mayBeMended(action: string, pointers: readonly string[]): (path: string) => boolean {
  const fields = pointers.map((pointer) => fieldOf(pointer, action));
  return (path) =>
    pointers.some((pointer) => pointer === path || pointer.startsWith(`${path}/`)) ||
    fields.some((field) => field !== path && path.startsWith(`${field}/`) && pointers.includes(field));
}

export function removeDeferred(action: string, parameters: JsonObject, pointers: readonly string[]): JsonObject {
  return pointers.reduce((rest, pointer) => {
    return replaceAt(rest, fieldOf(pointer, action), undefined) as JsonObject;
  }, parameters);
}

/** Inserts values of deferred parameters; `material` points to texts that are not the author's. */
export function insertDeferred(
  parameters: JsonObject,
  values: Readonly<Record<string, Json>>,
  material: readonly string[] = [],
): JsonObject {
  return Object.entries(values).reduce((given, [pointer, value]) => {
    const isMaterial = material.includes(jsonPointer([pointer]));
    const rendered = pointerSegments(pointer).includes('messages') ? quoteMessages(value, isMaterial) : value;
    return replaceAt(given, pointer, rendered) as JsonObject;
  }, parameters);
}

/** A text from the state is not rendered again; a model's gets markers, and never becomes a system message. */
function quoteMessages(value: Json, isMaterial: boolean): Json {
  if (Array.isArray(value)) return value.map((message) => quoteMessages(message, isMaterial));
  if (!isJsonObject(value) || typeof value['content'] !== 'string') return value;
  const { content, role } = value;
  if (isMaterial) {
    const spoken = { ...value, content: quoteText(content, ' | fenced') };
    return role === 'system' ? { ...spoken, role: 'user' } : spoken;
  }
  return /\{[{%#]/.test(content) ? { ...value, content: quoteText(content, '') } : value;
}

/** Makes a template that prints a text: no part of it may look like a tag, even inside of literals. */
function quoteText(text: string, filter: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"', String.raw`\"`);
  return `{{ ("${escaped.replaceAll(/([-{}%#])(?=[-{}%#])/g, '$1" ~ "')}")${filter} }}`;
}

/** Lists the paths below a deferred parameter at which its value says what is to be run; only the pipeline itself may. */
export function findActingPaths(pointer: string, value: Json): string[] {
  const segments = pointerSegments(pointer);
  const isCriteria = segments.includes('criteria');
  if (!isCriteria || segments.includes('evaluatorConfig')) return [];
  const list = Array.isArray(value) ? value : [value];
  return list.flatMap((each, index) =>
    isJsonObject(each) && evaluatorTraits(String(each['evaluator'])).acts
      ? [`${pointer}${Array.isArray(value) ? `/${index}` : ''}/evaluator`]
      : [],
  );
}
