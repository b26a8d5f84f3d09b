import type { CheckedBefore } from '../../loop/spec/checked-before';
import type { Json, JsonObject } from '../../lib/json/json';
import { insertDeferred } from '../../kinds/pipeline/state/deferred-parameters';
import { actionOf } from '../../kinds/pipeline/state/pipeline';
import type { PipelineNode } from '../../kinds/pipeline/contract/pipeline';
import { materialIn } from '../../loop/step-state/taint';
import { hasTemplate, stateForTemplates } from '../../kinds/pipeline/state/pipeline-state';
import { checkingActivities } from '../shared/activity-calls';
import { valueAt } from '../../lib/json/json-pointer';

/**
 * A node with the values of its deferred parameters.
 * @param deferred JSON Pointers of them, below `with`; undefined when it has none
 */
export async function renderDeferredParameters(
  node: PipelineNode,
  deferred: readonly string[] | undefined,
  state: JsonObject,
  material: readonly string[],
  before?: CheckedBefore,
): Promise<{ node: PipelineNode; warnings: string[] }> {
  if (deferred === undefined) return { node, warnings: [] };
  const parameters = ((node as { with?: Json }).with ?? {}) as JsonObject;
  const value = Object.fromEntries(deferred.map((pointer) => [pointer, valueAt(parameters, pointer)!]));
  const read = stateForTemplates(state, value);
  const rendered = await checkingActivities(`${node.name} · render`, before).renderParameters({
    value,
    state: read,
    ...materialIn(read, material),
    node: { action: actionOf(node)!, parameters },
    known: before?.known,
  });
  const given = insertDeferred(parameters, rendered.value as JsonObject, rendered.material);
  return { node: { ...node, with: given } as unknown as PipelineNode, warnings: rendered.warnings };
}

/** Renders parameters of a node over the state; no activity where there is nothing to render. `material`: JSON Pointers of what was made of it. */
export async function renderParameters(
  value: JsonObject,
  { state, material }: { state: JsonObject; material: readonly string[] },
  node: string,
): Promise<{ value: JsonObject; warnings: string[]; material: string[] }> {
  if (!hasTemplate(value)) return { value, warnings: [], material: [] };
  const read = stateForTemplates(state, value);
  const input: { value: Json; state: JsonObject } = { value, state: read, ...materialIn(read, material) };
  const rendered = await checkingActivities(`${node} · render`).renderParameters(input);
  return { value: rendered.value as JsonObject, warnings: rendered.warnings, material: rendered.material ?? [] };
}
