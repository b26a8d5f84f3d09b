import type { ServerResponse } from 'node:http';
import type { Answer } from './answer';
import { withAskedCode, wordsOf } from './judge-codes';
import { messageFields, sentUsage, type ServerHabits, thoughtful } from './habits';
import type { LedgerEntry, ScriptEntry } from './script';

function tokensOf(text: string): number {
  return Math.max(1, Math.ceil(text.length / 4));
}

export function replyText(reply: unknown): string {
  return typeof reply === 'string' ? reply : JSON.stringify(reply);
}

function wireCall({ name, arguments: given }: { name: string; arguments: unknown }, index: number) {
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  return { id: `call_scripted_${index + 1}`, type: 'function' as const, function: { name, arguments: text } };
}

export function answerOf(entry: ScriptEntry, request: NonNullable<LedgerEntry['body']>): Answer {
  const beside = 'toolCalls' in entry ? (entry.text ?? null) : null;
  const isWritten = 'asWritten' in entry && entry.asWritten === true;
  const said = 'reply' in entry ? replyText(entry.reply) : beside;
  const content = said === null || isWritten ? said : withAskedCode(said, wordsOf(request.messages.at(-1)?.content));
  const toolCalls = 'toolCalls' in entry ? entry.toolCalls.map(wireCall) : [];
  const prompt = request.messages.map((message) => message.content).join('\n');
  const usage = 'usage' in entry ? entry.usage : undefined;
  const counted = usage === false ? undefined : usage;
  const promptTokens = counted?.prompt ?? tokensOf(prompt);
  const refusal = 'refusal' in entry ? entry.refusal : null;
  const completionTokens =
    counted?.completion ??
    tokensOf(`${content ?? refusal ?? ''}${toolCalls.map((call) => call.function.arguments).join('')}`);
  return {
    model: request.model,
    content,
    refusal,
    toolCalls,
    finishReason:
      ('finishReason' in entry ? entry.finishReason : undefined) ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop'),
    usage:
      usage === false
        ? undefined
        : {
            prompt_tokens: promptTokens,
            completion_tokens: completionTokens,
            total_tokens: promptTokens + completionTokens,
          },
  };
}

function envelope(object: string, answer: Answer): Record<string, unknown> {
  return { id: 'chatcmpl-scripted', object, created: 0, model: answer.model, system_fingerprint: 'scripted' };
}

export function wholeBody(answer: Answer, habits: ServerHabits = {}): string {
  const calls = answer.toolCalls.length > 0 ? { tool_calls: answer.toolCalls } : {};
  const said = messageFields(thoughtful(answer.content, habits), habits);
  const message = { role: 'assistant', ...said, refusal: answer.refusal, ...calls };
  const choice = { index: 0, message, finish_reason: answer.finishReason, logprobs: null };
  return JSON.stringify({
    ...envelope('chat.completion', answer),
    choices: [choice],
    usage: sentUsage(answer.usage, habits.usage),
  });
}

export function streamEvents(answer: Answer, includeUsage: boolean, habits: ServerHabits = {}): string[] {
  const base = envelope('chat.completion.chunk', answer);
  const text = thoughtful(answer.content, habits) ?? answer.refusal ?? '';
  const key = answer.content === null ? 'refusal' : 'content';
  const pieces = text.match(/[\s\S]{1,20}/g) ?? [''];
  const chunks: object[] = pieces.map((piece) => {
    const delta = key === 'content' ? messageFields(piece, habits) : { refusal: piece };
    return { ...base, choices: [{ index: 0, delta, finish_reason: null }] };
  });
  // As providers do: the name first, the arguments in pieces.
  const calls = answer.toolCalls.flatMap(({ id, type, function: { name, arguments: given } }, index) => [
    { index, id, type, function: { name, arguments: '' } },
    ...(given.match(/[\s\S]{1,20}/g) ?? []).map((piece) => ({ index, function: { arguments: piece } })),
  ]);
  chunks.push(
    ...calls.map((call) => ({ ...base, choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: null }] })),
  );
  const last = { ...base, choices: [{ index: 0, delta: {}, finish_reason: answer.finishReason }] };
  const counted = includeUsage ? sentUsage(answer.usage, habits.usage) : undefined;
  const usage = counted ? [{ ...base, choices: [], usage: counted }] : [];
  return [...chunks, last, ...usage].map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).concat('data: [DONE]\n\n');
}

export function sendHalf(response: ServerResponse, text: string, then: 'break' | 'end' | 'stall'): void {
  response.write(text.slice(0, Math.ceil(text.length / 2)), () => {
    if (then === 'break') response.destroy();
    if (then === 'end') response.end();
  });
}
