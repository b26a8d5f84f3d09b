import { randomUUID } from 'node:crypto';
import { createServer, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { NativeConnection, Worker } from '@temporalio/worker';
import { Pool } from 'pg';

import { TcpProxy } from '../../../testing/torture/tcp-proxy';
import type { ObjectStorageDriver } from '../../../src/lib/storage/object-storage-driver';
import { payloadsTableSql, postgresStorage } from '../../../src/lib/storage/postgres';
import { freePort } from '../../../src/apps/server/ports';
import { ReflectionPlugin } from '../../../src/worker';
import { eventually } from '../../../testing/support/eventually';
import { startPostgres, type TestPostgres } from '../../../testing/support/postgres';
import '../../../testing/support/quiet';
import { testAddress } from '../../../testing/support/temporal-server';
import { describeStorage, type StorageUnderTest } from './conformance';
import { from, jsonPayload, textIn, textOf } from './payloads';

let postgres: TestPostgres;
let pool: Pool;
let tables = 0;

beforeAll(async () => {
  postgres = await startPostgres();
  pool = new Pool({ connectionString: postgres.connectionString });
  // `end` does not wait until its connections are closed, and so they may still see the server stop.
  pool.on('error', () => {});
});

afterAll(async () => {
  await pool?.end();
  await postgres?.stop();
});

async function open(): Promise<StorageUnderTest> {
  const table = `payloads_${++tables}`;
  return {
    driver: (options = {}) => postgresStorage({ connectionString: postgres.connectionString, table, ...options }),
    async storedBytes() {
      const { rows } = await pool.query<{ sum: string }>(
        `SELECT coalesce(sum(octet_length(content)), 0) AS sum FROM ${table}`,
      );
      return Number(rows[0]!.sum);
    },
    async damage() {
      const middle = 'octet_length(content) / 2';
      await pool.query(`UPDATE ${table} SET content = set_byte(content, ${middle}, get_byte(content, ${middle}) # 1)`);
    },
    async age(milliseconds) {
      await pool.query(`UPDATE ${table} SET last_needed = last_needed - $1 * interval '1 millisecond'`, [milliseconds]);
    },
    async empty() {
      await pool.query(`TRUNCATE ${table}`);
    },
  };
}

describeStorage('PostgreSQL', open);

describe('PostgreSQL', () => {
  const payload = jsonPayload({ output: textOf(5_000) });

  test('makes its table when several workers start at once, also in a schema of its own', async () => {
    await pool.query('CREATE SCHEMA reflect');
    const drivers = Array.from({ length: 8 }, () =>
      postgresStorage({ connectionString: postgres.connectionString, table: 'reflect.payloads' }),
    );
    const claims = await Promise.all(drivers.map((driver) => driver.store(from('default'), [payload])));
    expect(textIn((await drivers[0]!.retrieve({}, claims[7]!))[0])).toBe(textIn(payload));
    await Promise.all(drivers.map((driver) => driver.close()));
  });

  test('needs no right to create tables where the table is there', async () => {
    await pool.query(payloadsTableSql('prepared'));
    await pool.query("CREATE ROLE worker LOGIN PASSWORD 'worker'");
    await pool.query('GRANT SELECT, INSERT, UPDATE, DELETE ON prepared TO worker');
    const connectionString = postgres.connectionString.replace('test:test', 'worker:worker');
    const driver = postgresStorage({ connectionString, table: 'prepared' });
    await driver.store(from('default'), [payload]);
    await driver.close();
    const elsewhere = postgresStorage({ connectionString, table: 'not_prepared' });
    await expect(elsewhere.store(from('default'), [payload])).rejects.toMatchObject({ code: '42501' });
    await elsewhere.close();
  });

  test('ends its connections as often as it is told to, and opens others when it is used again', async () => {
    const driver = postgresStorage({ connectionString: postgres.connectionString, table: 'closed' });
    const [claim] = await driver.store(from('default'), [payload]);
    await Promise.all([driver.close(), driver.close()]);
    expect(textIn((await driver.retrieve({}, [claim!]))[0])).toBe(textIn(payload));
    await driver.close();
  });

  test('a plugin ends its connections when the last of its workers has stopped', async () => {
    const before = process.env['REFLECT_STORAGE'];
    process.env['REFLECT_STORAGE'] = await postgres.createDatabase('of_a_plugin');
    const plugin = new ReflectionPlugin({ serve: 'loops' });
    if (before === undefined) delete process.env['REFLECT_STORAGE'];
    else process.env['REFLECT_STORAGE'] = before;
    const connections = async () => {
      const ours = "datname = 'of_a_plugin' AND application_name = 'durable-reflection'";
      return (await pool.query(`SELECT 1 FROM pg_stat_activity WHERE ${ours}`)).rowCount;
    };
    const native = await NativeConnection.connect({ address: testAddress() });
    const running = async (whileRunning: () => Promise<void>) => {
      const taskQueue = `closing-${randomUUID()}`;
      const { activities, dataConverter } = plugin.configureWorker({ taskQueue });
      const worker = await Worker.create({ connection: native, taskQueue, activities, dataConverter });
      await plugin.runWorker(worker, () => worker.runUntil(whileRunning));
      return dataConverter!.externalStorage!.drivers[0]! as ObjectStorageDriver;
    };
    const store = (driver: ObjectStorageDriver) => driver.store(from('default'), [payload]);
    try {
      const driver = await running(async () => {
        await store(await running(async () => undefined));
        expect(await connections()).toBeGreaterThan(0);
      });
      await eventually(connections, (count) => count === 0);
      // A client that has the plugin, too, goes on.
      await store(driver);
      expect(await connections()).toBeGreaterThan(0);
      await Promise.all([plugin.close(), plugin.close()]);
      await eventually(connections, (count) => count === 0);
    } finally {
      await native.close();
    }
  });

  test('keeps an object that is stored while a sweep is about to delete it', async () => {
    const driver = postgresStorage({ connectionString: postgres.connectionString, table: 'race' });
    const [claim] = await driver.store(from('default'), [payload]);
    await pool.query("UPDATE race SET last_needed = now() - interval '2 days'");
    const storing = await pool.connect();
    await storing.query('BEGIN');
    await storing.query('UPDATE race SET last_needed = now()');
    const swept = driver.sweep({ olderThanMs: 24 * 60 * 60 * 1_000 });
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
    while ((await pool.query(waiting)).rowCount === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    await storing.query('COMMIT');
    storing.release();
    expect(await swept).toEqual({ deleted: 0, freedBytes: 0 });
    expect(textIn((await driver.retrieve({}, [claim!]))[0])).toBe(textIn(payload));
    await driver.close();
  });

  test('goes on after its connections were cut', async () => {
    const driver = postgresStorage({ connectionString: postgres.connectionString, table: 'cut' });
    const [claim] = await driver.store(from('default'), [payload]);
    await pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'durable-reflection'",
    );
    expect(textIn((await driver.retrieve({}, [claim!]))[0])).toBe(textIn(payload));
    await driver.close();
  });

  test('waits for a database that comes back, not for one that does not', async () => {
    const port = await freePort();
    const connectionString = postgres.connectionString.replace(/:\d+\//, `:${port}/`);
    const driver = postgresStorage({ connectionString, retryForMs: 300 });
    await expect(driver.store(from('default'), [payload])).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await driver.close();

    // First it refuses connections, then it cuts them, and then it is there.
    const patient = postgresStorage({ connectionString, table: 'patient' });
    const stored = patient.store(from('default'), [payload]);
    await new Promise((resolve) => setTimeout(resolve, 150));
    let connections = 0;
    const proxy = createServer((socket) => {
      socket.on('error', () => {});
      if (connections++ === 0) return socket.destroy();
      const upstream = new Socket().connect(Number(new URL(postgres.connectionString).port), '127.0.0.1');
      upstream.on('error', () => {});
      return socket.pipe(upstream).pipe(socket);
    });
    await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve));
    try {
      await expect(stored).resolves.toHaveLength(1);
      expect(connections).toBeGreaterThan(1);
    } finally {
      await patient.close();
      proxy.close();
    }
  });

  describe('when connections are silent, and nothing closes them', () => {
    let proxy: TcpProxy;
    let connectionString: string;
    beforeEach(async () => {
      proxy = await TcpProxy.start(Number(new URL(postgres.connectionString).port));
      connectionString = postgres.connectionString.replace(/:\d+\//, `:${proxy.port}/`);
    });
    afterEach(() => proxy.close());

    test('replaces them, and stores and reads on others', async () => {
      const driver = postgresStorage({ connectionString, table: 'silent', queryTimeoutMs: 500 });
      const [claim] = await driver.store(from('default'), [payload]);
      proxy.silence();
      const [later] = await driver.store(from('default'), [jsonPayload({ output: textOf(5_000, 2) })]);
      proxy.silence();
      expect((await driver.retrieve({}, [claim!, later!])).map(textIn)).toEqual([
        textIn(payload),
        textIn(jsonPayload({ output: textOf(5_000, 2) })),
      ]);
      await driver.close();
    });

    test('replaces them by itself, in a while', async () => {
      const driver = postgresStorage({ connectionString, table: 'silent_by_default' });
      await driver.store(from('default'), [payload]);
      proxy.silence();
      await expect(driver.store(from('default'), [payload])).resolves.toHaveLength(1);
      await driver.close();
    }, 60_000);

    test('says what is wrong where nothing helps', async () => {
      const driver = postgresStorage({
        connectionString,
        table: 'silent_for_good',
        queryTimeoutMs: 500,
        retryForMs: 0,
      });
      await driver.store(from('default'), [payload]);
      proxy.silence({ alsoNew: true });
      await expect(driver.store(from('default'), [payload])).rejects.toThrow('PostgreSQL could not be reached in time');
      await driver.close();
    });

    test('closes at once, and what was under way then opens no others', async () => {
      const driver = postgresStorage({ connectionString, table: 'silent_at_the_end', queryTimeoutMs: 60_000 });
      await driver.store(from('default'), [payload]);
      proxy.silence();
      const stored = driver.store(from('default'), [payload]).catch(String);
      await sleep(200);
      const started = performance.now();
      await driver.close();
      expect(performance.now() - started).toBeLessThan(5_000);
      expect(await stored).toContain('Connection terminated');
    });
  });
});
