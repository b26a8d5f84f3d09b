import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { localFolderStorage } from '../../../src/lib/storage/local-folder';
import { from, jsonPayload, textIn, textOf } from './payloads';

let beforeRename: (() => Promise<unknown>) | undefined;

jest.mock('node:fs/promises', () => {
  const real = jest.requireActual<typeof import('node:fs/promises')>('node:fs/promises');
  const rename: typeof real.rename = async (...names) => {
    const hook = beforeRename;
    beforeRename = undefined;
    await hook?.();
    await real.rename(...names);
  };
  return { ...real, rename };
});

test('an object that is stored between the two looks of a sweep is kept', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'reflect-storage-'));
  try {
    const driver = localFolderStorage({ folder });
    const payload = jsonPayload(textOf(5_000));
    const [claim] = await driver.store(from('default'), [payload]);
    const [file] = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    const path = join(file!.parentPath, file!.name);
    await utimes(path, 0, 0);
    // The sweep has seen the old time. Now another process stores the object, and then the sweep goes on.
    beforeRename = () => driver.store(from('default'), [payload]);
    expect(await driver.sweep({ olderThanMs: 60_000 })).toEqual({ deleted: 0, freedBytes: 0 });
    expect(beforeRename).toBeUndefined();
    expect(textIn((await driver.retrieve({}, [claim!]))[0])).toBe(textIn(payload));
  } finally {
    await rm(folder, { recursive: true });
  }
});
