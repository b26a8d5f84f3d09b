import {
  ActivityFailure,
  ApplicationFailure,
  CancelledFailure,
  ChildWorkflowFailure,
  isCancellation,
} from '@temporalio/workflow';
import { NexusOperationFailure } from '@temporalio/common';
import type { StepInput } from '../../activities/protocol';
import type { EvaluationTask } from '../../loop/state/evaluation-task';
import {
  type FunctionName,
  functionOfStep,
  isEvaluateFunction,
  outcomeOfFunction,
  verdictOfFunction,
} from '../../loop/moves/functions';
import { thresholdFor } from '../../loop/evaluation/relaxation';
import { omitUndefined } from '../../lib/base/defined';
import { jsonBytes } from '../../lib/json/json-bytes';
import { inputLimit } from '../../lib/limits/payload-limit';
import type { Verdict } from '../../loop/state/evaluation';
import type { CallRecord } from '../../loop/contract/calls';
import { isEvidence } from '../../loop/evidence/evidence-text';
import { shownEvidence } from '../../loop/versions/evidence';
import { conversationRequest } from '../../loop/state/conversations';
import { currentIteration, type LoopState, type PendingOutput } from '../../loop/state/loop-state';
import type { StepOutcome } from '../../loop/step-state/step-call';
import { stateForStep } from '../../loop/step-state/project';
import type { LoopRun } from '../loop/loop-run';
import { now } from '../shared/clock';
import { permanentFailure } from '../shared/step-failure';
import { callInTime } from './ended-in-time';
import { failedCall, passOnFailure } from './failed-call';

/** A cancellation by another party is a failure: this run goes on. */
function failureOf(error: unknown, name: FunctionName, isCancelled: boolean): unknown {
  const isCall = [ActivityFailure, ChildWorkflowFailure, NexusOperationFailure].some((kind) => error instanceof kind);
  if (!isCall || (isCancelled && isCancellation(error))) return error;
  const { message, cause } = error as ActivityFailure;
  return failedCall(name, failureOfCall(cause, name), message);
}

function failureOfCall(cause: Error | undefined, name: FunctionName): Error | undefined {
  if (cause instanceof CancelledFailure) {
    return permanentFailure('StepFailed', `what the function ${name} called was cancelled`);
  }
  return cause instanceof ApplicationFailure ? passOnFailure(cause) : cause;
}

function call(name: FunctionName, timeLeftMs: number | undefined, work: () => unknown): Promise<unknown> {
  return callInTime(timeLeftMs, work, (error, isCancelled) => failureOf(error, name, isCancelled));
}

function refuse(name: FunctionName, problem: string): never {
  throw permanentFailure('InvalidFunction', `The function ${name} ${problem}.`);
}

export function evidenceRequest(state: LoopState): { evidence?: CallRecord[] } {
  const shown = shownEvidence(state);
  return shown.calls && isEvidence(shown) ? { evidence: shown.calls } : {};
}

export function runStepByFunction(
  run: LoopRun,
  input: StepInput,
  timeLeftMs: number | undefined,
): Promise<StepOutcome> | undefined {
  const name = functionOfStep(input.step);
  const { functions = {} } = run;
  if (!name || !functions[name]) return undefined;
  const { iteration, task, state } = input;
  const request = omitUndefined({ iteration, task, state, ...conversationRequest(run.state) });
  const base = run.state.versions.at(-1);
  const work = (): unknown =>
    name === 'generate'
      ? functions.generate!(request)
      : functions.revise!({
          ...request,
          ...evidenceRequest(run.state),
          output: base!.output,
          evaluation: base!.evaluation,
        });
  return call(name, timeLeftMs, work).then((answer) => {
    const outcome = outcomeOfFunction(answer);
    if (typeof outcome === 'string') return refuse(name, outcome);
    const bytes = jsonBytes(outcome.output);
    const { mostBytes } = inputLimit(run.spec.settings);
    if (bytes <= Math.min(mostBytes, run.spec.settings.maximumOutputBytes ?? mostBytes)) return outcome;
    throw permanentFailure('OutputTooLarge', `The output of the function ${name} has ${bytes} bytes`);
  });
}

export function judgeByFunction(
  run: LoopRun,
  pending: PendingOutput,
  { evaluator, plan }: EvaluationTask,
  timeLeftMs: number | undefined,
): Promise<Verdict> | undefined {
  const { functions = {}, spec, state } = run;
  if (!functions.evaluate || !isEvaluateFunction(evaluator)) return undefined;
  const iteration = currentIteration(state) + (state.pending === pending ? 0 : 1);
  const qualityThreshold = thresholdFor(spec.settings, pending);
  const seen = stateForStep(spec, state, { action: plan.name }, {}, iteration);
  const shown = state.pending === pending ? evidenceRequest(state) : {};
  const request = { iteration, task: spec.task, state: seen, output: pending.output, qualityThreshold, ...shown };
  const began = now();
  return call('evaluate', timeLeftMs, () => functions.evaluate!(omitUndefined(request))).then((answer) => {
    const verdict = verdictOfFunction(answer, plan, qualityThreshold);
    return typeof verdict === 'string' ? refuse('evaluate', verdict) : { ...verdict, ms: Math.max(0, now() - began) };
  });
}
