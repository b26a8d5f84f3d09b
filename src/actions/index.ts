export { ActionFailed } from './action-failed';
export { defineAction } from './define-action';
export type { ActionDefinition } from './types';
export { createActionRegistry, UnknownAction } from './registry';
export { runBuiltInRevision } from './revision/revise';
export { runStep, stepProblems } from './step';
