import { actionProblems } from '../actions/step';
import { callAction } from '../actions/registered';
import type { FunctionEvaluator } from '../domain/spec/spec';
import { withTimeout } from '../timeout';
import { inconclusiveJudgement } from './judgement';
import type { EvaluatorKind } from './types';
import { judgementOfValue } from './value-judgement';

/**
 * What an action gets when the spec gives it no parameters. A single expression keeps its value's type, and what it gives is
 * not rendered again, so an output that looks like a template stays what it is.
 */
const OUTPUT_ONLY = { output: '{{ state.reflection_output }}' };

/**
 * Has a registered action judge an output. An error of the action is passed on: a retryable `ApplicationFailure` is tried
 * again like that of a generator, any other means that the evaluator could not judge.
 */
export const functionEvaluator: EvaluatorKind<FunctionEvaluator> = {
  type: 'function',
  // An action may read files and call services, and nobody knows for how long.
  local: false,
  asksModel: false,

  problems: (config, { actions }) => actionProblems(config, actions),

  async evaluate(config, input, { actions, signal, attempt }) {
    const step = { action: config.action, with: config.with ?? OUTPUT_ONLY };
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
        throw error;
      });
    });
    if (!answer) return inconclusiveJudgement(`${what} did not answer within ${timeoutMs} ms.`);
    const { value, warnings } = answer;
    const { qualityThreshold } = input;
    const judgement = judgementOfValue(value, { name: config.name ?? config.type, what, qualityThreshold });
    return warnings.length > 0 ? { ...judgement, warnings } : judgement;
  },
};
