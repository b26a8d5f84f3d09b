import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import { runConcurrently } from '../../src/lib/base/concurrently';
import type { Json } from '../../src/lib/json/json';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { ACTIONS } from '../../testing/limits/work';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';
import { ODD_TEXTS, oddText, textFields } from '../../testing/support/odd-texts';

const RUNS = 600;
/** A run may wait: for a person, for what happens to a population, for a workflow that nobody has. */
const WAITED_MS = 2_500;

describe('texts that a protocol stumbles over, in every field of every shape', () => {
  let world: LoopWorld;
  let openai: ScriptedOpenAI;
  beforeAll(async () => {
    openai = await ScriptedOpenAI.start({ script: () => ({ reply: 'A text \ud83d with half a character.' }) });
    const models = [{ name: 'any', model: 'any', baseUrl: openai.baseUrl }];
    world = await startWorld({ actions: ACTIONS, models });
  });
  afterAll(async () => {
    await world?.close();
    await openai?.close();
  });

  const good = {
    generator: { action: 'makes' },
    evaluator: { type: 'function' as const, action: 'judges', with: { passes: true } },
  };

  /** Starts a run as clients of other languages do, and waits for its end for a while. */
  async function play(type: string, argument: Json): Promise<string> {
    const { client } = world;
    const workflowId = `odd-${randomUUID()}`;
    const how = { workflowId, taskQueue: client.taskQueue, args: [argument] };
    const handle = await client.temporal.workflow.start(type, how);
    const end = handle.result().then(
      () => 'completed',
      (error: { cause?: { type?: string } }) => error.cause?.type ?? 'failed',
    );
    const said = await Promise.race([end, sleep(WAITED_MS, 'waits', { ref: false })]);
    if (said === 'waits') await handle.terminate().catch(() => undefined);
    return said;
  }

  test(`${RUNS} runs end or wait, and each is followed by one on the same worker that ends`, async () => {
    const drawn = fc.sample(
      fc.tuple(fc.constantFrom(...textFields()), fc.oneof(fc.constantFrom(...ODD_TEXTS), oddText)),
      {
        numRuns: RUNS,
        seed: 30,
      },
    );
    const ends = new Map<string, number>();
    await runConcurrently(drawn, 6, async ([{ workflow, name, withText }, text]) => {
      const end = await play(workflow, withText(text));
      ends.set(end, (ends.get(end) ?? 0) + 1);
      const next = await world.client.run(good, { timeout: '30s' }).catch((error: unknown) => error);
      // Tells which text of which field it was.
      expect({ workflow, name, text: JSON.stringify(text).slice(0, 100), next }).toMatchObject({
        next: { success: true },
      });
    });
    expect([...ends.values()].reduce((sum, each) => sum + each, 0)).toBe(RUNS);
    // Both kinds were met: those that are refused, and those that are run.
    expect(ends.get('InvalidSpec')).toBeGreaterThan(RUNS / 10);
    expect(ends.get('completed')).toBeGreaterThan(RUNS / 10);
  }, 900_000);
});
