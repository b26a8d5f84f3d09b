const FIRST_BYTES = 4_096;

/**
 * Bytes that arrive in pieces, in one piece of memory: a piece of one byte would take a hundred times as much as a
 * separate object.
 */
export class ReceivedBytes {
  #bytes = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(chunk: Buffer): void {
    const needed = this.#length + chunk.length;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, needed, this.#bytes.length * 2));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    chunk.copy(this.#bytes, this.#length);
    this.#length = needed;
  }

  /** Returns all bytes that arrived, as text, and empties the buffer. */
  take(): string {
    const text = this.#bytes.toString('utf8', 0, this.#length);
    this.clear();
    return text;
  }

  clear(): void {
    this.#bytes = Buffer.alloc(0);
    this.#length = 0;
  }
}
