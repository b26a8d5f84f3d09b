/** A cache that forgets what was used longest ago once it is full. */
export class BoundedCache<Value> {
  private readonly entries = new Map<string, Value>();

  constructor(private readonly capacity: number) {}

  get size(): number {
    return this.entries.size;
  }

  /** The value of a key, if it is there. */
  get(key: string): Value | undefined {
    return this.entries.get(key);
  }

  /** The value of a key, made now if it is not there. What throws is not kept. */
  getOrMake(key: string, make: () => Value): Value {
    const known = this.entries.get(key);
    const value = known ?? make();
    // A Map remembers insertion order: putting an entry back makes it the youngest.
    this.entries.delete(key);
    this.entries.set(key, value);
    if (this.entries.size > this.capacity) this.entries.delete(this.entries.keys().next().value as string);
    return value;
  }
}
