export { ActionFailed } from './action-failed';
export { defineAction } from './define-action';
export type { ActionDefinition } from './define-action';
export { createActionRegistry, UnknownAction } from './registry';
export type { ActionRegistry } from './registry';
export { runBuiltInRevision } from './revise';
export { runStep, stepProblems } from './step';
export type { Action, ActionContext, Revision, StepContext, StepInput, StepProblem, StepResult } from './types';
