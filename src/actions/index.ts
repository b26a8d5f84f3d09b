export { ActionFailed } from './action-failed';
export { defineAction } from './define-action';
export type { ActionDefinition } from './define-action';
export { createActionRegistry, UnknownAction } from './registry';
export { runBuiltInRevision } from './revision/revise';
export { runStep, stepProblems } from './step';
