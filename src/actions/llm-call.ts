import { textOf } from '../domain/json';
import type { ModelCallStep } from '../domain/spec';
import { templateMentions } from '../domain/template-needs';
import type { ChatMessage } from '../models/types';
import { fenced } from '../templates/fence';
import { renderTemplate } from '../templates/index';
import type { StepContext, StepInput, StepResult } from './types';

/** A model call's messages, rendered. */
export interface RenderedCall {
  messages: ChatMessage[];
  /** The task, rendered; undefined when there is none. */
  task?: string;
  warnings: string[];
}

/** Runs an `llm.call` step: one call, whose text is the output. */
export async function runModelCall(step: ModelCallStep, input: StepInput, context: StepContext): Promise<StepResult> {
  return callModel(renderCall(step, input), step, input, context);
}

/** Makes the call of a step with messages that are rendered already. */
export async function callModel(
  { messages, warnings }: RenderedCall,
  step: ModelCallStep,
  input: StepInput,
  { models, signal }: StepContext,
): Promise<StepResult> {
  signal.throwIfAborted();
  const limits = [step.maxTokens, input.maxTokens].filter((limit) => limit !== undefined);
  const reply = await models.call({
    model: step.model ?? input.model,
    messages,
    ...(step.temperature !== undefined && { temperature: step.temperature }),
    ...(limits.length > 0 && { maxTokens: Math.min(...limits) }),
    ...(input.maxUsd !== undefined && { maxUsd: input.maxUsd }),
    timeoutMs: input.timeoutMs,
    signal,
  });
  const cutOff = reply.cutOff ? ['the reply was cut off at its token limit'] : [];
  return { output: reply.text, tokenUsage: reply.usage, warnings: [...warnings, ...(reply.warnings ?? []), ...cutOff] };
}

/**
 * Renders the messages of a call. What its author did not mention is added to the last thing that the user says: the task,
 * so that nobody generates without knowing it, and the hint of a corrector and what a reviewer said, which are the point of
 * the next attempt.
 */
export function renderCall(step: ModelCallStep, input: StepInput): RenderedCall {
  const warnings = new Set<string>();
  const render = (text: string, task?: string): string => {
    const rendered = renderTemplate(text, { state: input.state, task });
    for (const warning of rendered.warnings) warnings.add(warning);
    return rendered.text;
  };
  const task = input.task === undefined ? undefined : render(input.task);
  const templates = templatesOf(step);
  const messages = templates.map(({ role, content }) => ({ role, content: render(content, task) }));
  const mentions = (name: string): boolean => templates.some(({ content }) => templateMentions(content, name));
  if (task !== undefined && !mentions('task')) appendToUser(messages, isAlone(templates) ? task : `Task:\n${task}`);
  const hint = input.state.reflection_hint;
  const isUsed = templates.some(({ content }) => content.includes('reflection_hint'));
  if (hint !== undefined && hint !== null && hint !== '' && !isUsed) {
    appendToUser(messages, `Advice from reviewing an earlier attempt; follow it:\n${fenced('ADVICE', textOf(hint))}`);
  }
  const guidance = input.state.reflection_guidance;
  if (typeof guidance === 'string' && !templates.some(({ content }) => content.includes('reflection_guidance'))) {
    appendToUser(messages, `A reviewer says, and has the last word:\n${fenced('REVIEWER', guidance)}`);
  }
  return { messages, ...(task !== undefined && { task }), warnings: [...warnings] };
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

function appendToUser(messages: ChatMessage[], text: string): void {
  const last = messages.findLast(({ role }) => role === 'user');
  if (last) last.content = `${last.content}\n\n${text}`;
  else messages.push({ role: 'user', content: text });
}
