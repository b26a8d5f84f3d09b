/** Numbers that look random and are the same for the same seed. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to 1, which it never is (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number, both ends included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.between(0, choices.length - 1)]!;
  }

  shuffled<T>(values: readonly T[]): T[] {
    const result = [...values];
    for (let last = result.length - 1; last > 0; last -= 1) {
      const other = this.between(0, last);
      [result[last], result[other]] = [result[other]!, result[last]!];
    }
    return result;
  }

  /** Another sequence, which does not depend on how far this one was read. */
  static of(seed: number, ...parts: number[]): Random {
    return new Random(parts.reduce((mixed, part) => Math.imul(mixed ^ (part + 0x9e3779b9), 0x85ebca6b), seed | 0));
  }
}
