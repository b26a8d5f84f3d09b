import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../../domain/base/json';
import { MAXIMUM_NODES, type PipelineSettings, type PipelineSpec } from '../../domain/pipeline/pipeline';
import { MOST_EDGES, MOST_REPLY_TOKENS } from '../../domain/base/maxima';
import { edgeProblems, nodeNameProblems } from '../../domain/pipeline/pipeline-order';
import { awaits, deferredParameters } from '../../domain/pipeline/deferred-parameters';
import { withoutTemplated } from '../../domain/pipeline/pipeline-state';
import type { SpecProblem } from '../../domain/base/spec-problem';
import { evaluators } from '../../contract/evaluator-list';
import { formProblems, parseSpec } from './spec';
import { step } from '../../contract/steps';
import { duration, json, jsonObject, nameText, stateKeys } from '../../contract/values';

const settings = z.strictObject({
  llm: z
    .strictObject({
      model: nameText.optional(),
      temperature: z.number().min(0).max(2).optional(),
      maxTokens: z.int().min(1).max(MOST_REPLY_TOKENS).optional(),
    })
    .optional(),
  timeouts: z
    .strictObject({ modelCall: duration.optional(), step: duration.optional(), retryFor: duration.optional() })
    .optional(),
}) satisfies z.ZodType<PipelineSettings>;

/** What a node is beside what it runs. */
const nodeCommon = {
  // Part of a run's id, where `/` parts the pipeline from its node.
  name: z.string().regex(/^[^/\p{Cc}]{1,100}$/u, 'must be 1 to 100 characters, without "/"'),
  description: z.string().optional(),
  output: nameText.optional(),
};

export const actionNode = z.strictObject({
  ...nodeCommon,
  uses: nameText.optional(),
  action: nameText.optional(),
  with: json.optional(),
});

export const pipelineSchema = z.strictObject({
  name: z.string().min(1).max(200).optional(),
  description: z.string().optional(),
  nodes: z
    .array(z.unknown())
    .min(1, 'must have at least one node')
    .max(MAXIMUM_NODES, `must have at most ${MAXIMUM_NODES} nodes: give the rest to a pipeline of its own`),
  edges: z
    .array(z.strictObject({ from: z.string(), to: z.string() }))
    .max(MOST_EDGES)
    .optional(),
  settings: settings.optional(),
  state: jsonObject.optional(),
  material: stateKeys.optional(),
});

export const evaluateParameters = z.strictObject({
  evaluator: evaluators,
  data: json.optional(),
  task: z.string().optional(),
});

export const correctParameters = z.strictObject({
  corrector: step,
  data: json.optional(),
  errors: json.optional(),
  task: z.string().optional(),
});

const within = (path: string) => (problem: SpecProblem) => ({ ...problem, path: `${path}${problem.path}` });

function problemsIn(schema: z.ZodType, value: unknown): SpecProblem[] {
  const result = schema.safeParse(value);
  return result.success ? [] : result.error.issues.flatMap((issue) => formProblems(issue, value));
}

/** Mistakes of what an action is given, by paths below `with`. */
function parameterProblems(action: string, parameters: Json): SpecProblem[] {
  const isBuiltIn = action === 'llm.call' || action.startsWith('reflection.');
  if (isBuiltIn && !isJsonObject(parameters)) return [{ path: '', message: 'must be an object' }];
  const mayBeNone = awaits(action, deferredParameters(action, parameters));
  return formProblemsOf(action, parameters).filter(({ path }) => !mayBeNone(path));
}

/** Mistakes of the form of what an action is given, as it stands. */
function formProblemsOf(action: string, parameters: Json): SpecProblem[] {
  if (action === 'reflection.loop') {
    const parsed = parseSpec(withoutTemplated(parameters as JsonObject));
    return 'problems' in parsed ? parsed.problems : [];
  }
  if (action === 'reflection.evaluate') return problemsIn(evaluateParameters, parameters);
  if (action === 'reflection.correct') return problemsIn(correctParameters, parameters);
  if (action === 'llm.call') return modelCallProblems(parameters as JsonObject);
  return [];
}

/** Mistakes of the form of a model call's parameters. */
export function modelCallProblems(parameters: JsonObject): SpecProblem[] {
  return problemsIn(step, { ...parameters, action: 'llm.call' });
}

function nodeProblems(node: unknown): SpecProblem[] {
  if (!isJsonObject(node))
    return [{ path: '', message: 'must be an object with `name`, and `uses` (or `action`) or `run`' }];
  const { name: _name, description: _description, output, ...what } = node;
  if ('run' in node && !('uses' in node) && !('action' in node)) {
    const common = Object.fromEntries(Object.entries(node).filter(([key]) => Object.hasOwn(nodeCommon, key)));
    const given = Object.fromEntries(Object.entries(what).filter(([key]) => !Object.hasOwn(nodeCommon, key)));
    return [...problemsIn(z.strictObject(nodeCommon), common), ...problemsIn(step, given)];
  }
  const { uses, action } = node;
  const form = problemsIn(actionNode, node);
  if (uses === undefined && action === undefined) {
    return [...form, { path: '', message: 'does nothing: it needs `uses` (or `action`) or `run`' }];
  }
  if (uses !== undefined && action !== undefined) {
    return [...form, { path: '/uses', message: 'means the same as `action`; keep one' }];
  }
  const called = action ?? uses;
  if (typeof called !== 'string') return form;
  const lost = called === 'llm.call' && output === undefined;
  return [
    ...form,
    ...(lost
      ? [{ path: '/output', message: 'is required: a model answers with a text, which needs a key of the state' }]
      : []),
    ...parameterProblems(called, node['with'] ?? {}).map(within('/with')),
  ];
}

/** Reads a pipeline from outside: the pipeline, or every mistake of its form. Names and schemas are checked by `prepare`. */
export function parsePipeline(value: unknown): { pipeline: PipelineSpec } | { problems: SpecProblem[] } {
  if (!isJsonObject(value)) return { problems: [{ path: '', message: 'a pipeline must be a JSON object' }] };
  const listed: unknown = value['nodes'];
  const nodes = Array.isArray(listed) ? (listed as unknown[]) : [];
  const names = nodes.map((node) => (isJsonObject(node) && typeof node['name'] === 'string' ? node['name'] : ''));
  const form = pipelineSchema.safeParse(value);
  const problems = [
    ...(form.success ? [] : form.error.issues.flatMap((issue) => formProblems(issue, value))),
    // Beyond the limit they are too many to be told one by one.
    ...nodes.slice(0, MAXIMUM_NODES).flatMap((node, index) => nodeProblems(node).map(within(`/nodes/${index}`))),
    ...nodeNameProblems(names).filter(({ path }) => names[Number(path.split('/')[2])] !== ''),
    ...(names.includes('') || !Array.isArray(value['edges']) ? [] : edgeProblems(names, value['edges'])),
  ];
  return problems.length === 0 ? { pipeline: value as unknown as PipelineSpec } : { problems };
}
