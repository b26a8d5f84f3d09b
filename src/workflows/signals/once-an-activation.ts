/**
 * Puts work off until all that came with an activation was taken, and does it once, however often it was asked for: the SDK
 * hands over up to 10,000 signals at once, and has 5 s for them.
 *
 * @returns asks for the work
 */
export function onceAnActivation(work: () => void): () => void {
  let isAsked = false;
  return () => {
    if (isAsked) return;
    isAsked = true;
    // Handlers are called one after the other before any promise of the workflow goes on.
    Promise.resolve().then(
      () => {
        isAsked = false;
        work();
      },
      () => undefined,
    );
  };
}
