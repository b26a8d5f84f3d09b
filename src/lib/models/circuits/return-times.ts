const LONGEST_MS = 275_000;

/** A short outage: no call waits longer than half of it so far. In longer ones attempts are saved. */
const SHORT_MS = 20_000;

/** Parts of the wait by which a call may return early: `first` keeps a distance while there are few times yet. */
const EARLY = { first: 0.6, later: 0.9, few: 0.98 };

/** The number of waiting calls up to which each returns at its own time: one that returns earlier would use up attempts. */
const FEW = 4;

/** The number of waiting calls above which each returns at a random time: they are dense enough. */
const MANY = 1_000;

interface Outage {
  /** Milliseconds since its first failure. */
  sinceMs: number;
  /** Milliseconds until the circuit lets a call through. */
  closedForMs: number;
  openMs: number;
}

/**
 * The times at which calls return that wait for an open circuit: later and later, as an outage goes on, up to five
 * minutes, and apart from one another, so that a trial call can be made at any time and not all return at once. A call
 * uses about twenty attempts up in an hour.
 */
export class ReturnTimes {
  /** The times at which waiting calls return, in order. */
  #expected: number[] = [];

  constructor(private readonly random: () => number = Math.random) {}

  /** The milliseconds after which a call returns, at `now` milliseconds of a clock. */
  next(now: number, { sinceMs, closedForMs, openMs }: Outage): number {
    const longest = Math.max(LONGEST_MS, openMs);
    const growth = sinceMs < SHORT_MS ? 0.5 : 2;
    const wait = Math.min(Math.max(growth * (sinceMs - openMs), openMs), longest);
    const passed = this.#expected.findIndex((time) => time > now);
    this.#expected.splice(0, passed === -1 ? this.#expected.length : passed);
    const isFirst = wait < longest / 2;
    const early = this.#expected.length === 0 ? EARLY.few : isFirst ? EARLY.first : this.#early();
    const from = now + Math.max(wait * early, closedForMs);
    const to = Math.max(now + wait, from + openMs / 4);
    const time = this.#apart(from, to);
    this.#expected.splice(this.#placeOf(time), 0, time);
    return time - now;
  }

  #early(): number {
    return this.#expected.length < FEW ? EARLY.few : EARLY.later;
  }

  /** Forgets the waiting calls: the outage is over. */
  clear(): void {
    this.#expected = [];
  }

  #placeOf(time: number): number {
    let [low, high] = [0, this.#expected.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#expected[middle]! < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #apart(from: number, to: number): number {
    const [first, last] = [this.#placeOf(from), this.#placeOf(to)];
    if (last - first > MANY || this.#expected.length === 0) return from + this.random() * (to - from);
    let best = { time: from, distance: -1 };
    for (let at = first; at <= last; at += 1) {
      const before = this.#expected[at - 1] ?? -Infinity;
      const after = this.#expected[at] ?? Infinity;
      // With no call before or after, the end is as good as any.
      const middle = before === -Infinity ? from : after === Infinity ? to : (before + after) / 2;
      const time = Math.min(Math.max(middle, from), to);
      const distance = Math.min(time - before, after - time);
      if (distance > best.distance) best = { time, distance };
    }
    return best.time;
  }
}
