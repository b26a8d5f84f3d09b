import type { ToolCall } from '../../lib/models/types';
import type { Issue } from '../contract/evaluation';
import type { Trigger } from '../contract/results';
import type { CallRecord } from '../contract/calls';

/** An entry after a model call that was not the last: the model's turn, a result of its tools, or a review of the work. */
export type Turn =
  | { role: 'assistant'; content: string; toolCalls: ToolCall[] }
  | {
      role: 'tool';
      toolCallId: string;
      name: string;
      content: string;
      /** The result is the word of a person. */
      byPerson?: true;
      /** A repeated call in this step has this result, too: a person decided, or did not answer in time. */
      isFinal?: true;
    }
  | { role: 'review'; trigger: Trigger; issues: Issue[]; suggestions: string[] }
  /** A request for the next version, in a conversation that goes on. */
  | { role: 'request'; content: string };

export type ToolResult = Extract<Turn, { role: 'tool' }> & { failed: boolean; record?: CallRecord };

/** The reply of a model that an output was made of. A revision by the same model goes on from it. */
export interface ModelReply {
  text?: string;
  /** The turns before it: calls of tools, their results, findings of reviews, and those of earlier answers in a conversation. */
  turns?: Turn[];
  /** A person put their own output in its place, and the reply is the last of the turns. */
  replaced?: true;
}

export interface WrittenReply extends ModelReply {
  /** The name of the model; undefined for the worker's default. */
  model?: string;
  /** Revisions go on with the whole conversation. */
  isConversation?: true;
}

/** The maximum length of the text of a reply that is kept, in UTF-16 units. A longer one is not kept. */
export const REPLY_CHARACTERS = 64 * 1024;
