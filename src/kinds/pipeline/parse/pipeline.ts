import { z } from 'zod';
import {
  actionNode,
  correctParameters,
  evaluateParameters,
  nodeCommon,
  pipelineSpec,
  type PipelineSpec,
} from '../contract/pipeline';
import { step } from '../../../loop/contract/steps';
import { isJsonObject, type Json, type JsonObject } from '../../../lib/json/json';
import { MAXIMUM_NODES } from '../base/defaults';
import { edgeProblems, nodeNameProblems } from '../state/pipeline-order';
import { mayBeMended, findDeferredParameters } from '../state/deferred-parameters';
import { expandPipeline } from '../state/pipeline';
import { removeTemplated } from '../state/pipeline-state';
import type { SpecProblem } from '../../../lib/contract/spec-problem';
import { moveBelow, formProblems, readForm } from '../../../lib/contract/form-problems';
import { parseSpec } from '../../../loop/parse/spec';
import { allProblems } from '../../../loop/spec/short-form';

function parameterProblems(action: string, parameters: Json): SpecProblem[] {
  const isBuiltIn = action === 'llm.call' || action.startsWith('reflection.');
  if (isBuiltIn && !isJsonObject(parameters)) return [{ path: '', message: 'must be an object' }];
  const mayBeNone = mayBeMended(action, findDeferredParameters(action, parameters));
  return parameterFormProblems(action, parameters).filter(({ path }) => !mayBeNone(path));
}

function parameterFormProblems(action: string, parameters: Json): SpecProblem[] {
  if (action === 'reflection.loop') {
    const parsed = parseSpec(removeTemplated(parameters as JsonObject));
    return 'problems' in parsed ? parsed.problems : [];
  }
  if (action === 'reflection.evaluate') return formProblems(evaluateParameters, parameters);
  if (action === 'reflection.correct') return formProblems(correctParameters, parameters);
  if (action === 'llm.call') return modelCallProblems(parameters as JsonObject);
  return [];
}

export function modelCallProblems(parameters: JsonObject): SpecProblem[] {
  return formProblems(step, { ...parameters, action: 'llm.call' });
}

function nodeProblems(node: unknown): SpecProblem[] {
  if (!isJsonObject(node))
    return [{ path: '', message: 'must be an object with `name`, and `uses` (or `action`), `run` or `workflow`' }];
  const { name: _name, description: _description, output, ...what } = node;
  if (('run' in node || 'workflow' in node) && !('uses' in node) && !('action' in node)) {
    const common = Object.fromEntries(Object.entries(node).filter(([key]) => Object.hasOwn(nodeCommon, key)));
    const given = Object.fromEntries(Object.entries(what).filter(([key]) => !Object.hasOwn(nodeCommon, key)));
    return [...formProblems(z.strictObject(nodeCommon), common), ...formProblems(step, given)];
  }
  const { uses, action } = node;
  const form = formProblems(actionNode, node);
  if (uses === undefined && action === undefined) {
    return [...form, { path: '', message: 'does nothing: it needs `uses` (or `action`), `run` or `workflow`' }];
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
    ...parameterProblems(called, node['with'] ?? {}).map(moveBelow('/with')),
  ];
}

/** Reads a pipeline: with its loops in their long form, or every problem. `prepare` checks names and schemas. */
export function parsePipeline(given: unknown): { pipeline: PipelineSpec } | { problems: SpecProblem[] } {
  if (!isJsonObject(given)) return { problems: [{ path: '', message: 'a pipeline must be a JSON object' }] };
  const expanded = expandPipeline(given);
  const value = expanded.value as JsonObject;
  const listed: unknown = value['nodes'];
  const nodes = Array.isArray(listed) ? (listed as unknown[]) : [];
  const names = nodes.map((node) => (isJsonObject(node) && typeof node['name'] === 'string' ? node['name'] : ''));
  const form = readForm(pipelineSpec, value);
  const problems = allProblems(expanded, [
    ...form.problems,
    // Nodes beyond the limit are too many to be reported one by one.
    ...nodes.slice(0, MAXIMUM_NODES).flatMap((node, index) => nodeProblems(node).map(moveBelow(`/nodes/${index}`))),
    ...nodeNameProblems(names).filter(({ path }) => names[Number(path.split('/')[2])] !== ''),
    ...(names.includes('') || !Array.isArray(value['edges']) ? [] : edgeProblems(names, value['edges'])),
  ]);
  return form.data && problems.length === 0 ? { pipeline: form.data } : { problems };
}
