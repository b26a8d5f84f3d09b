import type { JsonObject } from '../domain/json';
import type { TokenUsage } from '../domain/tokens';

/** US dollars for a million tokens. */
export interface ModelPrices {
  inputPerMillion: number;
  outputPerMillion: number;
}

/** A model that a worker offers. `name` is what specs say; `model` is what the provider is asked for. */
export interface ModelConfig {
  name: string;
  /** Default: `OPENAI_BASE_URL`, else the provider's own. */
  baseUrl?: string;
  /** The environment variable that holds the key. Default `OPENAI_API_KEY`. */
  apiKeyVariable?: string;
  model: string;
  /** What its tokens cost; wins over the worker's price table. */
  prices?: ModelPrices;
  contextWindow?: number;
  /** Default true: the endpoint understands `response_format: json_schema`. */
  structuredOutput?: boolean;
  /** Default false. Streamed calls notice at once that a connection was cut. */
  stream?: boolean;
}

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** One model call. */
export interface ChatRequest {
  /** A configured model's name; none means the worker's default. */
  model?: string;
  messages: ChatMessage[];
  temperature?: number;
  maxTokens?: number;
  /** Asks for a reply of this JSON Schema; ignored where the model has no structured output. */
  reply?: { name: string; schema: JsonObject };
  timeoutMs: number;
  signal: AbortSignal;
}

export interface ChatReply {
  text: string;
  /** True when the reply ended because it was too long (`finish_reason: length`). */
  cutOff: boolean;
  usage: TokenUsage;
}

/** All models of a worker. */
export interface Models {
  /** A message that says why a name cannot be used, or undefined when it can. */
  problem(name: string | undefined): string | undefined;
  /** Whether what a call of this name costs can be told; none means the worker's default. */
  hasPrice(name: string | undefined): boolean;
  /** Makes exactly one call: never retries. Throws vendor errors and `ModelReplyError`. */
  call(request: ChatRequest): Promise<ChatReply>;
}
