import { APIError, type OpenAI } from 'openai';
import type { ChatCompletion, ChatCompletionChunk, ChatCompletionCreateParamsNonStreaming } from 'openai/resources';
import { NO_USAGE, type TokenUsage } from '../domain/tokens';
import { priceOf } from './prices';
import { ModelReplyError } from './reply-error';
import type { ChatReply, ChatRequest, ModelConfig, ModelPrices } from './types';

/** What is left of an answer once it does not matter how it came. */
interface Answer {
  text: string;
  refusal: string;
  finishReason: string | null;
  usage: OpenAI.CompletionUsage | undefined;
}

function parametersOf(config: ModelConfig, request: ChatRequest): ChatCompletionCreateParamsNonStreaming {
  const { reply, temperature, maxTokens } = request;
  const structured = reply && config.structuredOutput !== false;
  return {
    model: config.model,
    messages: request.messages,
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { max_completion_tokens: maxTokens }),
    ...(structured
      ? {
          response_format: {
            type: 'json_schema' as const,
            json_schema: { name: reply.name, schema: reply.schema, strict: true },
          },
        }
      : {}),
  };
}

function usageOf(usage: OpenAI.CompletionUsage | undefined, prices: ModelPrices | undefined): TokenUsage {
  const promptTokens = usage?.prompt_tokens ?? 0;
  const completionTokens = usage?.completion_tokens ?? 0;
  const known = usage && prices;
  return {
    ...NO_USAGE,
    promptTokens,
    completionTokens,
    totalTokens: usage?.total_tokens ?? promptTokens + completionTokens,
    modelCalls: 1,
    usd: known ? priceOf({ promptTokens, completionTokens }, prices) : null,
  };
}

function wholeAnswer(completion: ChatCompletion | string | undefined): Answer {
  // The vendor's client hands over as text what does not call itself JSON: the page of a proxy, or of a wrong address.
  if (typeof completion === 'string') {
    throw new ModelReplyError('NotFound', 'The address answered with a page, not with a model: is the base URL right?');
  }
  if (completion && 'error' in completion) throw statuslessError(completion.error);
  const choice = completion?.choices?.[0];
  return {
    text: choice?.message?.content ?? '',
    refusal: choice?.message?.refusal ?? '',
    finishReason: choice?.finish_reason ?? null,
    usage: completion?.usage,
  };
}

/** Some gateways answer with status 200 and an error; the same class comes out of an error event in a stream. */
function statuslessError(error: unknown): APIError {
  return new APIError(undefined, typeof error === 'object' && error !== null ? error : {}, undefined, undefined);
}

async function streamedAnswer(stream: AsyncIterable<ChatCompletionChunk>): Promise<Answer> {
  const answer: Answer = { text: '', refusal: '', finishReason: null, usage: undefined };
  for await (const chunk of stream) {
    const choice = chunk.choices?.[0];
    answer.text += choice?.delta?.content ?? '';
    answer.refusal += choice?.delta?.refusal ?? '';
    answer.finishReason = choice?.finish_reason ?? answer.finishReason;
    answer.usage = chunk.usage ?? answer.usage;
  }
  if (answer.finishReason === null) throw new ModelReplyError('Interrupted', 'The stream ended before the reply did.');
  return answer;
}

/** Makes one call, streamed if the model is configured so. Never retries: the activity's policy does. */
export async function chatCall(client: OpenAI, config: ModelConfig, request: ChatRequest): Promise<ChatReply> {
  const parameters = parametersOf(config, request);
  const options = { signal: request.signal, timeout: request.timeoutMs, maxRetries: 0 };
  const answer = config.stream
    ? await streamedAnswer(
        await client.chat.completions.create(
          { ...parameters, stream: true, stream_options: { include_usage: true } },
          options,
        ),
      )
    : wholeAnswer(await client.chat.completions.create(parameters, options));
  const usage = usageOf(answer.usage, config.prices);
  if (answer.refusal !== '') throw new ModelReplyError('Refused', `The model refused: ${answer.refusal}`, usage);
  if (answer.finishReason === 'content_filter') {
    throw new ModelReplyError('Filtered', "The provider's content filter stopped the reply.", usage);
  }
  const cutOff = answer.finishReason === 'length';
  if (answer.text.trim() === '' && !cutOff) throw new ModelReplyError('Empty', 'The model sent an empty reply.', usage);
  return { text: answer.text, cutOff, usage };
}
