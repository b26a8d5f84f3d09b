import { stepProblems } from '../../actions/step';
import { evaluatorKind } from '../../evaluators';
import type { ProblemContext } from '../../evaluators/types';
import type { TypedProblem } from '../../lib/base/spec-problem';
import { replyFormOf } from '../../loop/spec/reply-form';
import { isModelCall } from '../../loop/spec/steps';
import type { Step } from '../../loop/contract/steps';

const NOTHING_TO_SEND =
  'cannot be sent to a model: it must say more than that the reply is a text, and refer to nothing outside of itself';

async function replyMistakes(step: Step, context: ProblemContext): Promise<TypedProblem[]> {
  if (!isModelCall(step) || !step.reply) return [];
  const evaluator = { type: 'schema' as const, schema: step.reply };
  const problems = await evaluatorKind(evaluator).problems(evaluator, context);
  if (problems.length > 0)
    return problems.map(({ path, ...rest }) => ({ ...rest, path: path.replace('/schema', '/reply') }));
  return replyFormOf(step.reply) ? [] : [{ path: '/reply', message: NOTHING_TO_SEND }];
}

/** Lists everything that is wrong with a step; paths are relative to it. */
export async function stepMistakes(step: Step, context: ProblemContext): Promise<TypedProblem[]> {
  return [...(await stepProblems(step, context)), ...(await replyMistakes(step, context))];
}
