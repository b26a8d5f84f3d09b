import { setTimeout as sleep } from 'node:timers/promises';
import { APIError, type OpenAI } from 'openai';
import type { ReasoningEffort } from 'openai/resources';
import type { Response, ResponseCreateParamsNonStreaming } from 'openai/resources/responses/responses';
import { permanentType } from './circuits/failure-type';
import { omitUndefined } from '../base/defined';
import { type Answer, replyOf } from './answer';
import { responseMessage } from './attachments/wire-content';
import { addWarnings } from './habits/adapted-call';
import type { CallForm } from './habits/call-form';
import { foldedSystem } from './habits/fold-system';
import { outputLimit } from './tokens/output-limit';
import { fieldOf, listIn, textIn } from './habits/read-json';
import { assertFewParts } from './habits/reply-size';
import { contentOf } from './habits/reply-content';
import { chooseSampling } from './habits/sampling';
import { sentFormat, addReplyFormat } from './reply-format';
import { ModelReplyError, type ReplyProblem, StillRunningError } from './reply-error';
import type { BackgroundResponse, ChatReply, ChatRequest, ModelConfig } from './types';

/** The time between two requests for a reply: from the first, by half more each time, to the last. */
const POLL_MS = { first: 500, factor: 1.5, last: 2_000 };

/** The smallest limit of output tokens that the Responses API takes. */
const SMALLEST_LIMIT = 16;

/** Cancelling gets its own time: the call's own is over. */
const CANCEL_TIMEOUT_MS = 5_000;

function limitOf(config: ModelConfig, request: ChatRequest, form: CallForm): number | undefined {
  const limit = outputLimit(config, request, form);
  return limit && Math.max(limit, SMALLEST_LIMIT);
}

function parametersOf(config: ModelConfig, request: ChatRequest, form: CallForm): ResponseCreateParamsNonStreaming {
  const format = sentFormat(request, form.schema);
  const told = addReplyFormat(request, format);
  const { temperature, topP, reasoningEffort } = chooseSampling(config, request, form);
  const own: ResponseCreateParamsNonStreaming = {
    model: config.model,
    input: (form.systemRole ? told : foldedSystem(told)).map(responseMessage),
    background: true,
    // Only a stored response can be fetched by its id.
    store: true,
    temperature,
    max_output_tokens: limitOf(config, request, form),
    text: format && { format: { type: 'json_schema', ...format } },
    top_p: topP,
    reasoning: reasoningEffort === undefined ? undefined : { effort: reasoningEffort as ReasoningEffort },
  };
  return { ...config.extraBody, ...omitUndefined(own) };
}

function describeIgnored(config: ModelConfig, request: ChatRequest): string[] {
  const { seed, stop } = chooseSampling(config, request, { temperature: true, seed: false });
  const names = [...(seed === undefined ? [] : ['seed']), ...(stop === undefined ? [] : ['stop'])];
  return names.length === 0 ? [] : [`replies that are made in the background have no ${names.join(' and no ')}`];
}

/** The vendor's client gives an answer that is not JSON as text, and fails on it with a TypeError of its own. */
async function assertResponse(asked: PromiseLike<unknown>): Promise<Response> {
  const response = await Promise.resolve(asked).catch((error: unknown) => {
    if (error instanceof TypeError) return undefined;
    throw error;
  });
  if (Array.isArray(fieldOf(response, 'output')) && textIn(response, 'id') !== '') return response as Response;
  // Some gateways answer with status 200 and an error.
  const told = fieldOf(response, 'error');
  if (typeof told === 'object' && told !== null) throw new APIError(undefined, told, undefined, undefined);
  const message = 'The address answered with something that is no response: is the base URL right?';
  throw new ModelReplyError('NotFound', message);
}

function isRunning({ status }: Response): boolean {
  return status === 'queued' || status === 'in_progress';
}

function endOf({ status, incomplete_details: details }: Response): unknown {
  return status === 'incomplete' ? textIn(details, 'reason') || status : status;
}

function answerOf(response: Response): Answer {
  const items: unknown[] = response.output;
  assertFewParts(items.length);
  const said = items
    .filter((item) => textIn(item, 'type') === 'message')
    .map((item) => contentOf(fieldOf(item, 'content')));
  const thought = items
    .filter((item) => textIn(item, 'type') === 'reasoning')
    .flatMap((item) => [...listIn(item, 'content'), ...listIn(item, 'summary')])
    .map((part) => textIn(part, 'text'));
  return {
    text: said.map(({ text }) => text).join(''),
    refusal: said.map(({ refusal }) => refusal).join(''),
    thought: thought.join(''),
    ended: endOf(response),
    usage: response.usage,
  };
}

/** Returns whether an earlier attempt's response is worth picking up: one that failed, or is empty, ended that attempt. */
function isUseful(response: Response): boolean {
  if (response.status === 'failed' || response.status === 'cancelled') return false;
  const { text, refusal } = answerOf(response);
  return response.status !== 'completed' || text.trim() !== '' || refusal !== '';
}

function failureOf({ status, error }: Response): ModelReplyError {
  if (status === 'cancelled') return new ModelReplyError('Interrupted', 'The response was cancelled at the provider.');
  const message = `The response failed: ${textIn(error, 'message') || 'the provider does not say why'}`;
  const code = textIn(error, 'code') || 'server_error';
  const known = permanentType(code) as ReplyProblem | undefined;
  const busy = code === 'rate_limit_exceeded' ? 'RateLimited' : (known ?? 'BadRequest');
  return new ModelReplyError(code === 'server_error' ? 'Unavailable' : busy, message);
}

/** The ways in which endpoints report that they have no responses, or none in the background. */
const OF_BACKGROUND = /\bbackground\b|responses api/i;

/** Returns whether an endpoint has no background responses, rather than not this model. */
export function hasNoResponses(error: unknown): boolean {
  if (!(error instanceof APIError) || error.code === 'model_not_found') return false;
  if ((error.status === 400 || error.status === 422) && OF_BACKGROUND.test(error.message)) return true;
  return error.status === 404 || error.status === 405 || error.status === 501;
}

interface BackgroundUse {
  form: CallForm;
  answeredAtOnce(): void;
}

/**
 * Makes one call in the background, or picks up the one of an earlier attempt, and waits for its reply. Throws StillRunningError
 * when the call is aborted, or its time is over, before the reply is there.
 */
export async function callBackground(
  client: OpenAI,
  config: ModelConfig,
  request: ChatRequest & { background: BackgroundResponse },
  { form, answeredAtOnce }: BackgroundUse,
): Promise<ChatReply> {
  const { background, signal, timeoutMs } = request;
  const { headers, query } = config;
  const options = omitUndefined({ signal, timeout: timeoutMs, maxRetries: 0, headers, query });
  const earlier = background.id === undefined ? undefined : await pickUp(client, background.id, options);
  const isPickedUp = earlier !== undefined && isUseful(earlier);
  let response = isPickedUp
    ? earlier
    : await assertResponse(client.responses.create(parametersOf(config, request, form), options));
  // Only a reply that is still being made is in the background, whatever the request was.
  if (isPickedUp || isRunning(response)) background.began(response.id);
  else answeredAtOnce();
  try {
    for (let wait = POLL_MS.first; isRunning(response); wait = Math.min(wait * POLL_MS.factor, POLL_MS.last)) {
      await sleep(wait, undefined, { signal });
      response = await assertResponse(client.responses.retrieve(response.id, {}, options));
    }
  } catch (error) {
    if (!(await background.isWanted())) await cancelResponse(client, response.id);
    if (signal.aborted) throw new StillRunningError(`The model is still working on its reply after ${timeoutMs} ms.`);
    throw isGone(error) ? new ModelReplyError('Interrupted', 'The provider no longer knows the response.') : error;
  }
  if (response.status === 'failed' || response.status === 'cancelled') throw failureOf(response);
  const answer = { ...answerOf(response), limit: limitOf(config, request, form) };
  return addWarnings(await replyOf(answer, config, request), ...describeIgnored(config, request));
}

function isGone(error: unknown): boolean {
  return error instanceof APIError && error.status === 404;
}

async function pickUp(client: OpenAI, id: string, options: OpenAI.RequestOptions): Promise<Response | undefined> {
  try {
    return await assertResponse(client.responses.retrieve(id, {}, options));
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

/** Cancels a response as far as possible: one that has ended meanwhile cannot be cancelled, and need not be. */
async function cancelResponse(client: OpenAI, id: string): Promise<void> {
  await client.responses.cancel(id, { timeout: CANCEL_TIMEOUT_MS, maxRetries: 0 }).catch(() => undefined);
}
