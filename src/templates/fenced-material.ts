import { templateTags } from '../domain/template-needs';
import { fenced } from './fence';
import { type RenderedText, renderTemplate, type TemplateVariables } from './render';

/** An expression that prints what a model wrote: an output, or advice on one. */
const MATERIAL = /^[-+]?\s*state\s*(?:\.\s*|\[\s*["'])reflection_(?:output|best|hint|history)\b/;

/**
 * Renders a template in which expressions that print a draft, whatever filters they go through, come out between markers
 * that nobody could foresee. A prompt that its author wrote is then as safe as ours: a draft cannot go on as if the prompt spoke.
 * What templates do with a draft in statements (`{% %}`) stays as it is, for it is not printed by them.
 */
export function renderFenced(template: string, variables: TemplateVariables): RenderedText {
  const material: TemplateVariables = {};
  const warnings: string[] = [];
  let text = '';
  let end = 0;
  for (const { kind, from, to, start, end: last } of templateTags(template)) {
    if (kind !== 'expression' || !MATERIAL.test(template.slice(start, last).trimStart())) continue;
    const shown = renderTemplate(template.slice(from, to), variables);
    const name = `fenced_material_${Object.keys(material).length}`;
    material[name] = fenced('OUTPUT', shown.text);
    warnings.push(...shown.warnings);
    text += `${template.slice(end, from)}{{ ${name} }}`;
    end = to;
  }
  const rendered = renderTemplate(text + template.slice(end), { ...variables, ...material });
  return { text: rendered.text, warnings: [...new Set([...warnings, ...rendered.warnings])] };
}
