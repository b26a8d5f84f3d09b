import { join } from 'node:path';
import { CheckPool } from '../../../src/lib/threads/offload';

const file = join(__dirname, 'operations.ts');
const question = (name: string, input: unknown = {}, milliseconds = 5_000) => ({
  file,
  name,
  input: JSON.stringify(input),
  milliseconds,
});

describe('threads for checks', () => {
  const pool = new CheckPool(1, 60_000);
  afterAll(async () => pool.endIdle());

  test('give results and failures, and say what processor time they took', async () => {
    const twice = await pool.ask(question('double', { value: 21 }));
    expect(JSON.parse(twice.output!)).toBe(42);
    expect((await pool.ask(question('nothing'))).output).toBeUndefined();
    expect(await pool.ask(question('fail', { message: 'no' }))).toMatchObject({
      failure: { name: 'Peculiar', message: 'no' },
    });
    const worked = await pool.ask(question('work', { milliseconds: 60 }));
    expect(worked.spentMs).toBeGreaterThan(5);
    expect(pool.threads).toBe(1);
  });

  test('what overruns is interrupted, and the thread goes on', async () => {
    const late = await pool.ask(question('backtrack', { letters: 40 }, 100));
    expect(late).toMatchObject({ isLate: true, failure: { name: 'TimeLimitExceeded' } });
    expect(await pool.ask(question('double', { value: 2 }))).toMatchObject({ output: '4' });
  });

  test('what takes too much memory ends its thread, and the next question has a new one', async () => {
    const small = new CheckPool(1, 60_000, 64);
    await expect(small.ask(question('fill', {}, 60_000))).rejects.toThrow(/took more than 64 MB of memory/);
    expect(await small.ask(question('double', { value: 3 }))).toMatchObject({ output: '6' });
    await small.endIdle();
  });

  test('the event loop turns meanwhile', async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 10);
    await pool.ask(question('work', { milliseconds: 500 }));
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });

  test('who waits no more is not served', async () => {
    const leaving = new AbortController();
    const first = pool.ask(question('work', { milliseconds: 200 }));
    const second = pool.ask(question('double', { value: 1 }), leaving.signal);
    const third = pool.ask(question('double', { value: 5 }));
    leaving.abort(new Error('gone'));
    await expect(second).rejects.toThrow('gone');
    await expect(pool.ask(question('double', { value: 1 }), leaving.signal)).rejects.toThrow('gone');
    expect(await first).toMatchObject({ output: '"done"' });
    expect(await third).toMatchObject({ output: '10' });
  });

  test('questions of two take turns', async () => {
    const order: string[] = [];
    const asks = async (who: string) => {
      for (let at = 0; at < 3; at++) {
        await pool.ask(question('work', { milliseconds: 10 }));
        order.push(who);
      }
    };
    await Promise.all([asks('a'), asks('b')]);
    expect(order).toEqual(['a', 'b', 'a', 'b', 'a', 'b']);
  });

  test('end when nobody asked for a while, and start again', async () => {
    const short = new CheckPool(2, 100);
    await Promise.all([1, 2].map(async (value) => short.ask(question('double', { value }))));
    expect(short.threads).toBe(2);
    for (let tries = 0; tries < 50 && short.threads > 0; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(short.threads).toBe(0);
    expect(await short.ask(question('double', { value: 8 }))).toMatchObject({ output: '16' });
    await short.endIdle();
    expect(short.threads).toBe(0);
  });
});
