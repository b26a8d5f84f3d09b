import type { TokenUsage } from '../contract/values';
import type { ChatMessage } from '../models/types';

/** A model call that begins. */
export interface ModelCall {
  /** The configured model's name; `other` for a name that only a spec knows, so that labels have few values. */
  model: string;
  /** The provider's name of the model. */
  providerModel: string;
  /** Present if vectors are requested instead of a chat reply; the messages are the texts. */
  operation?: 'embeddings';
  /** The activity that makes the call, such as `generate`, `revise`, `evaluate`, `repair`, `recallInsights`. */
  activity: string;
  attempt: number;
  namespace: string;
  workflowId: string;
  runId: string;
  /** The prompt. Use it only if the operator opted in; never for logs or metrics, and not for traces by default. */
  messages: readonly ChatMessage[];
  temperature?: number;
  maxTokens?: number;
}

/** How a model call ended. */
export interface ModelCallEnd {
  /** `ok`, `cut_off`, `cancelled`, or a failure's type without `Model.`. */
  outcome: string;
  ms: number;
  usage?: TokenUsage;
  /** The reply. The same restrictions as for `messages` apply. */
  text?: string;
}

/** Observes the model calls of a worker. It must not throw. */
export interface Instrumentation {
  /** Informs about a call that begins. Returns a function that is called when it has ended. */
  modelCall(call: ModelCall): (end: ModelCallEnd) => void;
}
