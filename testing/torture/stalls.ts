/** A time in which a process got nothing done. Epoch milliseconds. */
export interface Stall {
  at: number;
  until: number;
}

/** Shorter ones are ordinary on a busy machine. */
export const SHORTEST_STALL_MS = 1_000;

const TICK_MS = 200;

/** Tells when the event loop of this process stood still, because it was busy or because others had the machine. */
export function watchStalls(onStall: (stall: Stall) => void): () => void {
  let last = Date.now();
  const timer = setInterval(() => {
    const now = Date.now();
    if (now - last - TICK_MS >= SHORTEST_STALL_MS) onStall({ at: last, until: now });
    last = now;
  }, TICK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
