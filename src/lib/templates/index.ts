export { withFenceKey } from './fence';
export type { FencedText, RenderedText } from './render';
export { renderFencedAsync, renderTemplateAsync, renderValueAsync, templateProblemsAsync } from './render-async';
