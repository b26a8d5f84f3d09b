import { setTimeout as sleep } from 'node:timers/promises';
import { APIError, type OpenAI } from 'openai';
import type { Response, ResponseCreateParamsNonStreaming } from 'openai/resources/responses/responses';
import { type Answer, outputLimit, replyOf } from './answer';
import { ModelReplyError, StillRunningError } from './reply-error';
import type { BackgroundResponse, ChatReply, ChatRequest, ModelConfig } from './types';

/** Between two questions whether a reply is there: from the first, by half more each time, to the last. */
const POLL_MS = { first: 500, factor: 1.5, last: 2_000 };

/** The Responses API takes no smaller limit. */
const SMALLEST_LIMIT = 16;

/** Cancelling gets its own time: the call's own is over. */
const CANCEL_TIMEOUT_MS = 5_000;

function parametersOf(config: ModelConfig, request: ChatRequest): ResponseCreateParamsNonStreaming {
  const { reply, temperature, messages } = request;
  const limit = outputLimit(config, request);
  const structured = reply && config.structuredOutput !== false;
  return {
    model: config.model,
    input: messages,
    background: true,
    // What is not stored cannot be asked for by its id.
    store: true,
    temperature,
    max_output_tokens: limit && Math.max(limit, SMALLEST_LIMIT),
    text: structured ? { format: { type: 'json_schema', ...reply, strict: true } } : undefined,
  };
}

/**
 * The response that an answer is. The vendor's client hands over as text what does not call itself JSON, and fails on it with
 * a TypeError of its own where it makes responses.
 */
async function assertResponse(asked: PromiseLike<Response | string>): Promise<Response> {
  const response = await Promise.resolve(asked).catch((error: unknown) => {
    if (error instanceof TypeError) return undefined;
    throw error;
  });
  if (typeof response === 'object' && Array.isArray(response.output)) return response;
  // Some gateways answer with status 200 and an error.
  const told = typeof response === 'object' ? response.error : undefined;
  if (told) throw new APIError(undefined, told, undefined, undefined);
  const message = 'The address answered with something that is no response: is the base URL right?';
  throw new ModelReplyError('NotFound', message);
}

function isRunning({ status }: Response): boolean {
  return status === 'queued' || status === 'in_progress';
}

function answerOf({ output, usage, status, incomplete_details: why }: Response): Answer {
  const parts = output.flatMap((item) => (item.type === 'message' ? item.content : []));
  const ended = why?.reason === 'content_filter' ? 'content_filter' : 'length';
  return {
    text: parts.map((part) => (part.type === 'output_text' ? part.text : '')).join(''),
    refusal: parts.map((part) => (part.type === 'refusal' ? part.refusal : '')).join(''),
    ended: status === 'incomplete' ? ended : undefined,
    tokens: usage && { prompt: usage.input_tokens, completion: usage.output_tokens, total: usage.total_tokens },
  };
}

/** An earlier attempt's response that failed, or is empty, is not worth picking up: that attempt ended with it. */
function isUseful(response: Response): boolean {
  if (response.status === 'failed' || response.status === 'cancelled') return false;
  const { text, refusal } = answerOf(response);
  return response.status !== 'completed' || text.trim() !== '' || refusal !== '';
}

function failureOf({ status, error }: Response): ModelReplyError {
  if (status === 'cancelled') return new ModelReplyError('Interrupted', 'The response was cancelled at the provider.');
  const message = `The response failed: ${error?.message ?? 'the provider does not say why'}`;
  const { code = 'server_error' } = error ?? {};
  const busy = code === 'rate_limit_exceeded' ? 'RateLimited' : 'BadRequest';
  return new ModelReplyError(code === 'server_error' ? 'Unavailable' : busy, message);
}

/** True when an endpoint has no background responses, rather than not this model. */
export function hasNoResponses(error: unknown): boolean {
  if (!(error instanceof APIError) || error.code === 'model_not_found') return false;
  return error.status === 404 || error.status === 405 || error.status === 501;
}

/**
 * Makes one call in the background, or picks up the one of an earlier attempt, and waits for its reply.
 *
 * @throws StillRunningError when the call is aborted, or its time is over, before the reply is there
 */
export async function backgroundCall(
  client: OpenAI,
  config: ModelConfig,
  request: ChatRequest & { background: BackgroundResponse },
): Promise<ChatReply> {
  const { background, signal, timeoutMs } = request;
  const options = { signal, timeout: timeoutMs, maxRetries: 0 };
  const earlier = background.id === undefined ? undefined : await pickedUp(client, background.id, options);
  let response =
    earlier && isUseful(earlier)
      ? earlier
      : await assertResponse(client.responses.create(parametersOf(config, request), options));
  background.began(response.id);
  try {
    for (let wait = POLL_MS.first; isRunning(response); wait = Math.min(wait * POLL_MS.factor, POLL_MS.last)) {
      await sleep(wait, undefined, { signal });
      response = await assertResponse(client.responses.retrieve(response.id, {}, options));
    }
  } catch (error) {
    if (!(await background.isWanted())) await cancelled(client, response.id);
    if (signal.aborted) throw new StillRunningError(`The model is still working on its reply after ${timeoutMs} ms.`);
    throw isGone(error) ? new ModelReplyError('Interrupted', 'The provider no longer knows the response.') : error;
  }
  if (response.status === 'failed' || response.status === 'cancelled') throw failureOf(response);
  return replyOf(answerOf(response), config, false);
}

function isGone(error: unknown): boolean {
  return error instanceof APIError && error.status === 404;
}

async function pickedUp(client: OpenAI, id: string, options: OpenAI.RequestOptions): Promise<Response | undefined> {
  try {
    return await assertResponse(client.responses.retrieve(id, {}, options));
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

/** As far as possible: one that has ended meanwhile cannot be cancelled, and need not be. */
async function cancelled(client: OpenAI, id: string): Promise<void> {
  await client.responses.cancel(id, { timeout: CANCEL_TIMEOUT_MS, maxRetries: 0 }).catch(() => undefined);
}
