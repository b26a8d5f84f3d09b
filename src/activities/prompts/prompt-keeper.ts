import { Context } from '@temporalio/activity';
import type { CalledTool, ReceivedReply } from '../../lib/contract/model-calls';
import { omitUndefined } from '../../lib/base/defined';
import { messageOf } from '../../lib/base/message-of';
import type { ChatReply, ChatRequest, Models } from '../../lib/models/types';
import { redact } from '../../lib/redact';
import { atMost } from '../../lib/timeout';
import { type KeptCall, type KeptValues, keepCalls } from './kept-record';
import { type Cleaner, cleanerOf, sentPrompt } from './sent-prompt';

/** Calls of one activity that are kept: ours make one, and code of the worker's owner may make more. */
const MOST_CALLS = 10;
/** The time that there is for keeping: a call was paid for, and its result does not wait longer. */
const KEEP_MS = 3_000;

export interface PromptStorage extends KeptValues {
  /** The name of the model that answers calls that name none. */
  defaultModel: string;
}

interface AnsweredCall {
  request: ChatRequest;
  reply: ChatReply;
  startedAt: string;
  ms: number;
}

export class PromptKeeper {
  readonly #calls: AnsweredCall[] = [];

  constructor(private readonly storage: PromptStorage) {}

  watch(models: Models): Models {
    return {
      ...models,
      call: async (request) => {
        const startedAt = new Date().toISOString();
        const began = performance.now();
        const reply = await models.call(request);
        const ms = Math.round(performance.now() - began);
        if (this.#calls.length < MOST_CALLS) this.#calls.push({ request, reply, startedAt, ms });
        return reply;
      },
    };
  }

  /** Keeps the calls, and returns the address of their record; undefined if there is none. A failure is logged, and no more. */
  async keep(): Promise<string | undefined> {
    if (this.#calls.length === 0) return undefined;
    const { info, log } = Context.current();
    try {
      const kept = this.#calls.map((call) => this.#keptCall(call, info.attempt));
      return await atMost(KEEP_MS, keepCalls(kept, this.storage), () => {
        throw new Error(`the storage did not take them within ${KEEP_MS} ms`);
      });
    } catch (error) {
      log.warn(`The prompts of a call were not kept: ${redact(messageOf(error))}`);
      return undefined;
    }
  }

  #keptCall({ request, reply, startedAt, ms }: AnsweredCall, attempt: number): KeptCall {
    const { model = this.storage.defaultModel, ...prompt } = sentPrompt(request);
    const note = reply.isByFallback ? { note: 'The reply is by the fallback of the model.' } : {};
    return {
      prompt: { model, ...prompt },
      reply: receivedReply(reply, cleanerOf(request)),
      attempt,
      startedAt,
      ms,
      tokenUsage: reply.usage,
      ...note,
    };
  }
}

function receivedReply({ text, toolCalls, cutOff }: ChatReply, clean: Cleaner): ReceivedReply {
  const called = toolCalls?.map((call): CalledTool => ({ name: clean(call.name), arguments: clean(call.arguments) }));
  return omitUndefined({ text: clean(text), toolCalls: called, cutOff: cutOff ? (true as const) : undefined });
}
