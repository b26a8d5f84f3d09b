import type { JsonObject } from '../../json/json';
import type { ModelAttachment, ModelPrices, ReplySchema, SamplingSettings, ToolDescription } from '../types';

/** A message that precedes the requested reply, in order. */
export type ModelMessage =
  | { role: 'system'; content: string }
  /** Pictures and files come before the text. */
  | { role: 'user'; content: string; attachments?: ModelAttachment[] }
  /** A model's reply; `toolCalls` are those that it requested in an earlier call of the same step, with the `extras` it gave them. */
  | {
      role: 'assistant';
      content: string;
      toolCalls?: { id: string; name: string; arguments: string; extras?: JsonObject }[];
    }
  /** The result of one of those calls. */
  | { role: 'tool'; toolCallId: string; toolName: string; content: string };

/** One call of a model of your own. */
export interface ModelRequest extends SamplingSettings {
  messages: ModelMessage[];
  /** Functions that the model may call. Default: none. */
  tools?: ToolDescription[];
  /** `none`: the model sees the tools, and may call none. Default `auto`. */
  toolChoice?: 'none';
  /** Default: the model's own. */
  temperature?: number;
  /** Tokens of the reply at most: the rest of the step's and its budgets' limits. Default: no limit. */
  maxTokens?: number;
  /**
   * The JSON Schema that the reply should follow, if the model can be held to one. It may be ignored: judges get the
   * form in words, too, and evaluators check outputs. Undefined if `structuredOutput` is false; then the form is always
   * requested in words.
   */
  responseSchema?: ReplySchema;
  /**
   * Receives the pieces of the reply's text as the model writes them, if the spec has `stream`; the reply still has the whole
   * text. Undefined if no reader follows the run.
   */
  onText?: (piece: string) => void;
  /** Milliseconds that the call may take. */
  timeoutMs: number;
  /**
   * Aborts when the time is over, when the run is cancelled, and when the worker shuts down. The worker does not wait for
   * a call that goes on after it, but the provider may charge for it: pass it on.
   */
  signal: AbortSignal;
}

/** Tokens of one call, as the provider counts them. */
export interface ModelUsage {
  promptTokens: number;
  completionTokens: number;
  /** Default: the sum of the two. */
  totalTokens?: number;
  /** The part of `promptTokens` that the provider had in its cache. */
  cachedTokens?: number;
  /** The part of `completionTokens` that the model thought with. */
  reasoningTokens?: number;
}

/** A reply of a model of your own. */
export interface ModelReply {
  /** The model's text, without its reasoning. Empty if it only calls tools, or was cut off. */
  text: string;
  /**
   * The calls that the model requests. `arguments` is JSON as the model wrote it, or the value itself. `extras` are kept, 128 KiB
   * at most, and given back with the call in later requests of the same step: what its provider wants back, such as signatures.
   */
  toolCalls?: { id?: string; name: string; arguments: unknown; extras?: Record<string, unknown> }[];
  /**
   * The reason why the reply ended: `length` if a limit of tokens cut it off, `content_filter` if the provider's filter
   * stopped it, `refusal` if the model refused (`text` has the reason), `error` if it broke off, which is tried again.
   * Default `stop`: it is whole. The words of providers are known, such as `MAX_TOKENS` and `SAFETY`; another word is a
   * warning.
   */
  finishReason?: 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'refusal' | 'error' | (string & {});
  /** The usage of the call. Default: unknown, so that tokens and price are estimated. */
  usage?: ModelUsage;
  /** Notes to the readers of the version on how the call was made: 10 at most, of 500 characters. */
  warnings?: string[];
}

/** Texts that are to become vectors. */
export interface ModelEmbeddingRequest {
  texts: readonly string[];
  /** Milliseconds that the call may take. */
  timeoutMs: number;
  /** Aborts as that of `ModelRequest` does. */
  signal: AbortSignal;
}

export interface ModelEmbeddingReply {
  /** One for each text, in their order, all of the same length. */
  vectors: number[][];
  usage?: Pick<ModelUsage, 'promptTokens'>;
}

interface Described {
  /** The name in specs. The first model of a worker that can be called is its default. */
  name: string;
  /** The provider's name of the model: for prices, metrics, and vectors of embeddings. Default: `name`. */
  model?: string;
  /** The provider of the model. Models of one provider wait together when it asks for it (Retry-After). Default: `name`. */
  provider?: string;
  /** Prices of its tokens; they take precedence over the worker's price table. */
  prices?: ModelPrices;
  /** Whether it takes a `responseSchema`. Default true. */
  structuredOutput?: boolean;
  /** Whether it takes pictures. False: specs that send it some are refused before a run. Default true. */
  images?: boolean;
  /** Whether it takes files. False: specs that send it some are refused before a run. Default true. */
  files?: boolean;
}

/** Makes exactly one call, without retries: the worker repeats calls that failed, and survives the waits. */
type Call = (request: ModelRequest) => Promise<ModelReply>;
type Embed = (request: ModelEmbeddingRequest) => Promise<ModelEmbeddingReply>;

/**
 * A model of your own: one that does not speak OpenAI's protocol, that runs in this process, or that another library
 * calls. `call` writes and judges; `embed` gives vectors (`embeddingModel` of the memory). A model has one of them, or
 * both.
 *
 * Prices, budgets, circuit breaker, deadlines, retries, metrics and traces apply as to any other model. What `call` and
 * `embed` throw decides what follows:
 *
 * - a `ModelCallError`: what its `type` says;
 * - an error with a `status` or `statusCode` of 400 to 599: what that status means. `headers` or `responseHeaders`
 *   (Retry-After) and a body in `error`, `data` or `responseBody` are read where they are there;
 * - an error of the connection (`ECONNRESET`, `fetch failed`): `Model.Unavailable`, tried again;
 * - anything else: a mistake in the code, `StepFailed`, not tried again.
 *
 * Values of environment variables that are named as secrets are (KEY, TOKEN, SECRET, PASSWORD) are taken out of errors.
 */
export type CustomModel = Described & ({ call: Call; embed?: Embed } | { call?: undefined; embed: Embed });
