import type * as Threads from 'node:worker_threads';

/** What the SDK expects of a thread that it ended. */
const TERMINATED = 1;
/** So many wait for the next worker. Few tests have more workers at once. */
const KEPT = 4;
/** After so many workers a thread is ended: the source maps of their bundles stay in its memory. */
const MOST_USES = 20;

/** Of the SDK. A thread that loses Node's own listeners as well hears no messages any more. */
function removeListeners(thread: Threads.Worker): void {
  for (const event of ['message', 'error', 'exit']) thread.removeAllListeners(event);
}

/**
 * `node:worker_threads` for the SDK's workflow threads, which the next worker of this process uses again. The SDK loads itself
 * into each new thread, and that is most of what it takes to start a worker. A kept thread has put away the context of its
 * worker, and makes a new one for the next.
 */
export function withKeptThreads(actual: typeof Threads): typeof Threads {
  const waiting: KeptThread[] = [];

  class KeptThread extends actual.Worker {
    uses = 1;

    /** The SDK calls it when the thread has put away what it had of its worker. */
    override async terminate(): Promise<number> {
      if (this.uses === MOST_USES || waiting.length === KEPT) return super.terminate();
      // To its worker it is gone.
      this.emit('exit', TERMINATED);
      removeListeners(this);
      this.once('exit', () => waiting.splice(waiting.indexOf(this), 1));
      this.unref();
      waiting.push(this);
      return TERMINATED;
    }
  }

  function reusedOrNew(file: string): KeptThread {
    const kept = waiting.pop();
    if (kept === undefined) return new KeptThread(file);
    kept.uses++;
    removeListeners(kept);
    kept.ref();
    return kept;
  }
  // The SDK gives nothing but the file, which is always the same.
  const construct = (_class: unknown, [file]: [string]): KeptThread => reusedOrNew(file);
  return { ...actual, Worker: new Proxy<typeof Threads.Worker>(KeptThread, { construct }) };
}
