import type { Json } from '../lib/json/json';
import { isModelCall, isWorkflowStep } from '../loop/spec/steps';
import type { ActionStep, ModelCallStep, Step } from '../loop/contract/steps';
import { modelProblems } from '../lib/models/model-names';
import type { Models } from '../lib/models/types';
import { describeUnapprovable, mayNeedApproval } from './approval';
import { codeProblems, runInlineCode, type Sandbox } from './inline-code';
import { runModelCall } from './llm-call';
import { parameterProblems } from './problems/parameters';
import { runRegisteredAction } from './registered';
import { textProblems } from './problems/text-problems';
import { toolProblems } from './tool';
import type { ActionRegistry, StepContext, StepArguments } from './types';
import { refuseWorkflowCall, type WorkflowCalls, workflowProblems } from './workflow-calls';
import type { TypedProblem } from '../lib/base/spec-problem';
import type { StepOutcome } from '../loop/step-state/step-call';

/** Runs a generator or corrector; at most one model call. */
export async function runStep(step: Step, input: StepArguments, context: StepContext): Promise<StepOutcome> {
  if (isModelCall(step)) return runModelCall(step, input, context);
  if (isActionStep(step)) return runRegisteredAction(step, input, context);
  if (isWorkflowStep(step)) return refuseWorkflowCall(step);
  return runInlineCode(step, input, context);
}

/** Paths are relative to the step. */
export async function stepProblems(
  step: Step,
  {
    models,
    actions,
    sandbox,
    ...calls
  }: WorkflowCalls & { models: Models; actions: ActionRegistry; sandbox?: Sandbox },
): Promise<TypedProblem[]> {
  if (isModelCall(step))
    return [...(await modelCallProblems(step, models)), ...toolProblems(step.tools ?? [], actions)];
  if (isWorkflowStep(step)) return workflowProblems(step, calls);
  return isActionStep(step) ? actionProblems(step, actions) : codeProblems(step, sandbox);
}

/** Finds all problems of a call of a registered action before the run, by paths relative to its object. */
export async function actionProblems(step: ActionStep, actions: ActionRegistry): Promise<TypedProblem[]> {
  const problems = await textProblems(step.with ?? null, ['with']);
  const action = actions.find(step.action);
  if (action && mayNeedApproval(action)) {
    return [{ path: '/action', message: describeUnapprovable(step.action) }, ...problems];
  }
  if (action) return problems.length > 0 ? problems : parameterProblems(action, step.with ?? {}, ['with']);
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
