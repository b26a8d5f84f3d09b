/** A workflow that makes calls of which few fit into one workflow task, and notes which of them were looked at. */
import { remoteActivities } from '../../src/workflows/shared/activity-proxies';

/** What a call is given. To know how large it is, it is written as JSON. */
class Noted {
  isRead = false;

  constructor(private readonly length: number) {}

  toJSON(): object {
    this.isRead = true;
    return { text: 'x'.repeat(this.length) };
  }
}

/** How many of the calls were sized when all of them had been asked for, and in the end. */
export async function sizes(count: number, length: number): Promise<number[]> {
  const inputs = Array.from({ length: count }, () => new Noted(length));
  const read = (): number => inputs.filter(({ isRead }) => isRead).length;
  const { hasSearchAttributes } = remoteActivities({ startToCloseTimeout: '1m' });
  const calls = inputs.map((input) => hasSearchAttributes(input as never));
  const atFirst = read();
  await Promise.all(calls);
  return [atFirst, read()];
}
