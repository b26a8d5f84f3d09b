import type { StepInput } from '../../activities/protocol';
import { outcomeOfWorkflow, type WorkflowRequest } from '../../loop/moves/called-workflow';
import { jsonBytes } from '../../lib/json/json-bytes';
import { omitUndefined } from '../../lib/base/defined';
import { inputLimit } from '../../lib/limits/payload-limit';
import { isWorkflowStep } from '../../loop/spec/steps';
import type { LoopSettings } from '../../loop/state/loop-settings';
import type { StepOutcome } from '../../loop/step-state/step-call';
import type { WorkflowStep } from '../../loop/contract/steps';
import { now } from '../shared/clock';
import { callActivity, workOfStep, type CallOptions } from '../shared/activity-calls';
import { permanentFailure } from '../shared/step-failure';
import { callWorkflow } from './call-workflow';
import { failedCall } from './failed-call';

type Revised = Pick<WorkflowRequest, 'output' | 'evaluation' | 'issues' | 'evidence' | 'conversation'>;

interface StepOptions {
  settings: StepSettings;
  how: CallOptions;
  material?: string[] | undefined;
}

type StepSettings = Pick<LoopSettings, 'timeouts' | 'localActions' | 'maximumOutputBytes' | 'storedFromBytes'>;

async function callStepWorkflow(
  step: WorkflowStep,
  request: WorkflowRequest,
  { settings, how, material }: StepOptions,
): Promise<StepOutcome> {
  const startedAt = now();
  const { answer, warnings } = await callWorkflow(step, request, { ...how, settings, material });
  const measured = { startedAt, ms: Math.max(0, now() - startedAt), attempt: 1 };
  const outcome = outcomeOfWorkflow(answer);
  const fail = (type: string, message: string) => failedCall(step.workflow, permanentFailure(type, message));
  if (typeof outcome === 'string') throw fail('StepFailed', `The workflow "${step.workflow}" ${outcome}.`);
  const bytes = jsonBytes(outcome.output);
  const { mostBytes } = inputLimit(settings);
  if (bytes > Math.min(mostBytes, settings.maximumOutputBytes ?? mostBytes)) {
    throw fail('OutputTooLarge', `The output of the workflow "${step.workflow}" has ${bytes} bytes`);
  }
  return { ...outcome, measured, warnings: [...warnings, ...outcome.warnings] };
}

/**
 * Carries out a step: by an activity, or by a child workflow where the step names one. Not `async`, see `remoteActivities`.
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
  if (!isWorkflowStep(step)) return callActivity(name, settings, workOfStep(step), input, how);
  const request = omitUndefined({ part: name, iteration, task, state, ...revised });
  return callStepWorkflow(step, request, { settings, how, material });
}
