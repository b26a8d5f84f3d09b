import type { LlmEvaluator } from '../domain/spec';
import type { ChatMessage } from '../models/types';
import { templateProblems } from '../templates/index';
import { JUDGE_REPLY } from './judge-contract';
import { isProblem } from './judge-fields';
import { judgePrompt, repairPrompt } from './judge-prompt';
import { inconclusiveJudgement, judgementOfFields, readJudgeReply } from './judge-reply';
import type { EvaluationContext, EvaluationInput, EvaluatorKind, EvaluatorProblem, Judgement } from './types';

/** Lets a model judge an output. A reply that cannot be read is inconclusive: neither a pass nor a fail. */
export const llmEvaluator: EvaluatorKind<LlmEvaluator> = {
  type: 'llm',
  local: false,

  problems({ prompt, model }, { models }) {
    const problems: EvaluatorProblem[] = [];
    for (const message of prompt === undefined ? [] : templateProblems(prompt)) {
      problems.push({ path: '/prompt', message });
    }
    const message = model === undefined ? undefined : models.problem(model);
    if (message !== undefined) problems.push({ path: '/model', message, type: 'UnknownModel' });
    return problems;
  },

  async evaluate(config, input, context) {
    const { messages, warnings } = judgePrompt(config, input);
    const { judgement, reply, problem } = await ask(messages, config, input, context);
    return {
      ...judgement,
      ...(problem === undefined ? {} : { unreadable: { reply, problem } }),
      ...(warnings.length > 0 && { warnings: [...warnings, ...(judgement.warnings ?? [])] }),
    };
  },

  async repair(config, input, reply, context) {
    const { judgement } = await ask(repairPrompt(reply, input), config, input, context);
    return judgement;
  },
};

interface Answer {
  judgement: Judgement;
  reply: string;
  /** Why the reply could not be read, where another call may help. */
  problem?: string;
}

async function ask(
  messages: ChatMessage[],
  config: LlmEvaluator,
  input: EvaluationInput,
  { models, signal }: EvaluationContext,
): Promise<Answer> {
  signal.throwIfAborted();
  const { text, cutOff, usage, warnings } = await models.call({
    model: config.model ?? input.model,
    messages,
    ...(input.structured && { reply: JUDGE_REPLY }),
    ...(input.maxTokens !== undefined && { maxTokens: input.maxTokens }),
    ...(input.maxUsd !== undefined && { maxUsd: input.maxUsd }),
    timeoutMs: input.timeoutMs,
    signal,
  });
  const counted = (judgement: Judgement): Judgement => ({
    ...judgement,
    tokenUsage: usage,
    ...(warnings && { warnings }),
  });
  // What was cut off may have lacked its most important part, and asking again would cut it off again.
  if (cutOff) {
    return {
      reply: text,
      judgement: counted(inconclusiveJudgement('The judge’s reply was cut off at its token limit.')),
    };
  }
  const fields = readJudgeReply(text);
  if (isProblem(fields)) {
    const reason = `The judge’s reply cannot be read: ${fields.problem}.`;
    return { reply: text, problem: fields.problem, judgement: counted(inconclusiveJudgement(reason)) };
  }
  return {
    reply: text,
    judgement: counted(judgementOfFields(fields, input.qualityThreshold, config.name ?? config.type)),
  };
}
