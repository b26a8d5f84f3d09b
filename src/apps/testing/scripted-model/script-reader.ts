import { fitsEntry } from './match';
import type { Script, ScriptedRequest, ScriptEntry } from './script';

interface Line {
  entry: ScriptEntry;
  left: number;
  firstUsedAt?: number;
}

/** Gives out a script's entries, each to the first request that it fits. */
export class ScriptReader {
  readonly #lines: Line[];
  readonly #choose: Extract<Script, (...given: never[]) => unknown> | undefined;
  #asked = 0;

  constructor(script: Script) {
    this.#choose = typeof script === 'function' ? script : undefined;
    this.#lines = (typeof script === 'function' ? [] : script).map((entry) => ({
      entry,
      left: entry.times === 'always' || entry.forMs !== undefined ? Infinity : (entry.times ?? 1),
    }));
  }

  next(request: ScriptedRequest): ScriptEntry | undefined {
    const entry = this.#take(request);
    if (!entry || !('reply' in entry) || typeof entry.reply !== 'function') return entry;
    const { reply } = entry as { reply: (request: ScriptedRequest) => unknown };
    return { ...entry, reply: reply(request) };
  }

  #take(request: ScriptedRequest): ScriptEntry | undefined {
    const index = this.#asked;
    this.#asked += 1;
    if (this.#choose) return this.#choose(request, index);
    for (const line of this.#lines) {
      if (line.left <= 0 || !fitsEntry(line.entry, request)) continue;
      const now = Date.now();
      line.firstUsedAt ??= now;
      if (line.entry.forMs !== undefined && now - line.firstUsedAt > line.entry.forMs) continue;
      line.left -= 1;
      return line.entry;
    }
    return undefined;
  }

  /** Returns entries that should have been used more often, with the `times` that are left. */
  findUnused(): ScriptEntry[] {
    return this.#lines
      .filter(({ entry, left }) => left > 0 && left !== Infinity && entry.times !== 'always')
      .map(({ entry, left }) => (entry.times === undefined ? entry : { ...entry, times: left }));
  }
}
