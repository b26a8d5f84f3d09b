import { ProcessorTime } from '../../testing/support/processor-time';

const SECOND = 1_000;

/** Does something that may take for ever, and says what came of it. It must take less than a second of a processor. */
export async function within<T>(work: () => Promise<T> | T): Promise<T | Error> {
  const time = new ProcessorTime();
  let result: T | Error;
  try {
    result = await work();
  } catch (error) {
    result = error as Error;
  }
  expect(time.ms).toBeLessThan(SECOND);
  return result;
}
