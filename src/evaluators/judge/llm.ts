import type { LlmEvaluator } from '../../loop/contract/evaluators';
import { judgeToolProblems } from '../../actions/tool';
import { modelProblems } from '../../lib/models/model-names';
import { templateProblemsAsync } from '../../lib/templates';
import type { EvaluatorKind } from '../types';
import { makeJudge } from './judge-call';
import { contractText, JUDGE_REPLY } from './judge-contract';
import { judgePrompt } from './judge-prompt';
import { readJudgement } from './judge-reply';

const outputJudge = makeJudge<LlmEvaluator>({
  form: JUDGE_REPLY,
  question: 'Now judge the output: is it good enough as it is?',
  contract: (_config, { structured, qualityThreshold }) => contractText(structured, qualityThreshold),
  prompt: judgePrompt,
  read: (text, asked, { name, type }, { qualityThreshold }) =>
    readJudgement(text, qualityThreshold, name ?? type, asked),
});

/** Lets a model judge an output. A reply that cannot be read is inconclusive: neither a pass nor a fail. */
export const llmEvaluator: EvaluatorKind<LlmEvaluator> = {
  type: 'llm',

  async problems({ prompt, model, tools }, { models, actions }) {
    const [mistakes = []] = await templateProblemsAsync(prompt === undefined ? [] : [prompt]);
    return [
      ...mistakes.map((message) => ({ path: '/prompt', message })),
      ...modelProblems(model, models),
      ...judgeToolProblems(tools, actions),
    ];
  },

  ...outputJudge,
};
