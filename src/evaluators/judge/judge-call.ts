import { type JsonObject, textOf } from '../../domain/base/json';
import type { ChatMessage } from '../../models/types';
import { isProblem, type JudgeProblem } from '../replies/problem';
import { inconclusiveJudgement } from './judge-reply';
import { drawnCode, formWithCode, withCode } from './judgement-code';
import type { Asked } from '../replies/candidates';
import type { EvaluationContext, EvaluationInput } from '../types';
import type { Judgement } from '../../domain/state/evaluation';

/** How a judge is asked, and how its reply is understood. */
export interface JudgeCall {
  /** Of the evaluator; without one, the model for judges. */
  model?: string;
  messages: ChatMessage[];
  /** The form of the reply, for models with structured output. */
  reply: { name: string; schema: JsonObject };
  /** What a reply amounts to, or why it cannot be read. */
  read(text: string, asked: Asked): Judgement | JudgeProblem;
}

/** Makes the one call of a judge. A reply that cannot be read is inconclusive, and says so, for a repair. */
export async function askJudge(
  { model, messages, reply, read }: JudgeCall,
  input: EvaluationInput,
  { models, signal }: EvaluationContext,
): Promise<Judgement> {
  signal.throwIfAborted();
  // Drawn for each attempt and read by the same one: it is nobody's to store.
  const code = drawnCode(messages);
  const { text, cutOff, usage, warnings } = await models.call({
    model: model ?? input.model,
    messages: withCode(messages, code),
    ...(input.structured && { reply: formWithCode(reply, code) }),
    ...(input.maxTokens !== undefined && { maxTokens: input.maxTokens }),
    ...(input.maxUsd !== undefined && { maxUsd: input.maxUsd }),
    timeoutMs: input.timeoutMs,
    signal,
  });
  const paid = { tokenUsage: usage, ...(warnings && { warnings }) };
  // What was cut off may have lacked its most important part, and asking again would cut it off again.
  if (cutOff) {
    const unreadable = { reply: text, problem: 'it was cut off at its token limit', final: true as const };
    return { ...inconclusiveJudgement('The judge’s reply was cut off at its token limit.'), unreadable, ...paid };
  }
  const judged = [textOf(input.output), textOf(input.prior ?? ''), input.task ?? ''];
  const judgement = read(text, { code, judged, prompt: messages.map(({ content }) => content) });
  if (!isProblem(judgement)) return { ...judgement, ...paid };
  const { problem } = judgement;
  const reason = `The judge’s reply cannot be read: ${problem}.`;
  return { ...inconclusiveJudgement(reason), unreadable: { reply: text, problem }, ...paid };
}

/** The same for a repair, which is not repaired again. */
export async function askForRepair(
  call: JudgeCall,
  input: EvaluationInput,
  context: EvaluationContext,
): Promise<Judgement> {
  const { unreadable: _unreadable, ...judgement } = await askJudge(call, input, context);
  return judgement;
}

/** A judgement with what the author of its prompt should know. */
export function withWarnings(judgement: Judgement, warnings: string[]): Judgement {
  return warnings.length === 0 ? judgement : { ...judgement, warnings: [...warnings, ...(judgement.warnings ?? [])] };
}
