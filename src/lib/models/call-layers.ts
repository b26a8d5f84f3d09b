import type OpenAI from 'openai';
import { refuseUnfit, attachmentsRefused, refusesAttachments } from './attachments/refused-attachments';
import type { Circuits } from './circuits/circuits';
import type { EndpointGate } from './circuits/endpoint-limits';
import { inThePlaceOf } from './circuits/fallbacks';
import { CircuitOpenError, circuitWaitOf, noteWait, wasNotSent } from './circuits/not-sent';
import { runWithDeadline } from './deadline';
import { callEmbedding, type EmbeddingReply, type EmbeddingRequest } from './embedding-call';
import type { EndpointCalls } from './endpoint-calls';
import { addWarnings } from './habits/adapted-call';
import { reportRefused } from './habits/refused-answer';
import { callAnyShape } from './habits/strange-shape';
import { callCustom, embedCustom } from './own/custom-call';
import type { ServedModel } from './own/served-model';
import { scrub } from './scrub';
import { fitRequest } from './tokens/context-window';
import { limitText } from './tokens/output-limit';
import type { ChatReply, ChatRequest } from './types';

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

/** The layers around a call for a text, outermost first. */
const CHAT_LAYERS: readonly ChatLayer[] = [askFallback, ...SHARED_LAYERS, refuseAttachments, fitContextWindow];

/** Asks the model's fallback while the circuit of the model is open. */
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

/** Takes keys and other secrets out of errors. */
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

/** Makes a call only while the circuit of its model is closed, and its provider did not ask to be left alone. */
async function guardByCircuit<Call extends AnyCall, Reply>(call: Call, next: Next<Call, Reply>): Promise<Reply> {
  const { config, request, shared } = call;
  const { baseUrl, model } = config;
  const target = { provider: providerOf(config), baseUrl, model, signal: request.signal };
  return shared.circuits.call(target, () => next(call));
}

/** Ends a call at its timeout or cancellation. */
async function limitTime<Call extends AnyCall, Reply>(call: Call, next: Next<Call, Reply>): Promise<Reply> {
  const { config, request } = call;
  const advice = 'messages' in request && !config.custom ? limitText(config, request) : undefined;
  return runWithDeadline(request, (signal) => next({ ...call, request: { ...request, signal } }), advice);
}

/** Reports an answer that was refused, such as one that is too large, by its reason. */
async function reportRefusal<Call extends AnyCall, Reply>(call: Call, next: Next<Call, Reply>): Promise<Reply> {
  return reportRefused(call.config, call.request, () => next(call));
}

async function reportStrangeShape<Call extends AnyCall, Reply>(call: Call, next: Next<Call, Reply>): Promise<Reply> {
  return call.client ? callAnyShape(() => next(call)) : next(call);
}

/** Refuses attachments that the model does not take, and reports those that its endpoint refused. */
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

/** Makes one call for the vectors of texts, through all layers. */
export function makeEmbeddingCall(call: ModelCall<EmbeddingRequest>): Promise<EmbeddingReply> {
  return SHARED_LAYERS.reduceRight<Next<ModelCall<EmbeddingRequest>, EmbeddingReply>>(
    (next, layer) => (given) => layer(given, next),
    sendEmbedding,
  )(call);
}
