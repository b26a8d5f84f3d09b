const INTERRUPTED = 130;

/** `npm` and `npx` pass a terminal's Ctrl-C on to a process that has it already: one press arrives twice. */
const SAME_PRESS_MS = 500;

/** Calls `stop` at the first Ctrl-C or SIGTERM; a second one ends the process at once. Returns how to stop listening. */
export function onInterrupt(stop: () => void): () => void {
  let first: number | undefined;
  const listener = () => {
    if (first === undefined) {
      first = Date.now();
      stop();
    } else if (Date.now() - first > SAME_PRESS_MS) process.exit(INTERRUPTED);
  };
  process.on('SIGINT', listener);
  process.on('SIGTERM', listener);
  return () => {
    process.off('SIGINT', listener);
    process.off('SIGTERM', listener);
  };
}
