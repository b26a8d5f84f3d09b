import type { Payload } from '@temporalio/common';

import type { ObjectStorageDriver, ObjectStorageOptions } from '../../../src/lib/storage/object-storage-driver';
import { from, jsonPayload, textIn, textOf, textPayload } from './payloads';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** A storage that the suite can look into and damage. */
export interface StorageUnderTest {
  /** A driver on the storage; a second one stands for another process. */
  driver(options?: ObjectStorageOptions): ObjectStorageDriver;
  /** Sum of the lengths of all objects. */
  storedBytes(): Promise<number>;
  /** Changes a byte of every object. */
  damage(): Promise<void>;
  /** Makes all objects older. */
  age(milliseconds: number): Promise<void>;
  /** Deletes all objects. */
  empty(): Promise<void>;
}

/** What every storage must do, whatever it keeps its objects in. */
export function describeStorage(name: string, open: () => Promise<StorageUnderTest>): void {
  describe(`${name}, as every storage`, () => {
    let storage: StorageUnderTest;
    let driver: ObjectStorageDriver;

    beforeEach(async () => {
      storage = await open();
      driver = storage.driver();
    });

    afterEach(async () => {
      await driver.close();
    });

    async function roundTrip(payloads: Payload[]): Promise<Payload[]> {
      const claims = await driver.store(from('default'), payloads);
      const other = storage.driver();
      try {
        return await other.retrieve({}, claims);
      } finally {
        await other.close();
      }
    }

    test('gives back what was stored, in order, to another process', async () => {
      const values = [textOf(70_000), { a: [1, { b: textOf(3_000) }], c: null }, 7, [], 'x'];
      const back = await roundTrip(values.map(jsonPayload));
      expect(back.map(textIn)).toEqual(values.map((value) => JSON.stringify(value)));
      expect(back.map(({ metadata }) => String(metadata?.['encoding']))).toEqual(values.map(() => 'json/plain'));
      expect(await driver.store(from('default'), [])).toEqual([]);
      expect(await driver.retrieve({}, [])).toEqual([]);
    });

    test('keeps every byte of unusual JSON: escapes, spaces, digits, repeated and special keys', async () => {
      const long = textOf(2_000);
      const texts = [
        ` {"a" : "${long}" ,\n\t"a": "${long}\\u00e9\\/\\"\\\\", "é😀": 1.0e+2, "n": 12345678901234567890.10 } `,
        `{"__proto__":{"x":"${long}"},"constructor":["${long}"],"hasOwnProperty":"${long}","":"${long}"}`,
        `["\\ud800 half a pair","\u2028\u0000${long}","日本語${'漢字'.repeat(800)}"]`,
        `"${long}"`,
        `[[[[[[[[["${long}"]]]]]]]],"${long}"]`,
        `{"not json": [1, 2, "${long}"`,
        `]]] ${long} [[[`,
        `"${long}`,
        `"${long}\\`,
        '',
      ];
      expect((await roundTrip(texts.map(textPayload))).map(textIn)).toEqual(texts);
    });

    test('keeps text that looks like a reference as it is', async () => {
      const [claim] = await driver.store(from('default'), [jsonPayload(textOf(5_000))]);
      const hash = claim!.claimData['hash']!;
      const values = [
        { hash, namespace: 'default', format: '2', bytes: '5002', filler: textOf(2_000) },
        {
          ref: `sha256:${hash}`,
          $ref: hash,
          deep: [hash, `${hash}:5002`, textOf(2_000)],
        },
        `${hash}${textOf(2_000)}`,
      ];
      const texts = values.map((value) => JSON.stringify(value));
      expect((await roundTrip(values.map(jsonPayload))).map(textIn)).toEqual(texts);
    });

    test('keeps payloads that are not plain JSON with their metadata', async () => {
      const metadata = { encoding: Buffer.from('binary/encrypted'), 'encryption-key-id': Buffer.from('k1') };
      const payloads: Payload[] = [
        { metadata, data: Buffer.from([0, 255, 34, 92, 91]) },
        { metadata: { encoding: Buffer.from('json/plain'), 'a-hint': Buffer.from([1, 2]) }, data: Buffer.from('"x"') },
        { metadata: { encoding: Buffer.from('binary/null') } },
        {},
      ];
      const back = await roundTrip(payloads);
      const plain = ({ metadata: all, data }: Payload) => ({
        metadata: Object.entries(all ?? {}).map(([key, value]) => [key, Buffer.from(value).toString('hex')]),
        data: Buffer.from(data ?? []).toString('hex'),
      });
      expect(back.map(plain)).toEqual(payloads.map(plain));
    });

    test('keeps the same payload once, and compressed', async () => {
      const payload = jsonPayload({ output: 'It is kept. '.repeat(1_000) });
      const claims = [];
      for (let time = 0; time < 10; time++) claims.push(...(await driver.store(from('default'), [payload, payload])));
      expect(new Set(claims.map(({ claimData }) => JSON.stringify(claimData))).size).toBe(1);
      expect(await storage.storedBytes()).toBeLessThan(2_000);
    });

    test('keeps the outputs of a loop in less than three times their size', async () => {
      let outputBytes = 0;
      for (let iteration = 0; iteration < 10; iteration++) {
        const output = textOf(200_000, iteration + 1);
        outputBytes += output.length;
        await driver.store(from('default'), [jsonPayload({ output, warnings: [] })]);
        await driver.store(from('default'), [jsonPayload({ iteration, state: { reflection_output: output } })]);
        await driver.store(from('default'), [jsonPayload({ iteration, prompt: `Revise it:\n${output}` })]);
      }
      expect(await storage.storedBytes()).toBeLessThan(3 * outputBytes);
    });

    test('keeps namespaces apart, and can be told which to serve', async () => {
      const payload = jsonPayload(textOf(10_000));
      const [[ofA], [ofB]] = [await driver.store(from('a'), [payload]), await driver.store(from('B/../a'), [payload])];
      const both = await storage.storedBytes();
      await storage.age(DAY_MS);
      expect(await driver.sweep({ olderThanMs: DAY_MS / 2, namespace: 'a' })).toEqual({
        deleted: 1,
        freedBytes: both / 2,
      });
      await expect(driver.retrieve({}, [ofA!])).rejects.toMatchObject({ type: 'StoredDataMissing' });
      expect(textIn((await driver.retrieve({}, [ofB!]))[0])).toBe(textIn(payload));

      const onlyA = storage.driver({ namespaces: ['a'] });
      await expect(onlyA.retrieve({}, [ofB!])).rejects.toMatchObject({ type: 'StoredClaimInvalid' });
      await expect(onlyA.store(from('b'), [payload])).rejects.toMatchObject({ type: 'StoredClaimInvalid' });
      await onlyA.close();
      // Some calls of the SDK have no target.
      const [withoutTarget] = await driver.store({}, [payload]);
      expect(textIn((await driver.retrieve({}, [withoutTarget!]))[0])).toBe(textIn(payload));
    });

    test('takes many stores of the same and of different payloads at the same time', async () => {
      const drivers = [driver, storage.driver(), storage.driver()];
      const shared = textOf(8_000);
      const payloads = Array.from({ length: 60 }, (_, index) =>
        jsonPayload({ shared, parts: [textOf(1_500, (index % 20) + 1), shared], index }),
      );
      const claims = await Promise.all(
        payloads.map((payload, index) => drivers[index % 3]!.store(from('default'), [payload])),
      );
      const back = await driver.retrieve({}, claims.flat());
      expect(back.map(textIn)).toEqual(payloads.map(textIn));
      await Promise.all(drivers.slice(1).map((other) => other.close()));
    });

    test('loses nothing that is stored while it is swept', async () => {
      const payloads = Array.from({ length: 20 }, (_, index) => jsonPayload({ output: textOf(3_000, index + 1) }));
      await driver.store(from('default'), payloads);
      for (let round = 0; round < 5; round++) {
        await storage.age(DAY_MS);
        const [claims] = await Promise.all([
          Promise.all(payloads.map((payload) => driver.store(from('default'), [payload]))),
          driver.sweep({ olderThanMs: DAY_MS / 2 }),
          driver.sweep({ olderThanMs: DAY_MS / 2 }),
        ]);
        expect((await driver.retrieve({}, claims.flat())).map(textIn)).toEqual(payloads.map(textIn));
      }
    });

    test('sweeps what nothing has stored since, and keeps what was stored again', async () => {
      const payloads = [5, 6].map((seed) => jsonPayload(textOf(5_000, seed)));
      const [old] = await driver.store(from('default'), [payloads[0]!]);
      await driver.store(from('default'), [payloads[1]!]);
      await storage.age(2 * DAY_MS);
      const [again] = await driver.store(from('default'), [payloads[1]!]);
      const before = await storage.storedBytes();
      expect(await driver.sweep({ olderThanMs: 3 * DAY_MS })).toEqual({ deleted: 0, freedBytes: 0 });
      const result = await driver.sweep({ olderThanMs: DAY_MS });
      expect(result.deleted).toBe(1);
      expect(await storage.storedBytes()).toBe(before - result.freedBytes);
      await expect(driver.retrieve({}, [old!])).rejects.toMatchObject({ type: 'StoredDataMissing' });
      expect(textIn((await driver.retrieve({}, [again!]))[0])).toBe(textIn(payloads[1]));
      await expect(driver.sweep({ olderThanMs: Number.NaN })).rejects.toMatchObject({ type: 'InvalidStorageSettings' });
      await expect(driver.sweep({ olderThanMs: -1 })).rejects.toMatchObject({ type: 'InvalidStorageSettings' });
    });

    test('says what is missing and what to do', async () => {
      const [claim] = await driver.store(from('default'), [jsonPayload({ output: textOf(5_000) })]);
      await storage.empty();
      const error = await driver.retrieve({}, [claim!]).catch((caught: unknown) => caught);
      expect(error).toMatchObject({ name: 'StoredDataMissing', address: { namespace: 'default' } });
      expect(String(error)).toMatch(/compare REFLECT_STORAGE of worker and client/);
    });

    test('notices damage and hands out nothing of it', async () => {
      const [claim] = await driver.store(from('default'), [jsonPayload({ output: textOf(5_000) })]);
      await storage.damage();
      await expect(driver.retrieve({}, [claim!])).rejects.toMatchObject({ name: 'StoredDataCorrupt' });
    });

    test('refuses claims that it cannot have made', async () => {
      const [claim] = await driver.store(from('default'), [jsonPayload({ output: textOf(5_000) })]);
      const good = claim!.claimData;
      const bad: Record<string, string>[] = [
        {},
        { ...good, format: '3' },
        { ...good, hash: '../../../etc/passwd' },
        { ...good, hash: good['hash']!.toUpperCase() },
        { ...good, bytes: '-1' },
      ];
      for (const claimData of bad) {
        await expect(driver.retrieve({}, [{ claimData }])).rejects.toMatchObject({ type: 'StoredClaimInvalid' });
      }
      const earlier = { claimData: { ...good, format: '1' } };
      await expect(driver.retrieve({}, [earlier])).rejects.toThrow(
        /of durable-reflection 0\.2 .* read it with 0\.2\.1/,
      );
      for (const bytes of ['0', '17', '999999999999999']) {
        await expect(driver.retrieve({}, [{ claimData: { ...good, bytes } }])).rejects.toMatchObject({
          type: 'StoredDataCorrupt',
        });
      }
    });

    test('takes 5 MB, as one text and as a deep tree', async () => {
      const lines = Array.from({ length: 2_500 }, (_, index) => ({
        index,
        nested: { text: textOf(1_900, index + 1) },
      }));
      const texts = [
        JSON.stringify(textOf(5_000_000)),
        JSON.stringify(lines),
        `${'['.repeat(1_500)}"${textOf(1_100)}"${']'.repeat(1_500)}`,
      ];
      expect((await roundTrip(texts.map(textPayload))).map(textIn)).toEqual(texts);
    });

    test('stops when the SDK gives up', async () => {
      const aborted = AbortSignal.abort(new Error('given up'));
      const payload = jsonPayload({ output: textOf(5_000) });
      await expect(driver.store({ ...from('default'), abortSignal: aborted }, [payload])).rejects.toThrow('given up');
      const [claim] = await driver.store(from('default'), [payload]);
      await expect(driver.retrieve({ abortSignal: aborted }, [claim!])).rejects.toThrow('given up');
    });
  });
}
