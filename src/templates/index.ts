export { renderFenced } from './fenced-material';
export { renderTemplate, renderValue } from './render';
export type { RenderedText, RenderedValue, TemplateVariables } from './render';
export { templateProblems } from './parsing';
export { TemplateFailed } from './template-failed';
