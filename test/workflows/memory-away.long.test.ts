import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { Json } from '../../src/lib/json/json';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { defineAction, type WorkerMemorySettings } from '../../src/worker';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';
import { plan, planActions, task } from '../../testing/support/plan-tasks';

const drafts = defineAction({
  name: 'drafts',
  description: 'Gives the draft of an iteration.',
  input: z.object({ list: z.array(z.json()) }),
  run: ({ list }, { iteration }) => (list[iteration - 1] ?? list.at(-1)) as Json,
});

const spec = (): ReflectionSpec => ({
  generator: { action: 'drafts', with: { list: [{ name: 'Ada' }, { name: 'Ada', age: 30 }] } },
  evaluator: { type: 'schema', schema: { type: 'object', required: ['name', 'age'] } },
  memory: { agent: `agent-${randomUUID()}` },
});

async function withMemory(memory: WorkerMemorySettings, use: (world: LoopWorld) => Promise<void>): Promise<void> {
  const world = await startWorld({ actions: [drafts, ...planActions], memory });
  try {
    await use(world);
  } finally {
    await world.close();
  }
}

/** Nobody listens at this port. */
const away = { connectionString: 'postgres://nobody@127.0.0.1:1/nothing' };

describe('a memory that is away holds nothing up for more than seconds', () => {
  test.concurrent(
    'a loop drafts without it, ends without it, and its versions say so',
    async () => {
      await withMemory(away, async ({ client }) => {
        const started = performance.now();
        const { history, ...result } = await client.run(spec());
        expect(performance.now() - started).toBeLessThan(40_000);
        expect(result).toMatchObject({ success: true, iterationsUsed: 2 });
        expect(history.versions.map(({ warnings }) => warnings)).toEqual([
          [expect.stringMatching(/^nothing was recalled: the memory does not answer/)],
          [expect.stringMatching(/^what was learned was not kept: the memory does not answer/)],
        ]);
      });
    },
    90_000,
  );

  test.concurrent(
    'a plan runs without it, and its result says so',
    async () => {
      await withMemory(away, async ({ client }) => {
        const started = performance.now();
        const result = await client.plans.run({
          goal: 'Publish the report',
          enableLlmReflection: false,
          memory: { agent: `agent-${randomUUID()}` },
          plan: plan(task('a', { error: 'the pen broke' })),
          maxReplanningAttempts: 0,
        });
        expect(performance.now() - started).toBeLessThan(40_000);
        expect(result.warnings).toEqual([
          expect.stringMatching(/^nothing was recalled: /),
          expect.stringMatching(/^what was learned was not kept: /),
        ]);
      });
    },
    90_000,
  );

  test.concurrent(
    'what does not pass by waiting is not waited for',
    async () => {
      const above = await mkdtemp(join(tmpdir(), 'reflect-memory-'));
      await writeFile(join(above, 'file'), '');
      await withMemory({ folder: join(above, 'file', 'memory') }, async ({ client }) => {
        const started = performance.now();
        const { history } = await client.run(spec());
        expect(performance.now() - started).toBeLessThan(15_000);
        expect(history.versions.map(({ warnings }) => warnings)).toEqual([
          [expect.stringContaining('ENOTDIR')],
          [expect.stringContaining('ENOTDIR')],
        ]);
      });
      await rm(above, { recursive: true });
    },
    60_000,
  );
});
