import type OpenAI from 'openai';
import { refuseUnfit, attachmentsRefused, refusesAttachments } from './attachments/refused-attachments';
import type { Circuits } from './circuits/circuits';
import type { EndpointGate } from './circuits/endpoint-limits';
import { inThePlaceOf } from './circuits/fallbacks';
import { CircuitOpenError, circuitWaitOf, noteWait, wasNotSent } from './circuits/not-sent';
import { callEmbedding, type EmbeddingReply, type EmbeddingRequest } from './embedding-call';
import type { EndpointCalls } from './endpoint-calls';
import { addWarnings } from './habits/adapted-call';
import { reportRefused } from './habits/refused-answer';
import { callCustom, embedCustom } from './own/custom-call';
import type { ServedModel } from './own/served-model';
import { limitText, outputLimit } from './tokens/output-limit';
import type { ChatReply, ChatRequest, ModelConfig } from './types';
import { APIConnectionTimeoutError, APIUserAbortError } from 'openai';
import { StillRunningError, ModelReplyError } from './reply-error';
import { withTimeout } from '../timeout';
import { failureTypeOf, isError } from './circuits/failure-type';
import { withoutSecretsInside } from '../text/secrets';
import { estimatePromptTokens } from './tokens/token-counts';

/** Tokens are estimated: a prompt counts as too large only if it is so even when the estimate is this much too high. */
const SURE = 0.8;
/** The tokens of a reply for which the estimate leaves none. */
const LEAST_REPLY = 256;

/** Leaves no more room for the reply than the prompt does. Throws `ContextLength`, with nothing sent. */
async function fitRequest(config: ModelConfig, request: ChatRequest): Promise<ChatRequest> {
  const { contextWindow } = config;
  if (contextWindow === undefined) return request;
  const prompt = await estimatePromptTokens(request);
  if (prompt * SURE >= contextWindow) {
    const message = `The prompt has about ${prompt} tokens, and the context window of ${config.name} has ${contextWindow}: nothing was sent.`;
    throw new ModelReplyError('ContextLength', message);
  }
  const room = Math.max(LEAST_REPLY, contextWindow - prompt);
  const limit = outputLimit(config, request);
  if (limit === undefined || limit <= room) return request;
  return { ...request, tokensLeft: Math.min(room, request.tokensLeft ?? room) };
}

const MOST_CAUSES = 4;

/** Providers quote the key that they refuse, and errors go to logs and to Temporal's history. */
function scrub(error: unknown, secrets: readonly string[]): void {
  let current: unknown = error;
  for (let depth = 0; depth < MOST_CAUSES && typeof current === 'object' && current !== null; depth += 1) {
    for (const field of ['message', 'stack', 'error']) {
      const value: unknown = Reflect.get(current, field);
      // Not an assignment: that would throw on errors of `fetch`, whose message cannot be changed (and holds no key).
      if (value !== undefined) Reflect.set(current, field, withoutSecretsInside(value, secrets));
    }
    current = Reflect.get(current, 'cause');
  }
}

/** The errors of code that meets a value of another shape than it takes for granted; also those of the vendor's client. */
const TRIPPED = ['TypeError', 'RangeError', 'ReferenceError'];

/** Makes a call. Throws ModelReplyError `NotFound` for an answer of an unusable shape. */
async function callAnyShape<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!isError(error) || !TRIPPED.includes(error.name) || failureTypeOf(error)) throw error;
    const message = 'The address answered with something that is not of the protocol: is the base URL right?';
    throw new ModelReplyError('NotFound', message);
  }
}

/** The vendor's client would wait for a stalled reply for ever, and end an aborted stream as if it were whole. */
async function runWithDeadline<Result>(
  { signal, timeoutMs }: Pick<ChatRequest, 'signal' | 'timeoutMs'>,
  call: (signal: AbortSignal) => Promise<Result>,
  advice = '',
): Promise<Result> {
  if (signal.aborted) throw cancellation(signal);
  return withTimeout(timeoutMs, signal, (limited, isTimeUp) =>
    call(limited).catch((error: unknown) => {
      if (signal.aborted) throw cancellation(signal);
      if (error instanceof StillRunningError) throw error;
      if (isTimeUp()) {
        throw new APIConnectionTimeoutError({ message: `No whole reply within ${timeoutMs} ms. ${advice}`.trim() });
      }
      throw error;
    }),
  );
}

/** An activity's signal carries Temporal's own `CancelledFailure`, which must stay as it is. */
function cancellation({ reason }: AbortSignal): unknown {
  return typeof reason === 'object' && reason !== null && 'message' in reason ? reason : new APIUserAbortError();
}

/** The time after which the next attempt asks the fallback of a model whose circuit this attempt left open. */
const FALLBACK_SOON_MS = 100;

export interface SharedParts {
  gate: EndpointGate;
  circuits: Circuits;
  endpoints: EndpointCalls;
  callNamed(request: ChatRequest): Promise<ChatReply>;
}

export interface ModelCall<Request extends ChatRequest | EmbeddingRequest> {
  request: Request;
  config: ServedModel;
  /** Undefined for a model by code of the worker's owner. */
  client?: OpenAI;
  /** Texts that no error may show. */
  secrets: readonly string[];
  shared: SharedParts;
}

type AnyCall = ModelCall<ChatRequest | EmbeddingRequest>;
type ChatCall = ModelCall<ChatRequest>;

type Next<Call, Reply> = (call: Call) => Promise<Reply>;

/** A part of the way of any call. It calls `next` once at most. */
type SharedLayer = <Call extends AnyCall, Reply>(call: Call, next: Next<Call, Reply>) => Promise<Reply>;
type ChatLayer = (call: ChatCall, next: Next<ChatCall, ChatReply>) => Promise<ChatReply>;

/** The layers around a call of any model, outermost first. */
const SHARED_LAYERS: readonly SharedLayer[] = [
  hideSecrets,
  keepEndpointLimits,
  guardByCircuit,
  limitTime,
  reportRefusal,
  reportStrangeShape,
];

const CHAT_LAYERS: readonly ChatLayer[] = [askFallback, ...SHARED_LAYERS, refuseAttachments, fitContextWindow];

async function askFallback(call: ChatCall, next: Next<ChatCall, ChatReply>): Promise<ChatReply> {
  const { request, config, shared } = call;
  try {
    return await next(call);
  } catch (error) {
    // A reply that is being made in the background is fetched from the model that makes it.
    const isBegun = request.background?.id !== undefined;
    if (config.fallback === undefined || isBegun) throw error;
    // It was sent, so this attempt asks no other model; the next one does, and need not wait for the circuit.
    if (!wasNotSent(error) && circuitWaitOf(error) !== undefined) noteWait(error, FALLBACK_SOON_MS);
    if (!(error instanceof CircuitOpenError)) throw error;
    const { background: _background, ...rest } = request;
    const reply = await shared.callNamed({ ...rest, model: config.fallback });
    return { ...addWarnings(reply, inThePlaceOf(config.name, config.fallback)), isByFallback: true };
  }
}

async function hideSecrets<Call extends AnyCall, Reply>(call: Call, next: Next<Call, Reply>): Promise<Reply> {
  try {
    return await next(call);
  } catch (error) {
    scrub(error, call.secrets);
    throw error;
  }
}

async function keepEndpointLimits<Call extends AnyCall, Reply>(call: Call, next: Next<Call, Reply>): Promise<Reply> {
  const { config, shared } = call;
  const { endpointLimits, model, baseUrl = '' } = config;
  if (endpointLimits === undefined) return next(call);
  const leave = shared.gate.enter(providerOf(config) ?? baseUrl, model, endpointLimits);
  let wasSent = true;
  try {
    return await next(call);
  } catch (error) {
    wasSent = !wasNotSent(error);
    throw error;
  } finally {
    leave(wasSent);
  }
}

async function guardByCircuit<Call extends AnyCall, Reply>(call: Call, next: Next<Call, Reply>): Promise<Reply> {
  const { config, request, shared } = call;
  const { baseUrl, model } = config;
  const target = { provider: providerOf(config), baseUrl, model, signal: request.signal };
  return shared.circuits.call(target, () => next(call));
}

async function limitTime<Call extends AnyCall, Reply>(call: Call, next: Next<Call, Reply>): Promise<Reply> {
  const { config, request } = call;
  const advice = 'messages' in request && !config.custom ? limitText(config, request) : undefined;
  return runWithDeadline(request, (signal) => next({ ...call, request: { ...request, signal } }), advice);
}

async function reportRefusal<Call extends AnyCall, Reply>(call: Call, next: Next<Call, Reply>): Promise<Reply> {
  return reportRefused(call.config, call.request, () => next(call));
}

async function reportStrangeShape<Call extends AnyCall, Reply>(call: Call, next: Next<Call, Reply>): Promise<Reply> {
  return call.client ? callAnyShape(() => next(call)) : next(call);
}

async function refuseAttachments(call: ChatCall, next: Next<ChatCall, ChatReply>): Promise<ChatReply> {
  const { request, config } = call;
  refuseUnfit(request, config);
  try {
    return await next(call);
  } catch (error) {
    throw refusesAttachments(error, request) ? attachmentsRefused(error, config.name) : error;
  }
}

async function fitContextWindow(call: ChatCall, next: Next<ChatCall, ChatReply>): Promise<ChatReply> {
  return next({ ...call, request: await fitRequest(call.config, call.request) });
}

function providerOf({ custom, name }: ServedModel): string | undefined {
  return custom && (custom.provider ?? name);
}

function sendChat({ client, config, request, shared }: ChatCall): Promise<ChatReply> {
  return client ? shared.endpoints.call(client, config, request) : callCustom(config.custom!, config, request);
}

function sendEmbedding({ client, config, request }: ModelCall<EmbeddingRequest>): Promise<EmbeddingReply> {
  return client ? callEmbedding(client, config, request) : embedCustom(config.custom!, config, request);
}

export function makeChatCall(call: ChatCall): Promise<ChatReply> {
  return CHAT_LAYERS.reduceRight<Next<ChatCall, ChatReply>>(
    (next, layer) => (given) => layer(given, next),
    sendChat,
  )(call);
}

export function makeEmbeddingCall(call: ModelCall<EmbeddingRequest>): Promise<EmbeddingReply> {
  return SHARED_LAYERS.reduceRight<Next<ModelCall<EmbeddingRequest>, EmbeddingReply>>(
    (next, layer) => (given) => layer(given, next),
    sendEmbedding,
  )(call);
}
