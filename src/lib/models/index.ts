import type { AllowList } from '../base/allow-list';
import { refusalOf } from './attachments/refused-attachments';
import { makeChatCall, makeEmbeddingCall, type ModelCall, type SharedParts } from './call-layers';
import type { CircuitOptions, CircuitStatus } from './circuits/circuit-breaker';
import { Circuits } from './circuits/circuits';
import { EndpointGate } from './circuits/endpoint-limits';
import { assertFallbacks, fallbackChain } from './circuits/fallbacks';
import { Clients } from './clients';
import type { EmbeddingReply, EmbeddingRequest } from './embedding-call';
import { EndpointCalls } from './endpoint-calls';
import { assertReplyBytes } from './habits/reply-size';
import { configOf, nameProblem, type ServedModels, servedModels } from './model-names';
import type { CustomModel } from './own/custom-model';
import { type ServedModel, servedModel } from './own/served-model';
import { type PriceTable, pricesOf } from './prices';
import { UnknownModelError } from './reply-error';
import type { ChatReply, ChatRequest, ModelConfig, Models } from './types';

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
  onCircuitChange?(status: CircuitStatus): void;
}

export interface WorkerModels extends Models {
  circuitStates(): CircuitStatus[];
  /** The models that specs may name. */
  readonly served: ServedModels;
  embeddingModel(name: string): string | TypeError;
  /** Makes exactly one call for the vectors of texts: never retries. Throws as `call` does. */
  embed(request: EmbeddingRequest): Promise<EmbeddingReply>;
}

/** Returns whether an address has credentials: requests are not made to such an address, and their errors would show them. */
function hasCredentials(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { username, password } = new URL(address);
  return username !== '' || password !== '';
}

function assertWithoutCredentials(configs: readonly ModelConfig[], env: NodeJS.ProcessEnv): void {
  const advice = 'Give the key in an environment variable (OPENAI_API_KEY, or `apiKeyVariable` of the model).';
  const addresses = configs.map(({ name, baseUrl }) => [`the baseUrl of the model "${name}"`, baseUrl] as const);
  for (const [what, address = ''] of [...addresses, ['OPENAI_BASE_URL', env['OPENAI_BASE_URL']] as const]) {
    if (hasCredentials(address)) throw new TypeError(`${what} has a user name or a password in it. ${advice}`);
  }
}

/**
 * Makes the models of a worker. With no configuration any name goes to `OPENAI_BASE_URL` (default: the provider's own) with
 * `OPENAI_API_KEY`; a spec that names none gets the first configured model, else `OPENAI_MODEL`. Throws TypeError when two models
 * have the same name, when an address has a password in it, when a model of the owner's is not a model, or when the default, or
 * every model, is not allowed.
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
  const clients = new Clients(env);
  const circuits = new Circuits(options.circuitBreaker, options.onCircuitChange);
  const shared: SharedParts = { gate: new EndpointGate(), circuits, endpoints: new EndpointCalls(), callNamed };

  function findModel(name: string | undefined, among = served): ServedModel | undefined {
    const config = configOf(among, name);
    if (!config) return undefined;
    const prices = config.prices ?? pricesOf(options.prices, config.model);
    const baseUrl = config.baseUrl ?? env['OPENAI_BASE_URL'];
    return { ...config, baseUrl: baseUrl || undefined, prices };
  }

  function chainOf(name = served.defaultModel): string[] {
    const chain = fallbackChain(served.configs, name).map((each) => each.name);
    return chain.length === 0 ? [name] : chain;
  }

  /** @throws UnknownModelError, MissingKeyError */
  function resolveModel(
    name: string | undefined,
    use: 'call' | 'embed',
    among: ServedModels,
  ): Omit<ModelCall<never>, 'request'> {
    const config = findModel(name, among);
    const problem = nameProblem(among, config?.name ?? name, use);
    if (!config || problem !== undefined) throw new UnknownModelError(problem);
    return { config, ...clients.accessTo(config), shared };
  }

  async function callNamed(request: ChatRequest): Promise<ChatReply> {
    return makeChatCall({ request, ...resolveModel(request.model, 'call', served) });
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
    call: callNamed,
    // The model that the worker embeds with need not be among those that specs may name.
    embed: async (request) => makeEmbeddingCall({ request, ...resolveModel(request.model, 'embed', all) }),
  };
}
