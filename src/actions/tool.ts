import { largeInteger } from '../lib/json/large-integers';
import { sha256 } from '../lib/base/sha256';
import { canonicalJson } from '../lib/json/canonical-json';
import { jsonPointer, pointerSegments } from '../lib/json/json-pointer';
import { toolName } from '../loop/step-state/tools';
import type { ToolDescription } from '../lib/models/types';
import { NOT_APPROVABLE } from '../loop/moves/person-results';
import { ASK_PERSON, ASK_PERSON_TOOL } from '../loop/step-state/ask-person';
import { ActionFailed, ToolFailed } from './action-failed';
import { describeUnapprovable, mayNeedApproval, needsApproval } from './approval';
import { inputSchemaOf } from './problems/parameters';
import { UnknownAction } from './registry';
import { readParameters, renderTask, runAction, validateValue } from './registered';
import type { ActionCall, ActionRegistry, ActionUse } from './types';
import type { TypedProblem } from '../lib/base/spec-problem';
import { isJsonObject, type Json, type JsonObject } from '../lib/json/json';

/** Keywords that endpoints refuse at the top of the parameters of a tool. */
const COMBINED = ['oneOf', 'anyOf', 'allOf', 'enum', 'not', 'if', 'then', 'else', '$ref'] as const;

function resolveReference(root: JsonObject, schema: Json): JsonObject {
  const reference = isJsonObject(schema) ? schema['$ref'] : undefined;
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return isJsonObject(schema) ? schema : {};
  let found: Json | undefined = root;
  for (const segment of pointerSegments(reference.slice(1)))
    found = isJsonObject(found) && Object.hasOwn(found, segment) ? found[segment] : undefined;
  return isJsonObject(found) ? found : {};
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

function mergedProperties(branches: readonly JsonObject[]): JsonObject {
  const schemas = new Map<string, Map<string, Json>>();
  for (const { properties } of branches) {
    for (const [name, schema] of isJsonObject(properties) ? Object.entries(properties) : []) {
      const known = schemas.get(name) ?? new Map<string, Json>();
      schemas.set(name, known.set(JSON.stringify(schema), schema ?? {}));
    }
  }
  return Object.fromEntries(
    [...schemas].map(([name, known]) => [
      name,
      known.size === 1 ? [...known.values()][0]! : { anyOf: [...known.values()] },
    ]),
  );
}

/** A union becomes an object with the keys of all branches; the action's own check refuses wrong ones. Undefined for no object. */
export function objectParameters(schema: JsonObject): JsonObject | undefined {
  const { type } = schema;
  if (type !== undefined && type !== 'object') return undefined;
  if (!COMBINED.some((keyword) => keyword in schema)) return { properties: {}, ...schema, type: 'object' };
  const root = resolveReference(schema, schema);
  const rest = Object.fromEntries(
    Object.entries({ ...schema, ...root }).filter(([keyword]) => !(COMBINED as readonly string[]).includes(keyword)),
  );
  const choices = [...listOf(root['oneOf']), ...listOf(root['anyOf'])].map((each) => resolveReference(schema, each));
  const parts = [root, ...listOf(root['allOf']).map((each) => resolveReference(schema, each))];
  if ([...choices, ...parts].some((each) => each['type'] !== undefined && each['type'] !== 'object')) return undefined;
  const [first = [], ...others] = choices.map(({ required }) => listOf(required));
  const shared = first.filter((key) => others.every((keys) => keys.includes(key)));
  const required = [...new Set([...parts.flatMap((part) => listOf(part['required'])), ...shared])];
  const { additionalProperties: _closed, ...open } = rest;
  return {
    ...open,
    type: 'object',
    properties: mergedProperties([...parts, ...choices]),
    ...(required.length > 0 && { required }),
  };
}

function isBuiltIn(name: string, actions: ActionRegistry): boolean {
  return name === ASK_PERSON && actions.find(name) === undefined;
}

export function toolsOf(names: readonly string[], actions: ActionRegistry): ToolDescription[] {
  return names.map((name) => {
    if (isBuiltIn(name, actions)) return ASK_PERSON_TOOL;
    const action = actions.get(name);
    return {
      name: toolName(name),
      description: action.description,
      parameters: objectParameters(inputSchemaOf(action)) ?? { type: 'object' },
    };
  });
}

function problemOf(name: string, actions: ActionRegistry): Omit<TypedProblem, 'path'> | undefined {
  if (isBuiltIn(name, actions)) return undefined;
  const action = actions.find(name);
  if (!action) return { message: actions.whyNot(name), type: 'UnknownAction' };
  if (objectParameters(inputSchemaOf(action))) return undefined;
  return { message: `"${name}" cannot be a tool: its parameters are no object` };
}

/** Paths are relative to the step. */
export function toolProblems(names: readonly string[], actions: ActionRegistry): TypedProblem[] {
  return names.flatMap((name, index) => {
    const path = jsonPointer(['tools', index]);
    if (names.indexOf(name) !== index) return [{ path, message: `"${name}" is listed twice` }];
    const alike = names.slice(0, index).find((other) => toolName(other) === toolName(name));
    if (alike !== undefined) {
      return [{ path, message: `"${name}" and "${alike}" are both ${toolName(name)} for a model: list one of them` }];
    }
    const problem = problemOf(name, actions);
    return problem ? [{ path, ...problem }] : [];
  });
}

function describeUnsafe(name: string): string {
  return (
    `"${name}" cannot be called by a judge: its worker does not say that it only reads. Where it does, set \`readOnly: true\` ` +
    'in defineAction, or list the tool in `readOnly` of its MCP server'
  );
}

/** Paths are relative to the evaluator. */
export function judgeToolProblems(names: readonly string[] = [], actions: ActionRegistry): TypedProblem[] {
  const unsafe = names.flatMap((name, index) => {
    const path = jsonPointer(['tools', index]);
    if (isBuiltIn(name, actions))
      return [{ path, message: `"${name}" is for generators and correctors: no judge asks a person` }];
    const action = actions.find(name);
    if (!action) return [];
    if (mayNeedApproval(action)) return [{ path, message: describeUnapprovable(name) }];
    return action.readOnly ? [] : [{ path, message: describeUnsafe(name) }];
  });
  return [...toolProblems(names, actions), ...unsafe];
}

type ToolRequest = ActionCall & {
  action: string;
  /** JSON, as the model wrote it. Nothing in it is read as a template. */
  arguments: string;
  byJudge?: true;
  /** The worker that checked the spec found that the action may need approval. */
  isGuarded?: boolean;
  isApproved?: boolean;
  /** The digest of the arguments that the person saw; undefined from runs that know none. */
  seen?: string;
  /** Only the arguments are checked. */
  isChecked?: boolean;
};

export interface ToolEnd {
  content: string;
  failed: boolean;
  /** The arguments are invalid, so that the action was not called. */
  invalid?: true;
  /** The action was not called: a person has to approve it first. */
  needsApproval?: true;
  /** The arguments after `input`, as JSON, if a person has to see them first. */
  parsed?: string;
}

function parsedArguments(text: string): unknown {
  const json = text.trim() === '' ? '{}' : text;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new TypeError(`The arguments are no JSON: ${(error as Error).message}`, { cause: error });
  }
  const large = largeInteger(json);
  if (!large) return value;
  throw new TypeError(
    `The argument ${large.path} cannot be had exactly: ${large.source} is too large for a whole number in JSON. ` +
      'Write it as text, in quotes, or say that this tool cannot be used for it.',
  );
}

/** Wrong arguments or results are the answer: the model may do better. Throws UnknownAction, and what the action throws. */
export async function runTool(call: ToolRequest, { actions, ...attempt }: ActionUse): Promise<ToolEnd> {
  await actions.learn([call.action], attempt.signal);
  const action = actions.get(call.action);
  // The check of the spec found that it is: this worker may have another one of that name.
  if (call.byJudge && (!action.readOnly || mayNeedApproval(action)))
    throw new UnknownAction(describeUnsafe(call.action));
  attempt.signal.throwIfAborted();
  const task = await renderTask(call);
  let input: unknown;
  try {
    input = await readParameters(action, parsedArguments(call.arguments));
  } catch (error) {
    return { content: (error as Error).message, failed: true, invalid: true };
  }
  // Another build of the worker, or one with other servers, may have this action without approval: the stricter one counts.
  const isGuarded = call.isGuarded === true && !mayNeedApproval(action);
  const parsed = canonicalJson(input);
  const isUnseen = call.isApproved ? call.seen !== undefined && call.seen !== sha256(parsed) : isGuarded;
  if (call.isChecked || isUnseen || (!call.isApproved && (await needsApproval(action, input)))) {
    return { content: NOT_APPROVABLE, failed: true, needsApproval: true, parsed };
  }
  let result: unknown;
  try {
    result = await runAction(action, input, { ...call, task: task?.text }, attempt, true);
  } catch (error) {
    if (!(error instanceof ToolFailed)) throw error;
    return { content: error.message, failed: true };
  }
  try {
    const value = await validateValue(action, 'output', result);
    const text = typeof value === 'string' ? value : ((JSON.stringify(value) as string | undefined) ?? 'null');
    return { content: text, failed: false };
  } catch (error) {
    if (!(error instanceof ActionFailed))
      throw new ActionFailed(action.name, 'output', 'output is not JSON', { cause: error });
    return { content: error.message, failed: true };
  }
}
