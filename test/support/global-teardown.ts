/** Stops the server of the run, if it was ours. Jest takes what the module itself is. */
export = async function stopSharedServer(): Promise<void> {
  await globalThis.sharedTestServer?.stop();
};
