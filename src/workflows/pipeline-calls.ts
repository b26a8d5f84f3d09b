import { proxyLocalActivities } from '@temporalio/workflow';
import type { ReflectionActivities } from '../activities/protocol';
import type { Json, JsonObject } from '../domain/json';
import type { PipelinePreparation } from '../domain/pipeline';
import { hasTemplate, stateForTemplates } from '../domain/pipeline-state';
import { summaryText } from '../domain/summary-text';

const LOCAL_TIMEOUT_MS = 30_000;

function local(summary: string): ReflectionActivities {
  return proxyLocalActivities<ReflectionActivities>({
    startToCloseTimeout: LOCAL_TIMEOUT_MS,
    summary: summaryText(summary),
  });
}

/** Checks a whole pipeline before anything is paid for. */
export async function callPreparePipeline(pipeline: unknown): Promise<PipelinePreparation> {
  return local('prepare').preparePipeline({ pipeline });
}

/** Renders parameters of a node over the state; no activity where there is nothing to render. */
export async function renderParameters(
  value: JsonObject,
  state: JsonObject,
  node: string,
): Promise<{ value: JsonObject; warnings: string[] }> {
  if (!hasTemplate(value)) return { value, warnings: [] };
  const input: { value: Json; state: JsonObject } = { value, state: stateForTemplates(state, value) };
  const rendered = await local(`${node} · render`).renderParameters(input);
  return { value: rendered.value as JsonObject, warnings: rendered.warnings };
}
