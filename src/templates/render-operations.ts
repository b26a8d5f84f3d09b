import type { Json } from '../domain/base/json';
import { withFenceKey } from './fence';
import { templateProblems } from './parsing';
import { type RenderedValue, renderFenced, renderTemplate, renderValue, type TemplateVariables } from './render';
import { TemplateFailed } from './template-failed';

/** What is rendered with the same variables. A `task` is what the others after it see by this name. */
export interface Rendering {
  parts: ({ kind: 'text' | 'fenced' | 'task'; text: string } | { kind: 'value'; value: Json })[];
  variables: TemplateVariables;
  /** Keys of `state` whose texts others wrote. */
  material?: readonly string[];
  /** What the codes of fences are made with. */
  fenceKey: string;
}

/** Renders one after the other, up to the first that fails. */
export function renderings(rendering: Rendering): { done: RenderedValue[]; failure?: string } {
  return withFenceKey(rendering.fenceKey, () => renderedInOrder(rendering));
}

function renderedInOrder({ parts, variables, material }: Rendering): ReturnType<typeof renderings> {
  const done: (RenderedValue & { isFenced?: boolean })[] = [];
  let known = variables;
  try {
    for (const part of parts) {
      if (part.kind === 'value') done.push(renderValue(part.value, known, material));
      else if (part.kind === 'text') {
        const { text: value, warnings } = renderTemplate(part.text, known);
        done.push({ value, warnings });
      } else {
        const { text: value, warnings, isFenced } = renderFenced(part.text, known, material);
        done.push({ value, warnings, isFenced });
        if (part.kind === 'task') known = { ...known, task: value };
      }
    }
    return { done };
  } catch (error) {
    if (error instanceof TemplateFailed) return { done, failure: error.message };
    throw error;
  }
}

/** Everything that can be seen to be wrong with each template before it is rendered. */
export function problemsOfTemplates({ texts }: { texts: string[] }): string[][] {
  return texts.map((text) => templateProblems(text));
}
