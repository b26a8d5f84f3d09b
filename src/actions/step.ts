import { isJsonObject, type Json } from '../domain/base/json/json';
import { jsonPointer } from '../domain/base/json/json-pointer';
import { isModelCall } from '../domain/spec/steps';
import type { ActionStep, ModelCallStep, Step } from '../domain/spec/spec';
import { modelProblems } from '../models/model-names';
import type { Models } from '../models/types';
import { templateProblemsAsync } from '../templates/index';
import { codeProblems, runInlineCode, type Sandbox } from './inline-code';
import { runModelCall } from './llm-call';
import { runRegisteredAction } from './registered';
import { toolProblems } from './tool';
import type { ActionRegistry, StepContext, StepArguments } from './types';
import type { TypedProblem } from '../domain/base/spec-problem';
import type { StepOutcome } from '../domain/step-state/step-call';

/** Runs a generator or corrector; at most one model call. */
export async function runStep(step: Step, input: StepArguments, context: StepContext): Promise<StepOutcome> {
  if (isModelCall(step)) return runModelCall(step, input, context);
  if (isActionStep(step)) return runRegisteredAction(step, input, context);
  return runInlineCode(step, input, context);
}

/** Everything that can be found wrong with a step before the run; paths are relative to the step. */
export async function stepProblems(
  step: Step,
  { models, actions, sandbox }: { models: Models; actions: ActionRegistry; sandbox?: Sandbox },
): Promise<TypedProblem[]> {
  if (isModelCall(step))
    return [...(await modelCallProblems(step, models)), ...toolProblems(step.tools ?? [], actions)];
  return isActionStep(step) ? actionProblems(step, actions) : codeProblems(step, sandbox);
}

/** Everything that can be found wrong with the call of a registered action; paths are relative to what holds it. */
export async function actionProblems(step: ActionStep, actions: ActionRegistry): Promise<TypedProblem[]> {
  const problems = await textProblems(step.with ?? null, ['with']);
  if (actions.find(step.action)) return problems;
  const message = actions.whyNot(step.action);
  return [{ path: '/action', message, type: 'UnknownAction' }, ...problems];
}

function isActionStep(step: Step): step is ActionStep {
  return 'action' in step;
}

async function modelCallProblems(step: ModelCallStep, models: Models): Promise<TypedProblem[]> {
  const { system = null, prompt = null, messages = [], model } = step;
  const problems = await textProblems({ system, prompt, messages: messages as unknown as Json }, []);
  return [...problems, ...modelProblems(model, models)];
}

/** Mistakes of all templates inside a value, asked for at once: a text by itself takes less than the way to a thread. */
export async function textProblems(value: Json, at: (string | number)[]): Promise<TypedProblem[]> {
  const texts = textsIn(value, at);
  const found = await templateProblemsAsync(texts.map(({ text }) => text));
  return texts.flatMap(({ path }, index) => found[index]!.map((message) => ({ path: jsonPointer(path), message })));
}

function textsIn(value: Json, path: (string | number)[]): { text: string; path: (string | number)[] }[] {
  if (typeof value === 'string') return [{ text: value, path }];
  if (Array.isArray(value)) return value.flatMap((item, index) => textsIn(item, [...path, index]));
  return isJsonObject(value) ? Object.entries(value).flatMap(([key, item]) => textsIn(item, [...path, key])) : [];
}
