import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataConverter } from '@temporalio/common';
import { EncryptionCodec, failureConverterPath } from '../../../src/lib/codec/encryption-codec';
import type { ReflectionSpec } from '../../../src/loop/contract/spec';
import { closeStorage, dataConverterFrom } from '../../../src/lib/storage';
import { externalStorage } from '../../../src/lib/storage/data-converter';
import { localFolderStorage } from '../../../src/lib/storage/local-folder';
import type { ReflectionWorkerOptions } from '../../../src/worker';
import { requestsOf } from '../../../src/apps/testing/scripted-model/ledger';
import { eventually } from '../../../testing/support/eventually';
import { startPostgres } from '../../../testing/support/postgres';
import { inScriptedWorld, type ScriptedWorld } from '../../../testing/support/scripted-world';
import { StorageWithFaults } from '../../../testing/support/storage-with-faults';
import { textOf } from './payloads';

const LARGE = { text: textOf(200_000), done: true };

const spec: ReflectionSpec = {
  generator: { action: 'llm.call', prompt: 'Write.' },
  evaluator: { type: 'schema', schema: { type: 'object', required: ['done'] } },
};

const codec = () => new EncryptionCodec([{ id: 'k', key: randomBytes(32) }]);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reflect-results-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A model that says the large text as often as it is asked, and a storage that a test breaks. */
async function inWorld(
  use: (world: ScriptedWorld, storage: StorageWithFaults) => Promise<void>,
  more: Omit<Partial<ReflectionWorkerOptions>, 'models'> = {},
  written: DataConverter = {},
): Promise<void> {
  const storage = new StorageWithFaults(localFolderStorage({ folder }));
  const dataConverter = { ...written, externalStorage: externalStorage({ driver: storage }) };
  await inScriptedWorld({ recovery: 'steady', dataConverter, ...more }, [{ reply: LARGE, times: 'always' }], (world) =>
    use(world, storage),
  );
}

const calls = ({ model }: ScriptedWorld): number => requestsOf(model.ledger).length;

describe('a storage that does not take a result at once pays for no call again', () => {
  const paidOnce = { success: true, finalOutput: LARGE, tokenUsage: { modelCalls: 1 } };

  test.concurrent.each([
    ['plain', {}],
    ['encrypted', { payloadCodecs: [codec()], failureConverterPath }],
  ])(
    'when it takes three heartbeat timeouts, %s',
    async (_case, written) => {
      await inWorld(
        async (world, storage) => {
          // The first write is the activity's. A decision has the ten seconds of a workflow task for its own, whoever stores.
          storage.fault = () => (storage.writes === 1 ? { delayMs: 16_000 } : {});
          expect(await world.client.run(spec)).toMatchObject(paidOnce);
          expect(calls(world)).toBe(1);
        },
        {},
        written,
      );
    },
    120_000,
  );

  test.concurrent.each(['ENOSPC', 'EROFS', 'EACCES', 'ENOTDIR', 'ECONNREFUSED', '57P03'])(
    'while it refuses with %s for longer than a heartbeat timeout',
    async (code) => {
      await inWorld(async (world, storage) => {
        let from: number | undefined;
        storage.fault = () => {
          from ??= Date.now();
          return Date.now() - from < 11_000 ? { code } : {};
        };
        expect(await world.client.run(spec)).toMatchObject(paidOnce);
        expect(calls(world)).toBe(1);
        expect(storage.writes).toBeGreaterThan(2);
      });
    },
    120_000,
  );

  test.concurrent.each(['ECONNREFUSED', 'silent'])(
    'while it is down for a whole minute: %s',
    async (how) => {
      await inWorld(async (world, storage) => {
        let from: number | undefined;
        let refused = 0;
        storage.fault = () => {
          from ??= Date.now();
          if (Date.now() - from >= 60_000) return {};
          refused += 1;
          // A connection that nobody answers ends when the storage is there again.
          return how === 'silent' ? { delayMs: from + 60_000 - Date.now(), code: 'ECONNRESET' } : { code: how };
        };
        const { workflowId } = await world.client.start(spec);
        expect(await world.client.result(workflowId)).toMatchObject(paidOnce);
        expect([calls(world), Date.now() - from! >= 60_000, refused > 0]).toEqual([1, true, true]);
        const { events } = await world.client.temporal.workflow.getHandle(workflowId).fetchHistory();
        const lost = events!.filter((event) => event.activityTaskTimedOutEventAttributes);
        expect(lost).toEqual([]);
      });
    },
    180_000,
  );

  test.concurrent(
    'while it refuses for longer than an attempt has time: the result stands in the history until it takes more',
    async () => {
      await inWorld(async (world, storage) => {
        let from: number | undefined;
        storage.fault = () => {
          from ??= Date.now();
          return Date.now() - from < 16_000 ? { code: 'EROFS' } : {};
        };
        // An attempt has ten seconds more than its model call.
        const { workflowId } = await world.client.start({ ...spec, timeouts: { modelCall: '1s' } });
        expect(await world.client.result(workflowId)).toMatchObject(paidOnce);
        expect(calls(world)).toBe(1);
        const { events } = await world.client.temporal.workflow.getHandle(workflowId).fetchHistory();
        const results = (events ?? []).flatMap(
          ({ activityTaskCompletedEventAttributes }) => activityTaskCompletedEventAttributes?.result?.payloads ?? [],
        );
        expect(results.map(({ data }) => (data?.length ?? 0) > 200_000)).toEqual([true]);
      });
    },
    90_000,
  );

  test.concurrent(
    'while it is silent and the worker shuts down: another one goes on with what was paid for',
    async () => {
      await inWorld(
        async (world, storage) => {
          storage.fault = () => (storage.writes === 1 ? { hangs: true } : {});
          const { workflowId } = await world.client.start(spec);
          await eventually(
            () => storage.writes,
            (writes) => writes === 1,
          );
          const other = await world.another();
          world.worker.shutdown();
          expect(await other.client.result(workflowId)).toMatchObject(paidOnce);
          expect(calls(world)).toBe(1);
        },
        { drainMs: 500 },
      );
    },
    120_000,
  );

  test.concurrent(
    'who aborts a run does not wait for its storage',
    async () => {
      await inWorld(async (world, storage) => {
        storage.fault = () => (storage.writes === 1 ? { hangs: true } : {});
        const { workflowId } = await world.client.start({ ...spec, review: { when: 'on_exhausted' } });
        await eventually(
          () => storage.writes,
          (writes) => writes === 1,
        );
        const started = performance.now();
        await world.client.abort(workflowId);
        await expect(world.client.result(workflowId)).resolves.toMatchObject({ convergenceReason: 'aborted' });
        expect(performance.now() - started).toBeLessThan(10_000);
      });
    },
    120_000,
  );

  test('where the worker’s clock is two hours ahead, and the run has a budget of time', async () => {
    const text = textOf(2_500_000);
    const storage = new StorageWithFaults(localFolderStorage({ folder }));
    const dataConverter = { externalStorage: externalStorage({ driver: storage }) };
    await inScriptedWorld({ dataConverter }, [{ reply: { text, done: true }, times: 'always' }], async (world) => {
      const real = Date.now.bind(Date);
      const clock = jest.spyOn(Date, 'now').mockImplementation(() => real() + 7_200_000);
      try {
        const { success, tokenUsage } = await world.client.run({ ...spec, budget: { wallClock: '5m' } });
        expect({ success, calls: calls(world), paid: tokenUsage.modelCalls }).toEqual({
          success: true,
          calls: 1,
          paid: 1,
        });
      } finally {
        clock.mockRestore();
      }
    });
  }, 60_000);

  test('when its folder has gone and something else stands in its place', async () => {
    const mine = join(folder, 'mine');
    await inScriptedWorld(
      { recovery: 'steady', dataConverter: dataConverterFrom({ REFLECT_STORAGE: `folder:${mine}` })! },
      [{ reply: LARGE, times: 'always', delayMs: 500 }],
      async (world) => {
        const { workflowId } = await world.client.start(spec);
        await eventually(
          () => calls(world),
          (count) => count === 1,
        );
        await writeFile(mine, '');
        await sleep(4_000);
        await rm(mine);
        expect(await world.client.result(workflowId)).toMatchObject(paidOnce);
        expect(calls(world)).toBe(1);
      },
    );
  }, 60_000);

  test('when PostgreSQL is stopped in mid-call, and started', async () => {
    const postgres = await startPostgres();
    const dataConverter = dataConverterFrom({ REFLECT_STORAGE: postgres.connectionString })!;
    try {
      await inScriptedWorld(
        { recovery: 'steady', dataConverter },
        [{ reply: LARGE, times: 'always', delayMs: 1_000 }],
        async (world) => {
          const { workflowId } = await world.client.start(spec);
          await eventually(
            () => calls(world),
            (count) => count === 1,
          );
          await postgres.halt();
          await sleep(5_000);
          await postgres.resume();
          expect(await world.client.result(workflowId)).toMatchObject(paidOnce);
          expect(calls(world)).toBe(1);
        },
      );
    } finally {
      await closeStorage(dataConverter);
      await postgres.stop();
    }
  }, 90_000);
});
