import OpenAI from 'openai';
import type { AllowList } from '../base/allow-list';
import { attachmentsRefused, refusesAttachments } from './attachments/refused-attachments';
import { assertWithoutCredentials } from './base-url';
import { callBackground, hasNoResponses } from './background-call';
import { callChat } from './chat-call';
import { secretsOf, urlSecrets } from '../text/secrets';
import { callAdapted, addWarnings } from './habits/adapted-call';
import type { CallForm } from './habits/call-form';
import { fetchReadable } from './habits/error-body';
import { LearnedHabits } from './habits/learned-habits';
import { limitText } from './tokens/output-limit';
import { assertReplyBytes } from './habits/reply-size';
import { reportRefused } from './habits/refused-answer';
import { callAnyShape } from './habits/strange-shape';
import type { CircuitOptions, CircuitStatus } from './circuits/circuit-breaker';
import { Circuits } from './circuits/circuits';
import { EndpointGate } from './circuits/endpoint-limits';
import { circuitWaitOf, CircuitOpenError, noteWait, wasNotSent } from './circuits/not-sent';
import { fitRequest } from './tokens/context-window';
import { assertFallbacks, fallbackChain, inThePlaceOf } from './circuits/fallbacks';
import { runWithDeadline } from './deadline';
import { callEmbedding, type EmbeddingReply, type EmbeddingRequest } from './embedding-call';
import { configOf, nameProblem, type ServedModels, servedModels } from './model-names';
import { type PriceTable, pricesOf } from './prices';
import { callCustom, embedCustom } from './own/custom-call';
import type { CustomModel } from './own/custom-model';
import { type ServedModel, servedModel } from './own/served-model';
import { MissingKeyError, ModelReplyError, UnknownModelError } from './reply-error';
import { scrub } from './scrub';
import type { ChatReply, ChatRequest, ModelAttachment, ModelConfig, Models } from './types';

export type { CircuitOptions, CircuitStatus } from './circuits/circuit-breaker';
export type { EmbeddingReply, EmbeddingRequest } from './embedding-call';
export type { PriceTable } from './prices';

export interface ModelsOptions {
  /** The conditions under which calls of a failing model stop. False: never. */
  circuitBreaker?: CircuitOptions | false;
  /** Prices by the provider's name of the model, for configurations (and names) without prices of their own. */
  prices?: PriceTable;
  /** Names that specs may use: `fast`, `small-*`. Default: all. What the worker embeds with need not be among them. */
  allowed?: AllowList;
  /** Called whenever a circuit opens, tries again or closes. */
  onCircuitChange?(status: CircuitStatus): void;
}

/** The models of a worker, and what only the worker itself asks of them. */
export interface WorkerModels extends Models {
  /** Returns the circuits of all models that were called so far. */
  circuitStates(): CircuitStatus[];
  /** The models that specs may name. */
  readonly served: ServedModels;
  /** Returns the provider's name of a model that the worker embeds with; an error for a name that is not known. */
  embeddingModel(name: string): string | TypeError;
  /** Makes exactly one call for the vectors of texts: never retries. Throws as `call` does. */
  embed(request: EmbeddingRequest): Promise<EmbeddingReply>;
}

/** The key for self-hosted servers: they rarely need one, but the vendor's client insists on one. */
const NO_KEY_NEEDED = 'not-needed';

/** Values shorter than this would be found by accident. */
const SHORTEST_KEY = 4;

/** The two ways of making a call: by the vendor's client, or by the code of the worker's owner. */
interface Making<T> {
  byClient(client: OpenAI, config: ModelConfig, signal: AbortSignal): Promise<T>;
  byOwner(custom: CustomModel, config: ModelConfig, signal: AbortSignal): Promise<T>;
}

/** Returns why a model takes no attachments of a kind; undefined if it does. */
function refusalOf(kind: ModelAttachment['kind'], config: ModelConfig | undefined): string | undefined {
  const field = `${kind}s` as const;
  return config?.[field] === false ? `the model "${config.name}" takes no ${field}` : undefined;
}

/** @throws ModelReplyError `BadRequest` where the model, or its endpoint, takes no such attachments */
async function sendRequest(
  request: ChatRequest,
  config: ModelConfig,
  make: () => Promise<ChatReply>,
): Promise<ChatReply> {
  const kinds = request.messages.flatMap(({ attachments = [] }) => attachments.map(({ kind }) => kind));
  const refusal = kinds.map((kind) => refusalOf(kind, config)).find((message) => message !== undefined);
  // Such as of a fallback, which a spec does not name.
  if (refusal !== undefined) throw new ModelReplyError('BadRequest', `Nothing was sent: ${refusal}.`);
  try {
    return await make();
  } catch (error) {
    throw refusesAttachments(error, request) ? attachmentsRefused(error, config.name) : error;
  }
}

/** The time after which the next attempt asks the fallback of a model whose circuit this attempt left open. */
const FALLBACK_SOON_MS = 100;

/** The warning of versions whose call could not be made as the worker is configured. */
const NO_BACKGROUND =
  'the endpoint has no background responses, so a crash during the call would have paid for it again';
const TOOLS_IN_FOREGROUND = 'calls with tools are not made in the background, so a crash during one pays for it again';

/**
 * Makes the models of a worker. With no configuration any name goes to `OPENAI_BASE_URL` (default: the provider's own)
 * with `OPENAI_API_KEY`; a spec that names none gets the first configured model, else `OPENAI_MODEL`.
 *
 * @throws TypeError when two models have the same name, when an address has a password in it, when a model of the
 *   owner's is no model, or when none, or not the default, is among those that are allowed
 */
export function createModels(
  models: readonly (ModelConfig | CustomModel)[],
  env: NodeJS.ProcessEnv = process.env,
  options: ModelsOptions = {},
): WorkerModels {
  const configs = models.map(servedModel);
  const names = configs.map((config) => config.name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new TypeError(`two models are named "${twice}"`);
  assertWithoutCredentials(configs, env);
  assertReplyBytes(configs);
  const all = servedModels(configs, env, undefined);
  const served = servedModels(configs, env, options.allowed);
  assertFallbacks(served.configs);
  const clients = new Map<string, { client: OpenAI; apiKey: string }>();
  /** Endpoints that were found to have no background responses. */
  const withoutBackground = new Set<string>();
  const learned = new LearnedHabits();
  const gate = new EndpointGate();
  const circuits = new Circuits(options.circuitBreaker, options.onCircuitChange);

  function findModel(name: string | undefined, among = served): ServedModel | undefined {
    const config = configOf(among, name);
    if (!config) return undefined;
    const prices = config.prices ?? pricesOf(options.prices, config.model);
    const baseUrl = config.baseUrl ?? env['OPENAI_BASE_URL'];
    return { ...config, baseUrl: baseUrl || undefined, prices };
  }

  /** Returns a model and its fallbacks, by name. */
  function chainOf(name = served.defaultModel): string[] {
    const chain = fallbackChain(served.configs, name).map((each) => each.name);
    return chain.length === 0 ? [name] : chain;
  }

  function clientFor(config: ModelConfig): { client: OpenAI; apiKey: string } {
    const variable = config.apiKeyVariable ?? 'OPENAI_API_KEY';
    const baseURL = config.baseUrl;
    const apiKey = env[variable] || (baseURL ? NO_KEY_NEEDED : undefined);
    if (!apiKey) throw new MissingKeyError(variable);
    const identity = `${baseURL ?? ''} ${variable} ${config.maxReplyBytes ?? ''}`;
    const known = clients.get(identity);
    if (known) return known;
    // Its log would show the replies of models; an unreadable reply is an error here anyway.
    const quiet = { maxRetries: 0, organization: null, project: null, logLevel: 'off' as const };
    const fetch = fetchReadable(config.maxReplyBytes);
    const made = { client: new OpenAI({ apiKey, baseURL: baseURL ?? null, fetch, ...quiet }), apiKey };
    clients.set(identity, made);
    return made;
  }

  /** Calls a model: in the background if it is called so and the endpoint can; else the reply is waited for. */
  async function callOnce(client: OpenAI, config: ModelConfig, request: ChatRequest): Promise<ChatReply> {
    const { background } = request;
    const callInForeground = (): Promise<ChatReply> =>
      callAdapted(learned, config, request, (form) => callChat(client, config, request, form));
    if (!config.background || !background) return callInForeground();
    if (request.tools) return addWarnings(await callInForeground(), TOOLS_IN_FOREGROUND);
    const endpoint = config.baseUrl ?? '';
    const hasNone = (): void => void withoutBackground.add(endpoint);
    if (!withoutBackground.has(endpoint)) {
      try {
        const callInBackground = (form: CallForm): Promise<ChatReply> =>
          callBackground(client, config, { ...request, background }, { form, answeredAtOnce: hasNone });
        const reply = await callAdapted(learned, config, request, callInBackground, 'responses');
        return withoutBackground.has(endpoint) ? addWarnings(reply, NO_BACKGROUND) : reply;
      } catch (error) {
        if (!hasNoResponses(error)) throw error;
        hasNone();
      }
    }
    return addWarnings(await callInForeground(), NO_BACKGROUND);
  }

  /** Makes one call: by a client that has the key, through the model's circuit, and no longer than it may take. */
  async function makeCall<T>(
    use: 'call' | 'embed',
    request: EmbeddingRequest | ChatRequest,
    make: Making<T>,
  ): Promise<T> {
    // What the worker embeds with need not be among those that specs may name.
    const among = use === 'call' ? served : all;
    const config = findModel(request.model, among);
    const problem = nameProblem(among, config?.name ?? request.model, use);
    if (!config || problem !== undefined) throw new UnknownModelError(problem);
    const { work: made, secrets } = workOf(config, make);
    const work = (signal: AbortSignal): Promise<T> => reportRefused(config, request, () => made(signal));
    const provider = config.custom && (config.custom.provider ?? config.name);
    const target = { provider, baseUrl: config.baseUrl, model: config.model, signal: request.signal };
    try {
      const advice = 'messages' in request && !config.custom ? limitText(config, request) : undefined;
      return await callWithinLimits(config, target, () =>
        circuits.call(target, () => runWithDeadline(request, work, advice)),
      );
    } catch (error) {
      scrub(error, secrets);
      throw error;
    }
  }

  /** Makes a call only when the limits of its endpoint allow one more. */
  async function callWithinLimits<T>(
    { endpointLimits, model, baseUrl }: ServedModel,
    { provider = baseUrl ?? '' }: { provider?: string | undefined },
    call: () => Promise<T>,
  ): Promise<T> {
    if (endpointLimits === undefined) return call();
    const leave = gate.enter(provider, model, endpointLimits);
    let wasSent = true;
    try {
      return await call();
    } catch (error) {
      wasSent = !wasNotSent(error);
      throw error;
    } finally {
      leave(wasSent);
    }
  }

  /** Calls a model, or its fallback while the model's circuit is open. */
  async function callOrFallback(request: ChatRequest): Promise<ChatReply> {
    const asked = findModel(request.model);
    try {
      return await makeCall('call', request, {
        byClient: async (client, config, signal) =>
          sendRequest(request, config, async () =>
            callOnce(client, config, await fitRequest(config, { ...request, signal })),
          ),
        byOwner: (custom, config, signal) =>
          sendRequest(request, config, () => callCustom(custom, config, { ...request, signal })),
      });
    } catch (error) {
      // A reply that is being made in the background is fetched from the model that makes it.
      const isBegun = request.background?.id !== undefined;
      if (asked?.fallback === undefined || isBegun) throw error;
      // It was sent, so this attempt asks no other model; the next one does, and need not wait for the circuit.
      if (!wasNotSent(error) && circuitWaitOf(error) !== undefined) noteWait(error, FALLBACK_SOON_MS);
      if (!(error instanceof CircuitOpenError)) throw error;
      const { background: _background, ...rest } = request;
      const reply = await callOrFallback({ ...rest, model: asked.fallback });
      return addWarnings(reply, inThePlaceOf(asked.name, asked.fallback));
    }
  }

  /** Returns the work of a call, and the secrets that none of its errors may show. */
  function workOf<T>(
    config: ServedModel,
    make: Making<T>,
  ): { work: (signal: AbortSignal) => Promise<T>; secrets: string[] } {
    const { custom } = config;
    // Which key the owner's code uses is not known here.
    if (custom) return { work: (signal) => make.byOwner(custom, config, signal), secrets: secretsOf(env) };
    const { client, apiKey } = clientFor(config);
    const { headers = {}, query = {}, baseUrl = '' } = config;
    const values = [apiKey, ...Object.values(headers), ...Object.values(query)];
    const secrets = [...values.filter(({ length }) => length >= SHORTEST_KEY), ...urlSecrets(baseUrl)];
    return { work: (signal) => callAnyShape(() => make.byClient(client, config, signal)), secrets };
  }

  return {
    served,
    problem: (name) => nameProblem(served, name),
    refuses: (kind, name) => refusalOf(kind, findModel(name)),
    hasPrice: (name) => chainOf(name).every((each) => findModel(each)?.prices !== undefined),
    circuitStates: () => circuits.states(),
    embeddingModel(name) {
      const problem = nameProblem(all, name, 'embed');
      return problem === undefined ? findModel(name, all)!.model : new TypeError(problem);
    },
    call: callOrFallback,
    embed: (request) =>
      makeCall('embed', request, {
        byClient: (client, config, signal) => callEmbedding(client, config, { ...request, signal }),
        byOwner: (custom, config, signal) => embedCustom(custom, config, { ...request, signal }),
      }),
  };
}
