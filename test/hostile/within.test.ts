import { expectWithin } from '../../testing/support/processor-time';
import { within } from './within';

/** Keeps the processor busy for so many milliseconds of its time. */
function burn(ms: number): void {
  const before = process.cpuUsage();
  for (;;) {
    const { user, system } = process.cpuUsage(before);
    if ((user + system) / 1_000 > ms) return;
  }
}

describe('a limit of processor time', () => {
  test.each([
    ['is met at once', [0], 1],
    ['is exceeded once, as by garbage collection', [120, 0], 2],
    ['is exceeded twice', [120, 120, 0], 3],
  ])('that %s holds, and the work is done no more often than needed', async (_what, tries, wanted) => {
    let done = 0;
    const work = () => {
      burn(tries[done]!);
      return ++done;
    };
    expect(await expectWithin(100, work)).toBe(wanted);
  });

  test('that is exceeded each time fails', async () => {
    let done = 0;
    const work = () => {
      done += 1;
      burn(60);
    };
    await expect(expectWithin(50, work)).rejects.toThrow('and must take less than 50 ms');
    expect(done).toBe(3);
  });

  test('lets the failure of the work through', async () => {
    const fail = () => Promise.reject(new Error('mine'));
    await expect(expectWithin(1_000, fail)).rejects.toThrow('mine');
    expect(await within(fail)).toEqual(new Error('mine'));
  });
});
