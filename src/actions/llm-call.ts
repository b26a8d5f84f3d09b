import { textOf } from '../domain/base/json';
import type { ModelCallStep } from '../domain/spec/spec';
import { templateMentions, templateNames } from '../domain/step-state/template-reads';
import type { ChatMessage } from '../models/types';
import { fenced, MARKERS_NOTE } from '../templates/fence';
import { type FencedText, renderFencedAsync } from '../templates/index';
import { toolsOf } from './tool';
import { spokenTurns } from './turns';
import type { StepContext, StepArguments } from './types';
import type { StepOutcome } from '../domain/step-state/step-call';

/** A model call's messages, rendered. */
export interface RenderedCall {
  messages: ChatMessage[];
  /** The task, rendered; undefined when there is none. */
  task?: string;
  /** Something stands between markers. */
  isFenced: boolean;
  warnings: string[];
}

/** Runs an `llm.call` step: one call, whose text is the output. */
export async function runModelCall(
  step: ModelCallStep,
  input: StepArguments,
  context: StepContext,
): Promise<StepOutcome> {
  const call = await renderCall(step, input);
  const isFenced = call.isFenced || input.turns?.some(({ role }) => role !== 'assistant');
  return callModel(isFenced ? { ...call, messages: explained(call.messages) } : call, step, input, context);
}

/** Makes the call of a step with messages that are rendered already. */
export async function callModel(
  { messages, warnings }: Pick<RenderedCall, 'messages' | 'warnings'>,
  step: ModelCallStep,
  input: StepArguments,
  { models, actions, signal }: StepContext,
): Promise<StepOutcome> {
  signal.throwIfAborted();
  const tools = step.tools && step.tools.length > 0 ? toolsOf(step.tools, actions) : undefined;
  const limits = [step.maxTokens, input.maxTokens].filter((limit) => limit !== undefined);
  const reply = await models.call({
    model: step.model ?? input.model,
    messages,
    ...(input.turns && { turns: spokenTurns(input.turns) }),
    ...(tools && { tools }),
    ...(tools && input.withoutTools && { toolChoice: 'none' as const }),
    ...(step.temperature !== undefined && { temperature: step.temperature }),
    ...(limits.length > 0 && { maxTokens: Math.min(...limits) }),
    ...(input.maxUsd !== undefined && { maxUsd: input.maxUsd }),
    timeoutMs: input.timeoutMs,
    signal,
  });
  const { toolCalls } = reply;
  // Whoever may call no tools and does has nothing more to say.
  const deaf = toolCalls && input.withoutTools ? ['the model went on calling tools although it had no calls left'] : [];
  const cutOff = reply.cutOff ? ['the reply was cut off at its token limit'] : [];
  return {
    output: reply.text,
    tokenUsage: reply.usage,
    warnings: [...warnings, ...(reply.warnings ?? []), ...cutOff, ...deaf],
    ...(toolCalls && !input.withoutTools && { toolCalls }),
  };
}

/**
 * Renders the messages of a call, with what models wrote in earlier iterations between markers. What its author did not mention is added to the last thing that the user says: the task,
 * so that nobody generates without knowing it, and the hint of a corrector and what a reviewer said, which are the point of
 * the next attempt.
 */
export async function renderCall(step: ModelCallStep, input: StepArguments): Promise<RenderedCall> {
  const warnings = new Set<string>();
  let isFenced = false;
  const textOfRendered = (rendered: FencedText): string => {
    isFenced ||= rendered.isFenced;
    for (const warning of rendered.warnings) warnings.add(warning);
    return rendered.text;
  };
  const templates = templatesOf(step);
  const texts = templates.map(({ content }) => content);
  const rendered = await renderFencedAsync({ task: input.task, texts }, { state: input.state }, input.material);
  const task = rendered.task && textOfRendered(rendered.task);
  const messages = templates.map(({ role }, index) => ({ role, content: textOfRendered(rendered.texts[index]!) }));
  const mentions = (name: string): boolean => templates.some(({ content }) => templateMentions(content, name));
  if (task !== undefined && !mentions('task')) appendToUser(messages, isAlone(templates) ? task : `Task:\n${task}`);
  const hint = input.state.reflection_hint;
  const isUsed = templates.some(({ content }) => templateNames(content, 'reflection_hint'));
  if (hint !== undefined && hint !== null && hint !== '' && !isUsed) {
    isFenced = true;
    appendToUser(messages, `Advice from reviewing an earlier attempt; follow it:\n${fenced('ADVICE', textOf(hint))}`);
  }
  const insights = input.state.reflection_insights;
  if (Array.isArray(insights) && !templates.some(({ content }) => templateNames(content, 'reflection_insights'))) {
    isFenced = true;
    const listed = insights.map((insight) => `- ${textOf(insight).replaceAll('\n', ' ')}`).join('\n');
    appendToUser(messages, `Learned in earlier runs; use what fits:\n${fenced('INSIGHTS', listed)}`);
  }
  const guidance = input.state.reflection_guidance;
  if (typeof guidance === 'string' && !templates.some(({ content }) => templateNames(content, 'reflection_guidance'))) {
    isFenced = true;
    appendToUser(messages, `A reviewer says, and has the last word:\n${fenced('REVIEWER', guidance)}`);
  }
  return { messages, ...(task !== undefined && { task }), isFenced, warnings: [...warnings] };
}

function templatesOf({ system, prompt, messages }: ModelCallStep): ChatMessage[] {
  return [
    ...(system === undefined ? [] : [{ role: 'system' as const, content: system }]),
    ...(messages ?? []),
    ...(prompt === undefined ? [] : [{ role: 'user' as const, content: prompt }]),
  ];
}

/** Nothing but a system message: the task is all that the user says. */
function isAlone(templates: ChatMessage[]): boolean {
  return templates.every(({ role }) => role === 'system');
}

/** The messages with a system message that says what markers mean. */
function explained(messages: ChatMessage[]): ChatMessage[] {
  const index = messages.findIndex(({ role }) => role === 'system');
  if (index === -1) return [{ role: 'system', content: MARKERS_NOTE }, ...messages];
  return messages.map((message, position) =>
    position === index ? { ...message, content: `${message.content}\n\n${MARKERS_NOTE}` } : message,
  );
}

function appendToUser(messages: ChatMessage[], text: string): void {
  const last = messages.findLast(({ role }) => role === 'user');
  if (last) last.content = `${last.content}\n\n${text}`;
  else messages.push({ role: 'user', content: text });
}
