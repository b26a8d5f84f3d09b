import { AnswerTooLarge } from './errors';
import { atMost } from '../timeout';

/** Looks at the pieces of a body. `take` returns the bytes to pass on now; it throws when they are too many. */
interface Bounds {
  take(piece: Uint8Array): Uint8Array;
  /** Returns the remaining bytes at the end. */
  rest(): Uint8Array;
}

const NOTHING = new Uint8Array();
const [LF, CR, COLON, BRACE, BRACKET] = Buffer.from('\n\r:{[');

/** Bytes of a body for each object, list or field in it. Short of it a few megabytes become hundreds once they are read as JSON. */
const BYTES_A_PART = 16;

function beginsPart(byte: number | undefined): boolean {
  return byte === COLON || byte === BRACE || byte === BRACKET;
}

function assertFewParts(parts: number, most: number, what: string, bytes: number): void {
  const mostParts = Math.floor(most / BYTES_A_PART);
  if (parts > mostParts) throw new AnswerTooLarge(`${what} more than ${mostParts} parts`, bytes);
}

class WholeBounds implements Bounds {
  #bytes = 0;
  #parts = 0;

  constructor(private readonly most: number) {}

  take(piece: Uint8Array): Uint8Array {
    this.#bytes += piece.length;
    if (this.#bytes > this.most) throw new AnswerTooLarge(`has more than ${this.most} bytes`, this.most);
    for (let at = 0; at < piece.length; at += 1) if (beginsPart(piece[at])) this.#parts += 1;
    assertFewParts(this.#parts, this.most, 'has', this.#bytes);
    return piece;
  }

  rest(): Uint8Array {
    return NOTHING;
  }
}

/** The factor by which an event stream may be larger than one event: each token is in a separate event. */
const EVENTS = 16;

/** Lines are passed on whole: readers that look for a line's end from its beginning do not do so with each piece. */
class StreamBounds implements Bounds {
  #bytes = 0;
  #eventBytes = 0;
  #eventParts = 0;
  #lineBytes = 0;
  #last: number | undefined;
  #held: Uint8Array[] = [];

  constructor(private readonly most: number) {}

  take(piece: Uint8Array): Uint8Array {
    this.#bytes += piece.length;
    const mostOfAll = this.most * EVENTS;
    if (this.#bytes > mostOfAll) throw new AnswerTooLarge(`streams more than ${mostOfAll} bytes`, this.most);
    let end = 0;
    for (let at = 0; at < piece.length; at += 1) {
      const byte = piece[at];
      if (byte === LF || byte === CR) {
        // CR and LF are one end of a line.
        if (this.#lineBytes === 0 && !(byte === LF && this.#last === CR)) {
          assertFewParts(this.#eventParts, this.most, 'has an event of', this.most);
          this.#eventBytes = 0;
          this.#eventParts = 0;
        }
        this.#lineBytes = 0;
        end = at + 1;
      } else {
        this.#lineBytes += 1;
        this.#eventBytes += 1;
        if (beginsPart(byte)) this.#eventParts += 1;
      }
      this.#last = byte;
    }
    if (this.#eventBytes > this.most)
      throw new AnswerTooLarge(`has an event of more than ${this.most} bytes`, this.most);
    assertFewParts(this.#eventParts, this.most, 'has an event of', this.most);
    if (end === 0) {
      this.#held.push(piece);
      return NOTHING;
    }
    const whole =
      this.#held.length === 0 ? piece.subarray(0, end) : Buffer.concat([...this.#held, piece.subarray(0, end)]);
    this.#held = end < piece.length ? [piece.subarray(end)] : [];
    return whole;
  }

  rest(): Uint8Array {
    return Buffer.concat(this.#held);
  }
}

/**
 * A body that ends with `AnswerTooLarge` if it is larger than is allowed. Its source is then cancelled. At no time is more of it
 * in memory than `most`.
 * @param most bytes; of an event stream, those of one event
 */
export function boundedBody(
  body: ReadableStream<Uint8Array>,
  most: number,
  isEventStream: boolean,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const bounds = isEventStream ? new StreamBounds(most) : new WholeBounds(most);
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) {
          const rest = bounds.rest();
          if (rest.length > 0) controller.enqueue(rest);
          controller.close();
          return;
        }
        try {
          const piece = bounds.take(value);
          if (piece.length === 0) continue;
          controller.enqueue(piece);
          return;
        } catch (error) {
          void reader.cancel(error).catch(() => undefined);
          throw error;
        }
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** The bytes of an error's body that are kept: errors state their subject first. */
const ERROR_BYTES = 256 * 1024;
/** Milliseconds that the body of an error gets: its status says what it is without it. */
const ERROR_MS = 10_000;

/** Repairs the body of an error that was cut, as JSON if it began as such: readers need its message. */
function readableAgain(text: string): string {
  if (!/^\s*\{/.test(text)) return text;
  const found = ['message', 'code', 'type'].map((name) => {
    const written = new RegExp(`"${name}"\\s*:\\s*"((?:[^"\\\\]|\\\\.){0,2000})`).exec(text)?.[1];
    return [name, written?.replaceAll(/\\n/g, '\n').replaceAll(/\\(["\\/])/g, '$1')] as const;
  });
  return JSON.stringify({ error: Object.fromEntries(found.filter(([, written]) => written !== undefined)) });
}

/** Returns the beginning of the body of an error, as far as it arrives. */
export async function readErrorText(body: ReadableStream<Uint8Array> | null): Promise<string> {
  if (!body) return '';
  const reader = body.getReader();
  const pieces: Uint8Array[] = [];
  let left = ERROR_BYTES;
  const readPieces = async (): Promise<void> => {
    while (left > 0) {
      const { done, value } = await reader.read();
      if (done) return;
      pieces.push(value.subarray(0, left));
      left -= value.length;
    }
  };
  // What cannot be read to its end still has its status.
  await atMost(ERROR_MS, readPieces()).catch(() => undefined);
  void reader.cancel().catch(() => undefined);
  const text = Buffer.concat(pieces).toString('utf8');
  return left > 0 ? text : readableAgain(text);
}
