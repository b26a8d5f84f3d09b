import type { ScriptEntry } from './script';

interface Line {
  entry: ScriptEntry;
  left: number;
  firstUsedAt?: number;
}

/** Hands out a script's entries, each to the first request that it fits. */
export class ScriptReader {
  readonly #lines: Line[];

  constructor(script: readonly ScriptEntry[]) {
    this.#lines = script.map((entry) => ({
      entry,
      left: entry.times === 'always' || entry.forMs !== undefined ? Infinity : (entry.times ?? 1),
    }));
  }

  /** The entry for a request's JSON text; undefined when the script has none left for it. */
  next(text: string): ScriptEntry | undefined {
    for (const line of this.#lines) {
      if (line.left <= 0 || (line.entry.match !== undefined && !new RegExp(line.entry.match, 's').test(text))) continue;
      const now = Date.now();
      line.firstUsedAt ??= now;
      if (line.entry.forMs !== undefined && now - line.firstUsedAt > line.entry.forMs) continue;
      line.left -= 1;
      return line.entry;
    }
    return undefined;
  }

  /** Entries that were never used and should have been. */
  unused(): ScriptEntry[] {
    return this.#lines.filter(({ entry, left }) => left > 0 && left !== Infinity && entry.times !== 'always').map(({ entry }) => entry);
  }
}
