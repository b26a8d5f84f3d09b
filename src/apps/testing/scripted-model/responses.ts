import type { Answer } from './answer';
import type { ServerHabits } from './habits';
import type { ScriptEntry } from './script';

type Status = 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled';

interface StoredResponse {
  answer: Answer;
  entry: ScriptEntry;
  /** Epoch milliseconds at which it is ready; never, for one that hangs. */
  readyAt: number;
  isCancelled: boolean;
  /** Questions that are answered with 503 first. */
  failPolls: number;
}

/** The responses that a scripted server makes in the background, by their ids. */
export class BackgroundResponses {
  readonly #made = new Map<string, StoredResponse>();

  /**
   * Begins a response; it is ready after the entry's delay.
   *
   * @param atOnce how it is answered at once, by a server that makes nothing in the background
   */
  begin(entry: ScriptEntry, answer: Answer, atOnce?: ServerHabits['responses']): { id: string; body: string } {
    const id = `resp_scripted_${this.#made.size + 1}`;
    const hangs = 'fault' in entry && entry.fault === 'hang';
    this.#made.set(id, {
      answer,
      entry,
      readyAt: hangs ? Infinity : Date.now() + (entry.delayMs ?? 0),
      isCancelled: false,
      failPolls: 'failPolls' in entry ? (entry.failPolls ?? 0) : 0,
    });
    if (!atOnce) return { id, body: this.#body(id, 'queued')! };
    const body = JSON.parse(this.#body(id, 'completed')!) as Record<string, unknown>;
    if (atOnce === 'without status') delete body['status'];
    return { id, body: JSON.stringify(body) };
  }

  /** Returns the response in its present state; undefined for an id that is not known, or that was forgotten. */
  get(id: string): { status: Status; body: string } | 'unavailable' | undefined {
    const made = this.#made.get(id);
    if (!made) return undefined;
    if (made.failPolls > 0) {
      made.failPolls -= 1;
      return 'unavailable';
    }
    return { status: statusOf(made), body: this.#body(id)! };
  }

  /** Cancels a response that is under way; one that has ended stays what it is. */
  cancel(id: string): string | undefined {
    const made = this.#made.get(id);
    if (!made) return undefined;
    if (statusOf(made) === 'in_progress') made.isCancelled = true;
    return this.#body(id);
  }

  /** Forgets all responses, like a provider after a while, or one that kept them in memory and was restarted. */
  forgetAll(): void {
    this.#made.clear();
  }

  #body(id: string, said?: Status): string | undefined {
    const made = this.#made.get(id);
    if (!made) return undefined;
    const { answer, entry } = made;
    const status = said ?? statusOf(made);
    const isOver = status === 'completed' || status === 'incomplete';
    const part =
      answer.refusal === null
        ? { type: 'output_text', text: answer.content ?? '', annotations: [] }
        : { type: 'refusal', refusal: answer.refusal };
    const message = { type: 'message', id: `msg_${id}`, role: 'assistant', status: 'completed', content: [part] };
    return JSON.stringify({
      id,
      object: 'response',
      created_at: 0,
      background: true,
      status,
      model: answer.model,
      error: status === 'failed' && 'failed' in entry ? entry.failed : null,
      incomplete_details:
        status === 'incomplete'
          ? { reason: answer.finishReason === 'content_filter' ? 'content_filter' : 'max_output_tokens' }
          : null,
      output: isOver ? [{ type: 'reasoning', id: `rs_${id}`, summary: [] }, message] : [],
      usage:
        isOver && answer.usage
          ? {
              input_tokens: answer.usage.prompt_tokens,
              output_tokens: answer.usage.completion_tokens,
              total_tokens: answer.usage.total_tokens,
            }
          : null,
    });
  }
}

function statusOf({ isCancelled, readyAt, entry, answer }: StoredResponse): Status {
  if (isCancelled) return 'cancelled';
  if (Date.now() < readyAt) return 'in_progress';
  if ('failed' in entry) return 'failed';
  return answer.finishReason === 'stop' ? 'completed' : 'incomplete';
}
