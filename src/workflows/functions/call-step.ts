import type { StepInput } from '../../activities/protocol';
import { outcomeOfWorkflow, type WorkflowRequest } from '../../domain/loop/called-workflow';
import { jsonBytes } from '../../domain/base/json/json-bytes';
import { defined } from '../../domain/base/defined';
import { inputLimit } from '../../domain/limits/payload-limit';
import { isWorkflowStep } from '../../domain/spec/steps';
import type { LoopSettings } from '../../domain/state/loop-settings';
import type { StepOutcome } from '../../domain/step-state/step-call';
import type { WorkflowStep } from '../../contract/spec/steps';
import { callActivity, calledBy, type CallOptions } from '../shared/activity-calls';
import { permanentFailure } from '../shared/step-failure';
import { callWorkflow } from './call-workflow';
import { failedCall } from './failed-call';

/** The arguments of a step that revises and is no model call. */
type Revised = Pick<WorkflowRequest, 'output' | 'evaluation' | 'issues'>;

type StepSettings = Pick<LoopSettings, 'timeouts' | 'localActions' | 'maximumOutputBytes' | 'storedFromBytes'>;

async function callStepWorkflow(
  step: WorkflowStep,
  request: WorkflowRequest,
  { settings, how, material }: { settings: StepSettings; how: CallOptions; material?: string[] | undefined },
): Promise<StepOutcome> {
  const { answer, warnings } = await callWorkflow(step, request, { ...how, settings, material });
  const outcome = outcomeOfWorkflow(answer);
  const fail = (type: string, message: string) => failedCall(step.workflow, permanentFailure(type, message));
  if (typeof outcome === 'string') throw fail('StepFailed', `The workflow "${step.workflow}" ${outcome}.`);
  const bytes = jsonBytes(outcome.output);
  const { mostBytes } = inputLimit(settings);
  if (bytes > Math.min(mostBytes, settings.maximumOutputBytes ?? mostBytes)) {
    throw fail('OutputTooLarge', `The output of the workflow "${step.workflow}" has ${bytes} bytes`);
  }
  return warnings.length === 0 ? outcome : { ...outcome, warnings: [...warnings, ...outcome.warnings] };
}

/**
 * Carries out a step: by an activity, or by a child workflow where the step names one. Not `async`, see `remoteActivities`.
 *
 * @param revised what is to be revised; a model call finds it in its input
 * @throws RunTimeExceeded; ActivityFailure
 */
export function callStep(
  name: 'generate' | 'revise',
  settings: StepSettings,
  input: StepInput,
  how: CallOptions,
  revised?: Revised,
): Promise<StepOutcome> {
  const { step, iteration, task, state, material } = input;
  if (!isWorkflowStep(step)) return callActivity(name, settings, calledBy(step), input, how);
  const request = defined({ part: name, iteration, task, state, ...revised });
  return callStepWorkflow(step, request, { settings, how, material });
}
