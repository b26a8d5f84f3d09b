import type { StepLanguage } from '../languages';
import type { Interpreter } from './interpreter';

const POOL_SIZE = 2;

const IDLE_MS = 5 * 60_000;

interface Shelf {
  waiting: Interpreter[];
  filling?: Promise<void> | undefined;
  idle?: NodeJS.Timeout;
}

/** Keeps interpreters ready: loading one takes much longer than most code. Each is used once. */
export class Pool {
  readonly #shelves = new Map<StepLanguage, Shelf>();
  #closed = false;

  constructor(
    private readonly start: (language: StepLanguage) => Promise<Interpreter>,
    private readonly size = POOL_SIZE,
  ) {}

  /** Takes an interpreter that is loaded; it has to be used or killed. */
  async take(language: StepLanguage): Promise<{ interpreter: Interpreter; warm: boolean }> {
    const shelf = this.#shelfOf(language);
    clearTimeout(shelf.idle);
    shelf.idle = setTimeout(() => void clearShelf(shelf), IDLE_MS).unref();
    for (let ready = shelf.waiting.shift(); ready; ready = shelf.waiting.shift()) {
      if (ready.alive) return { interpreter: ready, warm: true };
    }
    return { interpreter: await this.start(language), warm: false };
  }

  ready(language: StepLanguage): number {
    return this.#shelfOf(language).waiting.filter((interpreter) => interpreter.alive).length;
  }

  /** Resolves when as many processes are ready as the pool may have. */
  async fill(language: StepLanguage): Promise<void> {
    const shelf = this.#shelfOf(language);
    shelf.filling ??= this.#load(language, shelf).finally(() => (shelf.filling = undefined));
    await shelf.filling;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#shelves.values()].map((shelf) => clearShelf(shelf)));
  }

  #shelfOf(language: StepLanguage): Shelf {
    const shelf = this.#shelves.get(language) ?? { waiting: [] };
    this.#shelves.set(language, shelf);
    return shelf;
  }

  /** Loads one interpreter after the other, so that filling does not take the processor from code that runs. */
  async #load(language: StepLanguage, shelf: Shelf): Promise<void> {
    try {
      while (!this.#closed && shelf.waiting.length < this.size) {
        const interpreter = await this.start(language);
        if (this.#closed) await interpreter.end();
        else shelf.waiting.push(interpreter);
      }
    } catch {
      // The next call that needs one starts it, and gets the error.
    }
  }
}

async function clearShelf(shelf: Shelf): Promise<void> {
  clearTimeout(shelf.idle);
  await Promise.all(shelf.waiting.splice(0).map((interpreter) => interpreter.end()));
}
