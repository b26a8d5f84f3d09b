import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { localFolderStorage } from '../../../src/lib/storage/local-folder';
import { describeStorage, type StorageUnderTest } from './conformance';
import { from, jsonPayload, textIn, textOf } from './payloads';

const HOUR_MS = 60 * 60 * 1_000;

const folders: string[] = [];

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'reflect-storage-'));
  folders.push(folder);
  return folder;
}

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true });
});

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

async function age(path: string, milliseconds: number): Promise<void> {
  const { mtimeMs } = await stat(path);
  const time = new Date(mtimeMs - milliseconds);
  await utimes(path, time, time);
}

async function open(): Promise<StorageUnderTest> {
  const folder = join(await newFolder(), 'is', 'made');
  const all = () => filesIn(folder);
  return {
    driver: (options = {}) => localFolderStorage({ folder, ...options }),
    storedBytes: async () =>
      (await Promise.all((await all()).map((path) => stat(path)))).reduce((sum, { size }) => sum + size, 0),
    async damage() {
      for (const path of await all()) {
        const bytes = await readFile(path);
        bytes[bytes.length >> 1]! ^= 1;
        await writeFile(path, bytes);
      }
    },
    async age(milliseconds) {
      for (const path of await all()) await age(path, milliseconds);
    },
    empty: async () => rm(folder, { recursive: true }),
  };
}

describeStorage('a local folder', open);

describe('a local folder', () => {
  test('writes an object that was cut off anew', async () => {
    const folder = await newFolder();
    const driver = localFolderStorage({ folder });
    const payload = jsonPayload(textOf(5_000));
    const [claim] = await driver.store(from('default'), [payload]);
    const [path] = await filesIn(folder);
    await writeFile(path!, 'x');
    await expect(driver.retrieve({}, [claim!])).rejects.toMatchObject({ type: 'StoredDataCorrupt' });
    await driver.store(from('default'), [payload]);
    expect(textIn((await driver.retrieve({}, [claim!]))[0])).toBe(textIn(payload));
  });

  test('leaves no unfinished files, and a sweep deletes those of killed processes after an hour', async () => {
    const folder = await newFolder();
    const driver = localFolderStorage({ folder });
    await driver.store(from('default'), [jsonPayload(textOf(5_000))]);
    const [path, ...others] = await filesIn(folder);
    expect(others).toEqual([]);
    await writeFile(`${path}.young.tmp`, 'half');
    await writeFile(`${path}.old.tmp`, 'half');
    await age(`${path}.old.tmp`, 2 * HOUR_MS);
    expect(await driver.sweep({ olderThanMs: 24 * HOUR_MS })).toEqual({ deleted: 0, freedBytes: 0 });
    expect((await filesIn(folder)).sort()).toEqual([path, `${path}.young.tmp`]);
  });

  test('reads and brings back an object that a killed sweep had set aside', async () => {
    const folder = await newFolder();
    const driver = localFolderStorage({ folder });
    const payload = jsonPayload(textOf(5_000));
    const [claim] = await driver.store(from('default'), [payload]);
    const [path] = await filesIn(folder);
    await rename(path!, `${path}.swept`);
    expect(textIn((await driver.retrieve({}, [claim!]))[0])).toBe(textIn(payload));
    await driver.sweep({ olderThanMs: HOUR_MS });
    expect(await filesIn(folder)).toEqual([path]);
    await rename(path!, `${path}.swept`);
    await age(`${path}.swept`, 2 * HOUR_MS);
    expect(await driver.sweep({ olderThanMs: HOUR_MS })).toMatchObject({ deleted: 1 });
    expect(await filesIn(folder)).toEqual([]);
  });

  test('lets other files in the folder alone, and sweeps a folder that is not there yet', async () => {
    const folder = await newFolder();
    expect(await localFolderStorage({ folder: join(folder, 'none') }).sweep({ olderThanMs: 0 })).toMatchObject({
      deleted: 0,
    });
    await mkdir(join(folder, 'notes'));
    await writeFile(join(folder, 'readme.txt'), 'hello');
    await writeFile(join(folder, 'notes', 'readme.txt'), 'hello');
    await localFolderStorage({ folder }).sweep({ olderThanMs: 0 });
    expect(await filesIn(folder)).toHaveLength(2);
  });

  test('tells a folder that cannot be written from one that is busy', async () => {
    const folder = await newFolder();
    await writeFile(join(folder, 'file'), '');
    const driver = localFolderStorage({ folder: join(folder, 'file') });
    await expect(driver.store(from('default'), [jsonPayload(1)])).rejects.toMatchObject({ code: 'ENOTDIR' });
    expect(() => localFolderStorage({ folder: '' })).toThrow('must have a name');
  });
});
