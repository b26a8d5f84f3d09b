import { APIError, type OpenAI } from 'openai';
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionMessageParam,
} from 'openai/resources';
import type { ToolCall } from '../domain/step-state/tools';
import { type Answer, assertNoPage, outputLimit, replyOf } from './answer';
import { ModelReplyError } from './reply-error';
import type { ChatReply, ChatRequest, ChatTurn, ModelConfig } from './types';

function turnOf(turn: ChatTurn): ChatCompletionMessageParam {
  if (turn.role === 'user') return turn;
  if (turn.role === 'tool') return { role: 'tool', tool_call_id: turn.toolCallId, content: turn.content };
  return {
    role: 'assistant',
    content: turn.content === '' ? null : turn.content,
    tool_calls: turn.toolCalls.map(({ id, name, arguments: text }) => ({
      id,
      type: 'function',
      function: { name, arguments: text },
    })),
  };
}

/** A call without an id is one of an endpoint that gives none: its place tells it apart. */
function toolCallOf(call: { id?: string; function?: { name?: string; arguments?: string } }, index: number): ToolCall {
  return {
    id: call.id || `call_${index + 1}`,
    name: call.function?.name ?? '',
    arguments: call.function?.arguments ?? '',
  };
}

function parametersOf(config: ModelConfig, request: ChatRequest): ChatCompletionCreateParamsNonStreaming {
  const { reply, temperature } = request;
  const structured = reply && config.structuredOutput !== false;
  return {
    model: config.model,
    messages: [...request.messages, ...(request.turns ?? []).map(turnOf)],
    tools: request.tools?.map((tool) => ({ type: 'function', function: { ...tool } })),
    tool_choice: request.tools && request.toolChoice,
    temperature,
    max_completion_tokens: outputLimit(config, request),
    response_format: structured ? { type: 'json_schema', json_schema: { ...reply, strict: true } } : undefined,
  };
}

function endOf(finishReason: string | null | undefined): Answer['ended'] {
  return finishReason === 'length' || finishReason === 'content_filter' ? finishReason : undefined;
}

function tokensOf(usage: OpenAI.CompletionUsage | undefined): Answer['tokens'] {
  return usage && { prompt: usage.prompt_tokens, completion: usage.completion_tokens, total: usage.total_tokens };
}

function wholeAnswer(completion: ChatCompletion | string | undefined): Answer {
  assertNoPage(completion);
  if (completion && 'error' in completion) throw statuslessError(completion.error);
  const choice = completion?.choices?.[0];
  const { content, refusal, tool_calls: calls } = choice?.message ?? {};
  return {
    text: content ?? '',
    refusal: refusal ?? '',
    toolCalls: (calls ?? []).map(toolCallOf),
    ended: endOf(choice?.finish_reason),
    tokens: tokensOf(completion?.usage),
  };
}

/** Some gateways answer with status 200 and an error; the same class comes out of an error event in a stream. */
function statuslessError(error: unknown): APIError {
  return new APIError(undefined, typeof error === 'object' && error !== null ? error : {}, undefined, undefined);
}

async function streamedAnswer(stream: AsyncIterable<ChatCompletionChunk>): Promise<Answer> {
  const answer = { text: '', refusal: '' };
  const calls: Required<Parameters<typeof toolCallOf>[0]>[] = [];
  let finishReason: string | null = null;
  let usage: OpenAI.CompletionUsage | undefined;
  for await (const chunk of stream) {
    const choice = chunk.choices?.[0];
    answer.text += choice?.delta?.content ?? '';
    answer.refusal += choice?.delta?.refusal ?? '';
    for (const piece of choice?.delta?.tool_calls ?? []) {
      const call = (calls[piece.index] ??= { id: '', function: { name: '', arguments: '' } });
      call.id ||= piece.id ?? '';
      call.function.name += piece.function?.name ?? '';
      call.function.arguments += piece.function?.arguments ?? '';
    }
    finishReason = choice?.finish_reason ?? finishReason;
    usage = chunk.usage ?? usage;
  }
  if (finishReason === null) throw new ModelReplyError('Interrupted', 'The stream ended before the reply did.');
  return { ...answer, toolCalls: calls.map(toolCallOf), ended: endOf(finishReason), tokens: tokensOf(usage) };
}

/** Makes one call, streamed if the model is configured so. Never retries: the activity's policy does. */
export async function chatCall(client: OpenAI, config: ModelConfig, request: ChatRequest): Promise<ChatReply> {
  const parameters = parametersOf(config, request);
  const options = { signal: request.signal, timeout: request.timeoutMs, maxRetries: 0 };
  const streaming = { ...parameters, stream: true as const, stream_options: { include_usage: true } };
  const answer = config.stream
    ? await streamedAnswer(await client.chat.completions.create(streaming, options))
    : wholeAnswer(await client.chat.completions.create(parameters, options));
  return replyOf(answer, config, (request.tools ?? []).length > 0);
}
