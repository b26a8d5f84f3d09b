import { isJsonObject, type Json } from '../json/json';
import { jsonPointer } from '../json/json-pointer';
import type { SpecProblem } from '../contract/spec-problem';

/** `{{ state.name }}`, `{{ name | filter }}`: double braces in code rarely look like this. */
const TEMPLATE = /\{\{-?\s*([A-Za-z_]\w*(?:\.\w+|\[[^\]{}\n]*\])*)\s*(?:\|[^{}\n]*)?-?\}\}/;

const DATA = new Set(['state', 'stateSchema', 'schema', 'reply', 'examples', 'data', 'errors']);

function warningAt(path: readonly string[], code: string): SpecProblem[] {
  const [tag, name = ''] = TEMPLATE.exec(code) ?? [];
  if (tag === undefined) return [];
  const message = `inline code is no template, so \`${tag}\` stays as it is: read \`${name}\` from the variable \`state\``;
  return [{ path: jsonPointer(path), message }];
}

/** Finds inline code anywhere in a spec, a pipeline or a node that looks like a template, which it is in other engines. */
export function templatesInCode(value: Json, path: readonly string[] = []): SpecProblem[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => templatesInCode(each, [...path, String(index)]));
  if (!isJsonObject(value)) return [];
  const action = value['action'] ?? value['uses'];
  return Object.entries(value).flatMap(([key, each]) => {
    const at = [...path, key];
    if (key === 'run' && typeof each === 'string') return warningAt(at, each);
    // What a registered action is given is its own.
    const isForeign = key === 'with' && !String(action).startsWith('reflection.');
    return DATA.has(key) || isForeign ? [] : templatesInCode(each, at);
  });
}
