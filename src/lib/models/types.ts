import type { JsonObject } from '../json/json';
import type { CallExtras } from '../contract/call-extras';
import type { TokenUsage } from '../contract/values';
import type { EndpointLimits } from './circuits/endpoint-limits';

/** US dollars per million tokens. */
export interface ModelPrices {
  inputPerMillion: number;
  outputPerMillion: number;
  /** The price of prompt tokens that the provider had in its cache. Default: `inputPerMillion`. */
  cachedInputPerMillion?: number;
}

/** The settings with which a model chooses its words. Default: those of its endpoint. */
export interface SamplingSettings {
  /** A number that makes replies repeatable, where the endpoint can. */
  seed?: number;
  /** The share of probability that tokens are taken from, 0 to 1. */
  topP?: number;
  /** Texts before which a reply ends. */
  stop?: string[];
  /** The effort with which a model thinks before it answers, such as `low`. */
  reasoningEffort?: string;
}

/** A model that a worker offers. Specs use `name`; `model` is the provider's name of the model. */
export interface ModelConfig extends SamplingSettings {
  name: string;
  /** Base URL of the endpoint. Default: `OPENAI_BASE_URL`, or that of the provider. */
  baseUrl?: string;
  /** The environment variable that contains the key. Default `OPENAI_API_KEY`. */
  apiKeyVariable?: string;
  model: string;
  /** Prices of its tokens; they take precedence over the worker's price table. */
  prices?: ModelPrices;
  /** Tokens of prompt and reply together. A prompt that is larger is refused before it is paid for. Default: not known. */
  contextWindow?: number;
  /** Name of the model that is asked while this one's circuit is open. It may have a fallback, too. Default: none. */
  fallback?: string;
  /**
   * The limits of this worker process's calls to the endpoint; of several models of one endpoint, each has its own.
   * Default: no limit.
   */
  endpointLimits?: EndpointLimits;
  /**
   * Whether replies are requested with `response_format: json_schema`. Default: until the endpoint refuses it. True:
   * always; a refusal is then an error. False: never; judges get the form in words.
   */
  structuredOutput?: boolean;
  /** Output tokens at most of a reply whose step sets no limit. False: no limit is sent. Default 16,384. */
  maxOutputTokens?: number | false;
  /**
   * Bytes of a reply at most, decompressed; of a streamed one, those of its text, its reasoning and its calls of tools. A larger
   * one is `Model.ReplyTooLarge`. Default 8,388,608 (8 MiB).
   */
  maxReplyBytes?: number;
  /** The field that carries the limit. Default: `max_completion_tokens`, until the endpoint refuses or ignores it. */
  limitField?: 'max_completion_tokens' | 'max_tokens';
  /** Whether the model takes pictures. False: specs that send it some are refused before a run. Default true. */
  images?: boolean;
  /** Whether the model takes files. False: specs that send it some are refused before a run. Default true. */
  files?: boolean;
  /**
   * Whether the endpoint takes messages of the role `system`; where not, they lead the first message of the user.
   * Default: until it refuses them.
   */
  systemRole?: boolean;
  /** Headers of each request. Their values are kept out of errors. */
  headers?: Readonly<Record<string, string>>;
  /** Query parameters of each request. Their values are kept out of errors. */
  query?: Readonly<Record<string, string>>;
  /** Fields of each request's body that this package does not know, such as `chat_template_kwargs`. It keeps its own. */
  extraBody?: JsonObject;
  /**
   * Replies are made in the background by the Responses API, and fetched by their id, so a call that is interrupted by
   * a crash is not paid for again. The provider stores them for a while (`store`). Takes precedence over `stream`.
   * Default false.
   */
  background?: boolean;
  /**
   * Streams replies, so that a lost connection is detected at once. Default: only those whose text is shown while it is
   * written (`stream` of a spec); false: not these either.
   */
  stream?: boolean;
}

/** A picture or a file that a message has beside its text: its bytes, or the https URL that the endpoint is to fetch. */
export type ModelAttachment = { kind: 'image' | 'file'; name?: string } & (
  { data: Uint8Array; mediaType: string; url?: undefined } | { url: string; mediaType?: string; data?: undefined }
);

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
  /** The pictures and files before the text; only for users. */
  attachments?: ModelAttachment[];
}

/** A function that a model may call. */
export interface ToolDescription {
  name: string;
  description: string;
  /** JSON Schema of an object. */
  parameters: JsonObject;
}

/** A turn after the messages of a call that was not the last. */
export type ChatTurn =
  | { role: 'assistant'; content: string; toolCalls?: ToolCall[] }
  | { role: 'tool'; toolCallId: string; content: string }
  | { role: 'user'; content: string };

/** The means by which a reply that is made in the background outlives the attempt that requested it. */
export interface BackgroundResponse {
  /** Id of the response that an earlier attempt requested. */
  id?: string;
  /** Takes the id as soon as there is one. */
  began(id: string): void;
  /**
   * Reports, when a call ends before its reply is there, whether a later attempt will fetch the reply. If not, it is cancelled.
   */
  isWanted(): Promise<boolean>;
}

/** The form of a reply: a JSON Schema and its name. */
export interface ReplySchema {
  name: string;
  schema: JsonObject;
  /** Whether strict structured output can take the schema. Default true. */
  strict?: boolean;
  /**
   * The text at the end of the messages for a model that the schema cannot be sent to. Default: they state the form
   * already.
   */
  words?: string;
}

export type SuggestedSetting = 'temperature' | 'seed';

export interface ChatRequest extends SamplingSettings {
  /** A configured model's name; none means the worker's default. */
  model?: string;
  messages: ChatMessage[];
  turns?: ChatTurn[];
  /** The tools that the model may call. Such calls are never made in the background. */
  tools?: ToolDescription[];
  /** Default `auto`; `none`: the model sees the tools, and may call none. */
  toolChoice?: 'none';
  temperature?: number;
  /**
   * The settings that are only suggested: `extraBody.temperature` of the model takes precedence, and an endpoint that refuses
   * one is asked without it.
   */
  suggested?: readonly SuggestedSetting[];
  /** Output tokens at most, as the caller sets it. Default: `maxOutputTokens` of the model. */
  maxTokens?: number;
  /** The tokens that the budget leaves: the output has no more, whatever its other limits. */
  tokensLeft?: number;
  /** US dollars that the output may cost at most; counts only where the model has a price. */
  maxUsd?: number;
  /** Asks for a reply of this JSON Schema: in its own `words`, if any, where the model has no structured output. */
  reply?: ReplySchema;
  /** Used where the model is called in the background. */
  background?: BackgroundResponse;
  /** The code that the reply to this very call carries: kept with a response in the background, for the attempt that reads it. */
  code?: string;
  /**
   * Takes each piece of the reply's text as it arrives, with the reasoning that some models put before it. Default: the
   * reply is streamed only if the model is configured so.
   */
  onText?: (piece: string) => void;
  timeoutMs: number;
  signal: AbortSignal;
}

export interface ChatReply {
  text: string;
  toolCalls?: ToolCall[];
  /** Whether the reply ended because it was too long (`finish_reason: length`). */
  cutOff: boolean;
  usage: TokenUsage;
  /** The model of the request was not asked: its fallback wrote the reply. */
  isByFallback?: true;
  warnings?: string[];
}

/** All models of a worker. */
export interface Models {
  /** Returns why a name cannot be used; undefined when it can. */
  problem(name: string | undefined): string | undefined;
  /** Returns whether the cost of a call of this name is known; none means the worker's default. */
  hasPrice(name: string | undefined): boolean;
  /** Returns why the model of a name takes no pictures, or no files; undefined if it does, or if that is not known. */
  refuses(kind: ModelAttachment['kind'], name: string | undefined): string | undefined;
  /** The code of a call that an earlier attempt began in the background: `call` may pick up its reply. */
  earlierCode?: string;
  /** Makes exactly one call: never retries. Throws vendor errors and `ModelReplyError`. */
  call(request: ChatRequest): Promise<ChatReply>;
}

/** A model's request: one call of a registered action. */
export interface ToolCall {
  /** Unique in its conversation; the result carries it, too. */
  id: string;
  name: string;
  /** JSON of an object, or the text of the model if it cannot be read as one. */
  arguments: string;
  /** Sent back unchanged, and never shown. */
  extras?: CallExtras;
}
