import type { LlmEvaluator } from '../../loop/contract/evaluators';
import { judgeToolProblems } from '../../actions/tool';
import { modelProblems } from '../../lib/models/model-names';
import { templateProblemsAsync } from '../../lib/templates';
import type { EvaluatorKind } from '../types';
import { makeJudge } from './judge-call';
import { disputeJudge } from './dispute';
import { docketReply } from './docket-contract';
import { JUDGE_REPLY } from './judge-contract';
import { contractOf, judgePrompt } from './judge-prompt';
import { readJudgement } from './judge-reply';

const outputJudge = makeJudge<LlmEvaluator>({
  form: ({ docket }) => (docket ? docketReply(docket) : JUDGE_REPLY),
  question: 'Now judge the output: is it good enough as it is?',
  contract: (_config, input) => contractOf(input),
  prompt: judgePrompt,
  read: (text, asked, { name, type }, { qualityThreshold, docket }) =>
    readJudgement(text, qualityThreshold, name ?? type, asked, docket),
});

/** Lets a model judge an output. A reply that cannot be read is inconclusive: neither a pass nor a fail. */
export const llmEvaluator: EvaluatorKind<LlmEvaluator> = {
  type: 'llm',
  local: false,

  async problems({ prompt, model, tools }, { models, actions }) {
    const [mistakes = []] = await templateProblemsAsync(prompt === undefined ? [] : [prompt]);
    return [
      ...mistakes.map((message) => ({ path: '/prompt', message })),
      ...modelProblems(model, models),
      ...judgeToolProblems(tools, actions),
    ];
  },

  evaluate: async (config, input, context) =>
    (input.dispute ? disputeJudge : outputJudge).evaluate(config, input, context),
  repair: async (config, input, unreadable, context) =>
    (input.dispute ? disputeJudge : outputJudge).repair(config, input, unreadable, context),
  confirm: outputJudge.confirm,
};
