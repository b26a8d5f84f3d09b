import type { StreamedRole, StreamedText } from '../../loop/contract/streamed-text';
import { spokenSoFar } from '../../lib/models/habits/reply-content';
import type { StepInput } from '../protocol';
import { spreadInterval } from './heartbeat';

/** The age of the text that a reader sees. Each beat is a write, and an action that Temporal Cloud charges. */
const BEAT_MS = 1_000;
/** Short enough for a reader who waits, and long enough for more than one word. */
const FIRST_BEAT_MS = 250;

/** Characters that a heartbeat carries: far more than a model writes between two, and small enough to stay out of an external storage. */
export const SHOWN_CHARACTERS = 10_000;

export interface TextPlace {
  role: StreamedRole;
  iteration: number;
}

export function textPlace({ step, revision, iteration }: StepInput, isRevision: boolean): TextPlace {
  const isHint = 'mode' in step && step.mode === 'hint';
  if (revision?.advice || isHint) return { role: 'advice', iteration };
  if (revision?.strategy === 'targeted_edit') return { role: 'edits', iteration };
  return { role: isRevision ? 'revision' : 'draft', iteration };
}

function wholeCharacters(text: string, from: number): { from: number; text: string } {
  const start = /^[\uDC00-\uDFFF]/.test(text.slice(from, from + 1)) ? from + 1 : from;
  return { from: start, text: text.slice(start).replace(/[\uD800-\uDBFF]$/, '') };
}

/** The text of the one model call of an activity, as heartbeats carry it to its readers. */
export class LiveText {
  #raw = '';
  #shown = '';
  #begun = 0;
  #lastBeat: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly place: TextPlace,
    private readonly attempt: number,
    private readonly beat: () => void,
  ) {}

  /** Takes the next piece in, with the reasoning of the model, and sends it soon. */
  add(piece: string): void {
    this.#raw += piece;
    this.#timer ??= setTimeout(() => this.#send(), this.#pause());
  }

  details(): { stream: StreamedText } {
    const text = spokenSoFar(this.#raw);
    if (!text.startsWith(this.#shown)) this.#begun += 1;
    this.#shown = text;
    const take = `${this.attempt}.${this.#begun}`;
    return { stream: { take, ...this.place, ...wholeCharacters(text, Math.max(0, text.length - SHOWN_CHARACTERS)) } };
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #pause(): number {
    if (this.#lastBeat === undefined) return FIRST_BEAT_MS;
    return Math.max(0, this.#lastBeat + spreadInterval(BEAT_MS) - performance.now());
  }

  #send(): void {
    this.#timer = undefined;
    this.#lastBeat = performance.now();
    this.beat();
  }
}
