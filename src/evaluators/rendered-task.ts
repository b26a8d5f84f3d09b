import type { JsonObject } from '../lib/json/json';
import { renderFencedAsync, renderTemplateAsync } from '../lib/templates';
import type { EvaluationInput } from './types';

/** @param material keys of the state whose texts others wrote */
export async function renderTask(
  task: string | undefined,
  state: JsonObject,
  material?: readonly string[],
): Promise<Pick<EvaluationInput, 'task' | 'taskInPrompts'>> {
  if (task === undefined) return {};
  const { text } = await renderTemplateAsync(task, { state });
  const { texts } = await renderFencedAsync({ texts: [task] }, { state }, material);
  const [shown] = texts;
  return { task: text, ...(shown?.isFenced ? { taskInPrompts: shown.text } : {}) };
}
