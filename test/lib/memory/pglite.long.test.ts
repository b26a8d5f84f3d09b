import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ms from 'ms';
import { lockFolder } from '../../../src/lib/memory/pglite-database';
import { type Memory, openMemory } from '../../../src/lib/memory';
import { tortureMemory } from '../../../testing/torture/memory/run';
import { pgliteDatabase } from '../../../src/lib/memory/pglite-database';
import type { SqlDatabase } from '../../../src/lib/memory/sql-database';
import { createModels } from '../../../src/lib/models';
import { workerMemory } from '../../../src/worker/worker-memory';
import { anInsight, describeMemory } from './conformance';
import { describeEmbeddings } from './embedding-conformance';

let folder: string;
/** Making a database takes seconds, so all cases use one. */
let place: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reflect-memory-'));
  place = join(folder, 'memory');
  // As left by a process that was killed while it made the database: every case is about the one that follows.
  await mkdir(place);
  await writeFile(join(place, 'PG_VERSION'), '17\n');
  await writeFile(`${place}.making`, '');
  const database = pgliteDatabase(place);
  await database.query('SELECT 1');
  await database.close();
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

describeMemory('PGlite', async (options) => openMemory({ ...options, folder: place }));
describeEmbeddings(
  'PGlite',
  async (options) => openMemory({ ...options, folder: place }),
  async (sql) => {
    const database = pgliteDatabase(place);
    try {
      return await database.query(sql);
    } finally {
      await database.close();
    }
  },
);

describe('embedded memory', () => {
  test('200 retries and kills around the write leave each insight once, and lose none', async () => {
    // The whole of it, with more kills: npm run torture:memory.
    const report = await tortureMemory({ place: { folder: place }, disturbances: 200, kills: 2, seed: 3 });
    expect(report).toMatchObject({ kills: 2, lost: [], twice: [], strange: [] });
    expect(report.killsWhileWriting).toBeGreaterThanOrEqual(1);
    expect(report.retries).toBeGreaterThanOrEqual(198);
    expect(report.acknowledged).toBeGreaterThan(100);
  }, 120_000);

  test('a database whose maker was killed is made anew', async () => {
    const memory = openMemory({ folder: place });
    expect(await memory.store('anew', [anInsight('first')])).toMatchObject([{ isNew: true }]);
    await expect(stat(`${place}.making`)).rejects.toThrow('ENOENT');
    expect(await readdir(place)).toContain('global');
    await memory.close();
  });

  test('what a folder held before stays, though no database could be made in it', async () => {
    const full = join(folder, 'full');
    await mkdir(full);
    // In the way of the database.
    await writeFile(join(full, 'base'), 'mine');
    const memory = openMemory({ folder: full });
    await expect(memory.list({ tenant: 't', limit: 1 })).rejects.toThrow();
    await memory.close();
    expect(await readFile(join(full, 'base'), 'utf8')).toBe('mine');
  });

  test('nothing is opened before it is used, and two of one process share one', async () => {
    const unused = join(folder, 'unused');
    await openMemory({ folder: unused }).close();
    await expect(stat(unused)).rejects.toThrow('ENOENT');
    const [one, other] = [openMemory({ folder: place }), openMemory({ folder: place })];
    await one.store('shared', [anInsight('shared')]);
    await one.close();
    expect(await other.list({ tenant: 'shared', limit: 1 })).toMatchObject([{ text: 'shared' }]);
    await other.close();
    expect(() => openMemory({ folder: place, connectionString: 'postgres://x' })).toThrow(/one place/);
  });
});

describe('memory of a worker', () => {
  // Keeps the database open from case to case.
  let open: SqlDatabase;
  beforeAll(() => {
    open = pgliteDatabase(place);
  });
  afterAll(() => open.close());

  test.each([
    [{}, 2],
    [{ maxPerAgent: 3 }, 3],
  ])(
    'what code gives a worker wins setting by setting, the rest is as the environment says: %j',
    async (given, kept) => {
      const env = { REFLECT_MEMORY_FOLDER: place, REFLECT_MEMORY_PER_AGENT: '2', REFLECT_MEMORY_EXPIRES_AFTER: '7d' };
      const models = createModels([], {});
      const worker = workerMemory({ memory: { weights: { recency: 2 }, ...given } }, env, models);
      const memory = worker.dependencies.memory as Memory;
      const tenant = `settings-${kept}`;
      await memory.store(tenant, [anInsight('one'), anInsight('two'), anInsight('three'), anInsight('four')]);
      const left = await memory.list({ tenant, limit: 10 });
      expect(left).toHaveLength(kept);
      for (const { createdAt, expiresAt } of left)
        expect(Date.parse(expiresAt!) - Date.parse(createdAt)).toBe(ms('7d'));
      await worker.close();
    },
  );

  test('a place that code gives is not mixed with that of the environment', async () => {
    const env = { DATABASE_URL: 'postgres://reflect@127.0.0.1:1/nowhere' };
    const worker = workerMemory({ memory: { folder: place } }, env, createModels([], {}));
    expect(await (worker.dependencies.memory as Memory).list({ tenant: 'nobody', limit: 1 })).toEqual([]);
    await worker.close();
  });
});

describe('the lock of a folder', () => {
  test('one that is held is waited for, and refused in the end with what to do', async () => {
    const locked = join(folder, 'locked');
    const unlock = await lockFolder(locked, 0);
    await expect(lockFolder(locked, 0)).rejects.toMatchObject({
      type: 'MemoryInUse',
      message: expect.stringMatching(new RegExp(`process ${process.pid}.*DATABASE_URL`)),
    });
    const waiting = lockFolder(locked, 5_000);
    await unlock();
    await (
      await waiting
    )();
  });

  test('one that a process left behind is nobody’s', async () => {
    const gone = spawn(process.execPath, ['-e', '']);
    await once(gone, 'exit');
    for (const owner of [gone.pid, process.pid]) {
      const left = join(folder, `left-${owner}`);
      await writeFile(`${left}.lock`, `${owner} x`);
      const unlock = await lockFolder(left, 0);
      expect(await readFile(`${left}.lock`, 'utf8')).toMatch(new RegExp(`^${process.pid} .{36}$`));
      await unlock();
    }
  });
});
