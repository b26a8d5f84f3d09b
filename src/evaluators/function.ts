import { TemporalFailure } from '@temporalio/common';
import { ActionFailed, thrownPlace } from '../actions/action-failed';
import { takesParameter } from '../actions/problems/parameters';
import { actionProblems } from '../actions/step';
import { AttemptsUsedUp, callAction } from '../actions/registered';
import { UnknownAction } from '../actions/registry';
import type { Action } from '../actions/types';
import { isJsonObject, type Json } from '../lib/json/json';
import type { FunctionEvaluator } from '../loop/contract/evaluators';
import { redact } from '../lib/redact';
import { withTimeout } from '../lib/timeout';
import { brokenJudgement, inconclusiveJudgement } from './judgement';
import type { EvaluatorKind } from './types';
import { judgementOfValue } from './value-judgement';

/** A single expression is not rendered again: an output that looks like a template stays as it is. */
const OUTPUT_ONLY = { output: '{{ state.reflection_output }}' };

const MESSAGE_CHARACTERS = 2_000;

function parametersOf({ with: given }: FunctionEvaluator, action: Action | undefined): Json {
  if (given === undefined) return OUTPUT_ONLY;
  if (!action || !isJsonObject(given) || Object.hasOwn(given, 'output') || !takesParameter(action, 'output'))
    return given;
  return { ...given, ...OUTPUT_ONLY };
}

function isFault(error: unknown): error is Error {
  const isOther = [TemporalFailure, UnknownAction, AttemptsUsedUp].some((kind) => error instanceof kind);
  return error instanceof Error && !isOther;
}

function placeOf(error: Error): string {
  const place = error instanceof ActionFailed ? undefined : thrownPlace(error);
  return place === undefined ? '' : ` at ${place}`;
}

/** A retryable `ApplicationFailure` of the action is tried again; any other error means that the evaluator could not judge. */
export const functionEvaluator: EvaluatorKind<FunctionEvaluator> = {
  type: 'function',

  problems: (config, { actions }) =>
    actionProblems({ ...config, with: parametersOf(config, actions.find(config.action)) }, actions),

  async evaluate(config, input, { actions, signal, attempt }) {
    await actions.learn([config.action], signal);
    const step = { action: config.action, with: parametersOf(config, actions.find(config.action)) };
    const { output, task, iteration, workflowId, timeoutMs } = input;
    const state = { ...input.state, reflection_output: output };
    const what = `action "${config.action}"`;
    const answer = await withTimeout(timeoutMs, signal, (limited, isTimeUp) => {
      const call = callAction(step, { state, task, iteration, workflowId }, { actions, signal: limited, attempt });
      // Only for actions that do not look at their signal. One that was cancelled is waited for.
      const late = new Promise<undefined>((resolve) => {
        limited.addEventListener('abort', () => isTimeUp() && resolve(undefined), { once: true });
      });
      return Promise.race([call, late]).catch((error: unknown) => {
        if (isTimeUp() && !signal.aborted) return undefined;
        if (signal.aborted || !isFault(error)) throw error;
        return brokenJudgement(
          redact(`${what} failed${placeOf(error)}: ${error.message}`, { length: MESSAGE_CHARACTERS }),
        );
      });
    });
    if (answer && 'outcome' in answer) return answer;
    if (!answer) return inconclusiveJudgement(`${what} did not answer within ${timeoutMs} ms.`);
    const { value, warnings } = answer;
    const { qualityThreshold } = input;
    const judgement = judgementOfValue(value, { name: config.name ?? config.type, what, qualityThreshold });
    return warnings.length > 0 ? { ...judgement, warnings } : judgement;
  },
};
