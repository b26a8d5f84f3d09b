import type { Json } from '../domain/json';
import { isJsonObject } from '../domain/json';
import { jsonPointer } from '../domain/json-pointer';
import { isModelCall } from '../domain/next-move';
import type { ActionStep, ModelCallStep, Step } from '../domain/spec';
import type { Models } from '../models/types';
import { templateProblems } from '../templates/index';
import { codeProblems, runInlineCode } from './inline-code';
import { runModelCall } from './llm-call';
import { runRegisteredAction } from './registered';
import type { ActionRegistry } from './registry';
import { unknownActionMessage } from './registry';
import { toolProblems } from './tool';
import type { StepContext, StepInput, StepProblem, StepResult } from './types';

/** Runs a generator or corrector; at most one model call. */
export async function runStep(step: Step, input: StepInput, context: StepContext): Promise<StepResult> {
  if (isModelCall(step)) return runModelCall(step, input, context);
  if (isActionStep(step)) return runRegisteredAction(step, input, context);
  return runInlineCode(step, input, context);
}

/** Everything that can be found wrong with a step before the run; paths are relative to the step. */
export function stepProblems(
  step: Step,
  { models, actions }: { models: Models; actions: ActionRegistry },
): StepProblem[] {
  if (isModelCall(step)) return [...modelCallProblems(step, models), ...toolProblems(step.tools ?? [], actions)];
  if (!isActionStep(step)) return codeProblems(step);
  return actionProblems(step, actions);
}

/** Everything that can be found wrong with the call of a registered action; paths are relative to what holds it. */
export function actionProblems(step: ActionStep, actions: ActionRegistry): StepProblem[] {
  const problems = textProblems(step.with ?? null, ['with']);
  if (actions.find(step.action)) return problems;
  const message = unknownActionMessage(step.action, actions.names);
  return [{ path: '/action', message, type: 'UnknownAction' }, ...problems];
}

function isActionStep(step: Step): step is ActionStep {
  return 'action' in step;
}

function modelCallProblems(step: ModelCallStep, models: Models): StepProblem[] {
  const { system = null, prompt = null, messages = [], model } = step;
  const problems: StepProblem[] = [
    ...textProblems(system, ['system']),
    ...textProblems(prompt, ['prompt']),
    ...messages.flatMap(({ content }, index) => textProblems(content, ['messages', index, 'content'])),
  ];
  const message = model === undefined ? undefined : models.problem(model);
  if (message !== undefined) problems.push({ path: '/model', message, type: 'UnknownModel' });
  return problems;
}

/** Mistakes of all templates inside a value. */
export function textProblems(value: Json, path: (string | number)[]): StepProblem[] {
  if (typeof value === 'string') {
    return templateProblems(value).map((message) => ({ path: jsonPointer(path), message }));
  }
  if (Array.isArray(value)) return value.flatMap((item, index) => textProblems(item, [...path, index]));
  return isJsonObject(value) ? Object.entries(value).flatMap(([key, item]) => textProblems(item, [...path, key])) : [];
}
