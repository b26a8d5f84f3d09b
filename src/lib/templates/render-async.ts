import type { Json } from '../json/json';
import { isTemplate } from '../text/template-reads';
import { offload } from '../threads/offload';
import { TimeBudgetExceeded } from '../threads/time-budget';
import { isLighterThan } from '../threads/weight';
import { fenceKey } from './fence';
import { type FencedText, problemsOfTemplates, type Rendered, type RenderedText, type RenderedValue } from './render';
import { type Rendering, renderings, type TemplateVariables, TOO_DEEP } from './render';
import { TemplateFailed } from './limits';

/** Characters and parts of what the event loop renders itself: less than some milliseconds, unless it has loops. */
const SMALL_TEMPLATES = 16_000;
const SMALL_VARIABLES = 64_000;

const file = require.resolve('./render');

const render = offload({
  file,
  name: renderings.name,
  run: renderings,
  isSmall: ({ parts, variables }) => isLighterThan(SMALL_TEMPLATES, parts) && isLighterThan(SMALL_VARIABLES, variables),
  key: ({ parts }) => JSON.stringify(parts),
});

const problemsOf = offload({
  file,
  name: problemsOfTemplates.name,
  run: problemsOfTemplates,
  isSmall: ({ texts }) => isLighterThan(SMALL_TEMPLATES, texts),
  key: ({ texts }) => JSON.stringify(texts),
});

type Part = Rendering['parts'][number];

async function renderParts(
  parts: Part[],
  variables: TemplateVariables,
  material?: readonly string[],
): Promise<Rendered[]> {
  try {
    const { done, failure } = await render({ parts, variables, material, fenceKey: fenceKey() });
    if (failure !== undefined) throw new TemplateFailed(failure);
    return done;
  } catch (error) {
    const tooLong = error instanceof TimeBudgetExceeded && `to render all of it ${error.message}`;
    const why = (error as Error).name === 'RangeError' ? TOO_DEEP : tooLong;
    if (why) throw new TemplateFailed(`template failed: ${why}`, { cause: error });
    throw error;
  }
}

const hasTemplate = (value: Json): boolean => {
  if (typeof value === 'string') return isTemplate(value);
  return typeof value === 'object' && value !== null && Object.values(value).some((each) => hasTemplate(each));
};

/** Renders a template as `renderTemplate` does, without blocking other work. */
export async function renderTemplateAsync(text: string, variables: TemplateVariables): Promise<RenderedText> {
  if (!isTemplate(text)) return { text, warnings: [] };
  const [result] = await renderParts([{ kind: 'text', text }], variables);
  return { text: result!.value as string, warnings: result!.warnings };
}

/** Renders a value as `renderValue` does, without blocking other work. */
export async function renderValueAsync(
  value: Json,
  variables: TemplateVariables,
  material?: readonly string[],
): Promise<RenderedValue> {
  if (!hasTemplate(value)) return { value, warnings: [] };
  const [result] = await renderParts([{ kind: 'value', value }], variables, material);
  return result!;
}

/**
 * Renders each text as `renderFenced` does, without blocking other work. `task` in the texts is the first one, rendered, if there
 * is a task.
 */
export async function renderFencedAsync(
  { task, texts }: { task?: string | undefined; texts: string[] },
  variables: TemplateVariables,
  material?: readonly string[],
): Promise<{ task?: FencedText; texts: FencedText[] }> {
  const all = [...(task === undefined ? [] : [task]), ...texts];
  const parts = all.map((text, index): Part => ({ kind: task !== undefined && index === 0 ? 'task' : 'fenced', text }));
  const plain = all.map((value): Rendered => ({ value, warnings: [] }));
  const done = all.some((text) => isTemplate(text)) ? await renderParts(parts, variables, material) : plain;
  const fenced = done.map(({ value, warnings, isFenced = false }) => ({ text: value as string, warnings, isFenced }));
  return task === undefined ? { texts: fenced } : { task: fenced[0]!, texts: fenced.slice(1) };
}

/** Finds problems of each text as `templateProblems` does, without blocking other work. */
export async function templateProblemsAsync(texts: string[]): Promise<string[][]> {
  const templates = texts.filter((text) => isTemplate(text));
  if (templates.length === 0) return texts.map(() => []);
  const found = await problemsOf({ texts: templates });
  let next = 0;
  return texts.map((text) => (isTemplate(text) ? found[next++]! : []));
}
