import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import type { StorageDriverClaim } from '@temporalio/common';
import { attachmentStorageOf, storageDriverFrom } from '../../../src/lib/storage';
import { externalStorage } from '../../../src/lib/storage/data-converter';
import type { S3Storage } from '../../../src/lib/storage/s3/s3-storage';
import { S3Server } from '../../../testing/support/s3-server';
import { jsonPayload, textIn, textOf } from './payloads';

const DAY_MS = 24 * 60 * 60 * 1_000;
const from = (namespace: string, runId = 'run-1') => ({
  target: { kind: 'workflow' as const, namespace, id: 'reflection-1', runId, type: 'reflectionLoop' },
});

describe('payloads in an S3 bucket', () => {
  let server: S3Server;
  let driver: S3Storage;
  beforeAll(async () => {
    server = await S3Server.start();
    Object.assign(process.env, server.env);
    driver = storageDriverFrom(process.env) as S3Storage;
  }, 900_000);
  afterAll(async () => {
    for (const name of Object.keys(server?.env ?? {})) delete process.env[name];
    await driver?.close();
    await server?.stop();
  });

  const files = (): string[] => server.files();
  const age = (file: string, days: number): void => {
    const time = new Date(Date.now() - days * DAY_MS);
    utimesSync(file, time, time);
  };
  const stored = async (value: unknown, namespace = 'default', runId?: string): Promise<StorageDriverClaim> =>
    (await driver.store(from(namespace, runId), [jsonPayload(value)]))[0]!;
  const read = async (claim: StorageDriverClaim): Promise<unknown> =>
    JSON.parse(textIn((await driver.retrieve({}, [claim]))[0]!));

  test('gives back what was stored, to another process, and keeps it once for each run', async () => {
    const value = { text: textOf(300_000) };
    const [claim, again] = [await stored(value), await stored(value)];
    expect(again.claimData).toEqual(claim.claimData);
    expect(files()).toHaveLength(1);
    await stored(value, 'default', 'run-2');
    expect(files()).toHaveLength(2);
    const other = storageDriverFrom(process.env)!;
    expect(textIn((await other.retrieve({}, [claim]))[0]!)).toBe(JSON.stringify(value));
    await other.close();
  });

  test('what is gone, damaged, or of somebody else is told apart', async () => {
    const claim = await stored('x'.repeat(100_000), 'other/one');
    const [file] = files().filter((each) => each.endsWith(claim.claimData['hashValue']!));
    const bytes = readFileSync(file!);
    bytes[1_000]! ^= 1;
    writeFileSync(file!, bytes);
    await expect(read(claim)).rejects.toMatchObject({ type: 'StoredDataCorrupt', address: { namespace: 'other/one' } });
    const gone = { claimData: { ...claim.claimData, key: `${claim.claimData['key']!.slice(0, -2)}00` } };
    await expect(read(gone)).rejects.toMatchObject({ type: 'StoredDataMissing', address: { namespace: 'other/one' } });
    const elsewhere = { claimData: { ...claim.claimData, bucket: 'secrets' } };
    await expect(read(elsewhere)).rejects.toMatchObject({ type: 'StoredClaimInvalid' });
    const served = storageDriverFrom(process.env, { namespaces: ['default'] })!;
    await expect(served.retrieve({}, [claim])).rejects.toMatchObject({ type: 'StoredClaimInvalid' });
    await expect(served.store(from('other/one'), [])).rejects.toMatchObject({ type: 'StoredClaimInvalid' });
    await served.close();
  });

  test('attachments are kept once for a namespace, checked, renewed when they are needed, and swept', async () => {
    await driver.sweep({ olderThanMs: 0 });
    const converter = { externalStorage: externalStorage({ driver }) };
    const [own, others] = ['default', 'other/one'].map((name) => attachmentStorageOf(converter, () => name)!);
    const bytes = Buffer.from(textOf(300_000));
    const reference = await own!.put(bytes, { mediaType: 'image/png' });
    expect(await own!.put(bytes, { mediaType: 'image/png' })).toEqual(reference);
    expect(files()).toHaveLength(1);
    expect(Buffer.from(await own!.load(reference)).equals(bytes)).toBe(true);
    expect(await others!.findMissing([reference])).toEqual([reference]);
    await expect(others!.load(reference)).rejects.toMatchObject({ type: 'StoredDataMissing' });
    const [file] = files();
    age(file!, 40);
    expect(await own!.findMissing([reference])).toEqual([]);
    expect((await driver.sweep({ olderThanMs: 30 * DAY_MS })).deleted).toBe(0);
    age(file!, 40);
    expect((await driver.sweep({ olderThanMs: 30 * DAY_MS, namespace: 'default' })).deleted).toBe(1);
    expect(await own!.findMissing([reference])).toEqual([reference]);
    const damaged = await own!.put(bytes, { mediaType: 'image/png' });
    writeFileSync(files()[0]!, readFileSync(files()[0]!).fill(1, 1_000, 1_001));
    await expect(own!.load(damaged)).rejects.toMatchObject({ type: 'StoredDataCorrupt' });
    await driver.sweep({ olderThanMs: 0 });
  });

  test('a sweep deletes what nothing has stored for so long; what is stored again is renewed', async () => {
    await driver.sweep({ olderThanMs: 0 });
    const [kept, old, ofOther] = [await stored('kept'), await stored('old'), await stored('of another', 'another')];
    expect(files()).toHaveLength(3);
    for (const file of files()) age(file, 40);
    await stored('kept');
    expect(await driver.sweep({ olderThanMs: 30 * DAY_MS, namespace: 'default' })).toMatchObject({ deleted: 1 });
    await expect(read(old)).rejects.toMatchObject({ type: 'StoredDataMissing' });
    expect(await read(ofOther)).toBe('of another');
    const bytes = files().reduce(
      (sum, file) => sum + (statSync(file).mtimeMs < Date.now() - DAY_MS ? statSync(file).size : 0),
      0,
    );
    expect(await driver.sweep({ olderThanMs: 30 * DAY_MS })).toEqual({ deleted: 1, freedBytes: bytes });
    expect(await read(kept)).toBe('kept');
  });

  test('a server that is away for a moment fails nothing', async () => {
    await server.kill();
    const storing = stored('while it was away');
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await server.begin();
    expect(await read(await storing)).toBe('while it was away');
  }, 30_000);
});
