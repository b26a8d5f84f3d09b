/**
 * Does work for each item, in order, so many at a time. The first failure keeps further items from beginning, and is thrown at once.
 *
 * @param most at least 1
 */
export async function runConcurrently<Item>(
  items: Iterable<Item>,
  most: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = [...items];
  let next = 0;
  const takeTurns = async (): Promise<void> => {
    while (next < left.length) {
      const item = left[next]!;
      next += 1;
      try {
        await work(item);
      } catch (error) {
        next = left.length;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: most }, takeTurns));
}
