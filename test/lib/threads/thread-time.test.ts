import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { threadMilliseconds } from '../../../src/lib/threads/thread-time';

const millisecondsOfAll = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

describe('the time of a thread', () => {
  test('grows while the thread works', () => {
    const before = threadMilliseconds();
    const end = process.cpuUsage().user + 60_000;
    while (process.cpuUsage().user < end) Math.sqrt(2);
    expect(threadMilliseconds() - before).toBeGreaterThan(10);
  });

  test('other threads of the process take nothing of it, where the system tells them apart', async () => {
    const [mine, all] = [threadMilliseconds(), millisecondsOfAll()];
    const worker = new Worker(
      'const end = process.cpuUsage().user + 300_000; while (process.cpuUsage().user < end) Math.sqrt(2);',
      { eval: true },
    );
    await once(worker, 'exit');
    expect(millisecondsOfAll() - all).toBeGreaterThan(250);
    expect(threadMilliseconds() - mine).toBeLessThan(process.platform === 'linux' ? 150 : Infinity);
  });
});
