import { setTimeout as sleep } from 'node:timers/promises';
import { notifyIfSlow } from '../../../../src/apps/cli/support/notify-if-slow';

test('who waits for an answer is told once what for, and gets the answer or its failure all the same', async () => {
  const say = jest.fn();
  expect(await notifyIfSlow(sleep(100, 'late'), say, 10)).toBe('late');
  await expect(
    notifyIfSlow(
      sleep(100).then(() => Promise.reject(new Error('no'))),
      say,
      10,
    ),
  ).rejects.toThrow('no');
  expect(say).toHaveBeenCalledTimes(2);
});

test('an answer that comes in time says nothing, also later', async () => {
  const say = jest.fn();
  expect(await notifyIfSlow(Promise.resolve(1), say, 10)).toBe(1);
  await sleep(50);
  expect(say).not.toHaveBeenCalled();
});
