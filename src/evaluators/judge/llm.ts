import type { LlmEvaluator } from '../../domain/spec/spec';
import { templateProblemsAsync } from '../../templates/index';
import { askForRepair, askJudge, type JudgeCall, withWarnings } from './judge-call';
import { contractText, JUDGE_REPLY } from './judge-contract';
import { judgePrompt, repairPrompt } from './judge-prompt';
import { readJudgement } from './judge-reply';
import { modelProblems } from './model-problems';
import type { EvaluationInput, EvaluatorKind } from '../types';

/** Lets a model judge an output. A reply that cannot be read is inconclusive: neither a pass nor a fail. */
export const llmEvaluator: EvaluatorKind<LlmEvaluator> = {
  type: 'llm',
  local: false,

  async problems({ prompt, model }, { models }) {
    const [mistakes = []] = await templateProblemsAsync(prompt === undefined ? [] : [prompt]);
    return [...mistakes.map((message) => ({ path: '/prompt', message })), ...modelProblems(model, models)];
  },

  async evaluate(config, input, context) {
    const { messages, warnings } = await judgePrompt(config, input);
    return withWarnings(await askJudge(callOf(config, input, messages), input, context), warnings);
  },

  async repair(config, input, reply, context) {
    const messages = repairPrompt(reply, contractText(input.structured, input.qualityThreshold));
    return askForRepair(callOf(config, input, messages), input, context);
  },
};

function callOf(config: LlmEvaluator, input: EvaluationInput, messages: JudgeCall['messages']): JudgeCall {
  return {
    ...(config.model === undefined ? {} : { model: config.model }),
    messages,
    reply: JUDGE_REPLY,
    read: (text, asked) => readJudgement(text, input.qualityThreshold, config.name ?? config.type, asked),
  };
}
