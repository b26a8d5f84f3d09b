import type * as own from './function-workflows';
import { type PluginWorld, startPluginWorld } from './plugin-world';

const PARTS: own.DeafPart[] = ['generate', 'evaluate', 'revise', 'onGeneration', 'onReflection', 'onRevision'];

describe('functions and hooks that wait for something of their own, which no cancellation reaches', () => {
  let world: PluginWorld;
  beforeAll(async () => {
    world = await startPluginWorld({});
  }, 60_000);
  afterAll(() => world?.close());

  const each = (how: 'time' | 'abort') =>
    Promise.all(
      PARTS.map(async (part) => ({ part, ...(await world.execute<typeof own.deafPart>('deafPart', part, how)) })),
    );

  test('end within 5 s of abort', async () => {
    for (const { part, reason, seconds } of await each('abort')) {
      expect({ part, reason }).toEqual({ part, reason: 'aborted' });
      expect(seconds).toBeLessThan(5);
    }
  }, 60_000);

  test('end within 5 s of the end of the time budget', async () => {
    for (const { part, reason, seconds } of await each('time')) {
      expect({ part, reason }).toEqual({ part, reason: 'time_budget' });
      expect(seconds).toBeLessThan(2 + 5);
    }
  }, 60_000);
});
