import { shortestTime } from '../../testing/support/measure-again';
import type * as own from './function-workflows';
import { type PluginWorld, startPluginWorld } from './plugin-world';

const PARTS: own.DeafPart[] = ['generate', 'evaluate', 'revise', 'onGeneration', 'onReflection', 'onRevision'];

describe('functions and hooks that wait for something of their own, which no cancellation reaches', () => {
  let world: PluginWorld;
  beforeAll(async () => {
    world = await startPluginWorld({});
  }, 60_000);
  afterAll(() => world?.close());

  /** The milliseconds that the slowest of them takes. */
  const slowest = async (how: 'time' | 'abort', expected: string): Promise<number> => {
    const ends = await Promise.all(
      PARTS.map(async (part) => ({ part, ...(await world.execute<typeof own.deafPart>('deafPart', part, how)) })),
    );
    expect(ends.map(({ part, reason }) => [part, reason])).toEqual(PARTS.map((part) => [part, expected]));
    return Math.max(...ends.map(({ seconds }) => seconds)) * 1_000;
  };

  test('end within 5 s of abort', async () => {
    expect(await shortestTime(5_000, () => slowest('abort', 'aborted'))).toBeLessThan(5_000);
  }, 120_000);

  test('end within 5 s of the end of the time budget', async () => {
    const most = 2_000 + 5_000;
    expect(await shortestTime(most, () => slowest('time', 'time_budget'))).toBeLessThan(most);
  }, 120_000);
});
