import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../../lib/json/json';
import { jsonPointer } from '../../lib/json/json-pointer';
import { OWN_WORDS } from '../../lib/contract/issue-sentence';
import type { SpecProblem } from '../../lib/contract/spec-problem';
import { hasTemplate } from '../../kinds/pipeline/state/pipeline-state';
import type { Action } from '../types';

type Path = readonly (string | number)[];

export function inputSchemaOf({ parameters, input }: Action): JsonObject {
  const known = parameters ?? z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  const { $schema: _dialect, ...schema } = known;
  return schema as JsonObject;
}

function declaredInput(action: Action): JsonObject {
  try {
    return inputSchemaOf(action);
  } catch {
    return {};
  }
}

export function takesParameter(action: Action, name: string): boolean {
  const { properties } = declaredInput(action);
  return isJsonObject(properties) && Object.hasOwn(properties, name);
}

/** Checks the keys of parameters whose values may not be known yet: missing keys and unknown keys. */
function mistakesOfKeys(schema: Json | undefined, value: Json, path: Path): SpecProblem[] {
  if (!isJsonObject(schema) || !isJsonObject(value)) return [];
  const { properties = {}, required = [], additionalProperties } = schema;
  if (!isJsonObject(properties)) return [];
  const problem = (key: string, message: string) => ({ path: jsonPointer([...path, key]), message });
  const missing = (Array.isArray(required) ? required : []).flatMap((key) =>
    typeof key === 'string' && !Object.hasOwn(value, key) ? [problem(key, 'is missing')] : [],
  );
  return Object.entries(value).reduce((found, [key, inner]) => {
    const isKnown = Object.hasOwn(properties, key);
    if (isKnown) return [...found, ...mistakesOfKeys(properties[key], inner, [...path, key])];
    return additionalProperties === false ? [...found, problem(key, 'is not known')] : found;
  }, missing);
}

async function mistakesOfValue(action: Action, value: Json, path: Path): Promise<SpecProblem[]> {
  try {
    const parsed = await action.input.safeParseAsync(value, OWN_WORDS);
    const issues = parsed.error?.issues ?? [];
    return issues.map((issue) => ({
      path: jsonPointer([...path, ...issue.path.map((key) => (typeof key === 'number' ? key : String(key)))]),
      message: issue.message,
    }));
  } catch {
    // A check of the action's own failed: the call will report it.
    return [];
  }
}

/** Finds the problems of an action's parameters that show before templates are rendered. */
export async function parameterProblems(action: Action, value: Json, path: Path): Promise<SpecProblem[]> {
  const found = hasTemplate(value)
    ? mistakesOfKeys(declaredInput(action), value, path)
    : await mistakesOfValue(action, value, path);
  return found.map((each) => ({ ...each, message: `${each.message} (input of the action "${action.name}")` }));
}
