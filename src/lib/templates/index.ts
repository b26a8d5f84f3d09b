export { withFenceKey } from './fence';
export { renderFenced, renderTemplate, renderValue } from './render';
export type { FencedText, RenderedText } from './render';
export { templateProblems } from './parsing';
export { renderFencedAsync, renderTemplateAsync, renderValueAsync, templateProblemsAsync } from './render-async';
export { TemplateFailed } from './limits';
