import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataConverter, Payload, StorageDriver } from '@temporalio/common';
import { NativeConnection, Worker } from '@temporalio/worker';
import { createWorker, ReflectionPlugin } from '../../src/worker';
import { dataConverterFrom } from '../../src/lib/storage';
import { testAddress } from '../../testing/support/temporal-server';

const payload: Payload = {
  metadata: { encoding: Buffer.from('json/plain') },
  data: Buffer.from(`"${'x'.repeat(9_000)}"`),
};
const target = (namespace: string) => ({ target: { kind: 'workflow' as const, namespace, id: 'w', type: 't' } });

describe('a storage that the environment names, for those who serve one namespace', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reflect-namespaces-'));
    process.env['REFLECT_STORAGE'] = `folder:${folder}`;
  });
  afterAll(async () => {
    delete process.env['REFLECT_STORAGE'];
    await rm(folder, { recursive: true, force: true });
  });

  const driverOf = (converter: DataConverter | undefined): StorageDriver => converter!.externalStorage!.drivers[0]!;
  const refused = expect.objectContaining({ message: expect.stringMatching(/does not serve namespace "theirs"/) });

  test('a worker or a client with the plugin reads and writes nothing of another namespace, and a replay reads all', async () => {
    const everybody = driverOf(dataConverterFrom(process.env));
    const [claim] = await everybody.store(target('theirs'), [payload]);

    for (const configured of [
      (plugin: ReflectionPlugin) => plugin.configureWorker({ taskQueue: 'q', namespace: 'mine' }),
      (plugin: ReflectionPlugin) => plugin.configureClient({ namespace: 'mine' }),
    ]) {
      const driver = driverOf(configured(new ReflectionPlugin()).dataConverter as DataConverter);
      await expect(driver.store(target('theirs'), [payload])).rejects.toEqual(refused);
      await expect(driver.retrieve({}, [claim!])).rejects.toEqual(refused);
      const own = await driver.store(target('mine'), [payload]);
      expect((await driver.retrieve({}, own))[0]!.data).toEqual(payload.data);
    }

    const replay = driverOf(new ReflectionPlugin().configureReplayWorker({}).dataConverter as DataConverter);
    expect((await replay.retrieve({}, [claim!]))[0]!.data).toEqual(payload.data);
  });

  test('createWorker tells the storage its namespace', async () => {
    const asked = jest.spyOn(Worker, 'create');
    const connection = await NativeConnection.connect({ address: testAddress() });
    try {
      const worker = await createWorker({ connection, taskQueue: `namespaces-${Date.now()}`, drainMs: 0 });
      const running = worker.run();
      const driver = driverOf(asked.mock.calls[0]![0].dataConverter);
      await expect(driver.store(target('theirs'), [payload])).rejects.toEqual(refused);
      expect(await driver.store(target('default'), [payload])).toHaveLength(1);
      worker.shutdown();
      await running;
    } finally {
      asked.mockRestore();
      await connection.close();
    }
  }, 60_000);
});
