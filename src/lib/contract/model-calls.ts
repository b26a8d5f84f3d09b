import type { Json } from '../json/json';
import type { TokenUsage } from './values';

export interface SentMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  text: string;
  /** The pictures and files beside the text, by kind, name and type. */
  attachments?: string[];
  toolCalls?: CalledTool[];
}

export interface CalledTool {
  name: string;
  /** JSON, as the model wrote it. */
  arguments: string;
}

export interface OfferedTool {
  name: string;
  description?: string;
  /** JSON Schema. */
  parameters?: Json;
}

/** The content of a model call's request, as the package passed it to its model layer. */
export interface SentPrompt {
  /** The name that the call requested. Undefined: the worker's default. */
  model?: string;
  messages: SentMessage[];
  tools?: OfferedTool[];
  /** The JSON Schema of the reply that was requested. */
  form?: Json;
  /** Temperature, seed and other settings that the call named. */
  settings?: Record<string, Json>;
}

export interface ReceivedReply {
  text: string;
  toolCalls?: CalledTool[];
  /** Set if the reply ended at its token limit. */
  cutOff?: true;
}

interface CallFailure {
  type: string;
  message: string;
}

/** One model call of a run: its prompt and its reply. */
export interface ModelCall {
  /** The number of the call in the run, from 1. */
  number: number;
  /** The name of the activity: `generate`, `revise`, `evaluate`, `repair` or `reflectAgent`. */
  activity: string;
  /** The words of the Web UI's timeline. */
  title: string;
  /** The version that the call worked for; undefined for a call that belongs to none. */
  iteration?: number;
  /** `kept`: as it was sent; `rendered`: written again from the history; `none`: it cannot be known. */
  source: 'kept' | 'rendered' | 'none';
  /** The limits of the entry, such as why there is no prompt. */
  note?: string;
  prompt?: SentPrompt;
  /** The reply as the model wrote it; undefined where it was not kept, or has not come yet. */
  reply?: ReceivedReply;
  /** The content that the package read in the reply, for a reply that was not kept: an output or a verdict. */
  result?: Json;
  failure?: CallFailure;
  /** The failure of the attempt before the last one. */
  failureBefore?: CallFailure;
  /** The number of the last attempt, from 1; undefined for a call that waits or runs. */
  attempt?: number;
  /** ISO 8601. */
  startedAt?: string;
  /** Milliseconds of the call; where only its activity is known, of that. */
  ms?: number;
  tokenUsage?: TokenUsage;
}
