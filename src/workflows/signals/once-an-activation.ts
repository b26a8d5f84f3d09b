/** Does work once, after all messages of an activation: the SDK delivers up to 10,000 at once, and has 5 s for them. */
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
