import type { TokenUsage } from '../domain/base/tokens';
import type { ChatMessage } from '../models/types';

/** A model call that begins. */
export interface ModelCall {
  /** The configured model's name; `other` for a name that only a spec knows: labels must be few. */
  model: string;
  /** What the provider is asked for. */
  providerModel: string;
  /** Present: no chat, but vectors that were asked for; the messages are the texts. */
  operation?: 'embeddings';
  /** Such as `generate`, `revise`, `evaluate`, `repair`, `recallInsights`. */
  activity: string;
  attempt: number;
  namespace: string;
  workflowId: string;
  runId: string;
  /** What is sent. For those who opted in only: never for logs, metrics, or traces by default. */
  messages: readonly ChatMessage[];
  temperature?: number;
  maxTokens?: number;
}

/** How it ended. */
export interface ModelCallEnd {
  /** `ok`, `cut_off`, `cancelled`, or a failure's type without `Model.`. */
  outcome: string;
  ms: number;
  usage?: TokenUsage;
  /** What came back. As with `messages`. */
  text?: string;
}

/** Watches the model calls of a worker. It must not throw. */
export interface Instrumentation {
  /** Called when a call begins; gives what is called when it has ended. */
  modelCall(call: ModelCall): (end: ModelCallEnd) => void;
}
