import { inspect } from 'node:util';

import { closeStorage, dataConverterFrom, storageDriverFrom } from '../../../src/lib/storage';

const KEYS = `k1:${Buffer.alloc(32, 1).toString('base64')}`;

describe('settings', () => {
  test('nothing set leaves everything as it is', () => {
    expect(dataConverterFrom({})).toBeUndefined();
    expect(
      dataConverterFrom({ REFLECT_STORAGE: '', REFLECT_CODEC_KEYS: '', REFLECT_STORAGE_THRESHOLD: '' }),
    ).toBeUndefined();
    expect(dataConverterFrom({ REFLECT_STORAGE_THRESHOLD: '4096' })).toBeUndefined();
  });

  test('whoever serves some namespaces neither reads nor writes what is of others', async () => {
    const served = { namespaces: ['mine'] };
    const { drivers } = dataConverterFrom({ REFLECT_STORAGE: 'folder:outputs' }, served)!.externalStorage!;
    const ofAnother = { target: { kind: 'workflow' as const, namespace: 'another', id: 'a-run' } };
    await expect(drivers[0]!.store(ofAnother, [])).rejects.toMatchObject({ type: 'StoredClaimInvalid' });
  });

  test('a folder, a database and keys, each alone and together', async () => {
    const folder = dataConverterFrom({ REFLECT_STORAGE: 'folder:outputs' });
    expect(folder?.externalStorage?.drivers.map(({ name, type }) => [name, type])).toEqual([
      ['reflect-folder', 'durable-reflection.folder'],
    ]);
    expect(folder?.externalStorage?.payloadSizeThreshold).toBe(65_536);
    expect(folder?.payloadCodecs).toBeUndefined();

    const all = dataConverterFrom({
      REFLECT_STORAGE: 'postgresql://u:hush@127.0.0.1/d',
      REFLECT_STORAGE_THRESHOLD: '4096',
      REFLECT_CODEC_KEYS: KEYS,
    });
    expect(all?.externalStorage?.drivers[0]?.name).toBe('reflect-postgres');
    expect(all?.externalStorage?.payloadSizeThreshold).toBe(4_096);
    expect(all?.payloadCodecs).toHaveLength(1);
    expect(all?.failureConverterPath).toMatch(/failure-converter/);
    expect(inspect(all?.payloadCodecs, { depth: 9, showHidden: true })).not.toContain(KEYS.slice(3));
    await closeStorage(all);
    await closeStorage(all);
    await closeStorage(undefined);

    expect(dataConverterFrom({ REFLECT_CODEC_KEYS: KEYS })?.externalStorage).toBeUndefined();
    expect(storageDriverFrom({ REFLECT_STORAGE: 'folder:x' })?.name).toBe('reflect-folder');
  });

  test.each([
    [{ REFLECT_STORAGE: 's3:hush' }, 'REFLECT_STORAGE must be'],
    [{ REFLECT_STORAGE: 's3://u:hush@bucket' }, 'must be the name of a bucket'],
    [{ REFLECT_STORAGE: 's3://bucket/hush' }, 'must be the name of a bucket'],
    [{ REFLECT_STORAGE: 's3://bucket?secret=hush' }, 'has a setting that'],
    [{ REFLECT_STORAGE: 's3://bucket?endpoint=hush' }, 'no URL'],
    [{ REFLECT_STORAGE: 'postgres:/u:hush@h/d' }, 'REFLECT_STORAGE must be'],
    [{ REFLECT_STORAGE: 'folder:' }, 'must have a name'],
    [{ REFLECT_STORAGE: 'folder:x', REFLECT_STORAGE_THRESHOLD: '64K' }, 'whole number of bytes'],
    [{ REFLECT_STORAGE_THRESHOLD: '-1' }, 'whole number of bytes'],
    [{ REFLECT_STORAGE: 'folder:x', REFLECT_STORAGE_THRESHOLD: '1048577' }, 'they fit into no history'],
    [{ REFLECT_CODEC_KEYS: 'hush' }, 'Entry 1'],
  ])('%j is refused, and nothing secret is shown', (environment: Record<string, string>, problem) => {
    const attempt = (): unknown => dataConverterFrom(environment);
    expect(attempt).toThrow(problem);
    expect(attempt).not.toThrow('hush');
  });
});
