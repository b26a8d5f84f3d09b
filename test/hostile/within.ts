const SECOND = 1_000;

/** Does something that may take for ever, and says what came of it. It must be over within a second by the clock. */
export async function within<T>(work: () => Promise<T> | T): Promise<T | Error> {
  const start = performance.now();
  let result: T | Error;
  try {
    result = await work();
  } catch (error) {
    result = error as Error;
  }
  expect(performance.now() - start).toBeLessThan(SECOND);
  return result;
}
