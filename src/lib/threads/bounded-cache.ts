interface CacheLimits<Value> {
  entries: number;
  /** All entries together, in the unit of `sizeOf`: a few large ones must not take the memory of the process. */
  size: number;
  sizeOf(value: Value, key: string): number;
}

/** A cache that forgets what was used longest ago once it is full. What is larger than the whole cache is not kept. */
export class BoundedCache<Value> {
  readonly #entries = new Map<string, { value: Value; size: number }>();
  #size = 0;

  constructor(private readonly limits: CacheLimits<Value>) {}

  get length(): number {
    return this.#entries.size;
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  /** Returns the value of a key, made now if it is not there. If making it throws, nothing is kept. */
  getOrMake(key: string, make: () => Value): Value {
    const known = this.#entries.get(key);
    const value = known ? known.value : make();
    const size = known?.size ?? this.limits.sizeOf(value, key);
    if (size > this.limits.size) return value;
    // A Map remembers insertion order: putting an entry back makes it the youngest.
    this.#forget(key);
    this.#entries.set(key, { value, size });
    this.#size += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.limits.entries && this.#size <= this.limits.size) break;
      this.#forget(oldest);
    }
    return value;
  }

  #forget(key: string): void {
    this.#size -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
  }
}
