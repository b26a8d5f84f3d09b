import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from '../../../src/lib/files/make-folder';

let above: string;
beforeEach(async () => {
  above = await mkdtemp(join(tmpdir(), 'reflect-folder-'));
});
afterEach(() => rm(above, { recursive: true }));

test('makes a folder and those above it, says which, and once', async () => {
  const path = join(above, 'a', 'b', 'c');
  expect(await makeFolder(path, 0o700)).toEqual([join(above, 'a'), join(above, 'a', 'b'), path]);
  expect(await makeFolder(path)).toEqual([]);
  expect((await stat(join(above, 'a'))).mode & 0o777).toBe(0o700);
});

test('several that make it at the same time do not fail each other', async () => {
  const path = join(above, 'a', 'b', 'c');
  const made = await Promise.all(Array.from({ length: 20 }, () => makeFolder(path)));
  expect(made.flat().toSorted()).toEqual([join(above, 'a'), join(above, 'a', 'b'), path]);
});

test('fails with what is wrong', async () => {
  await writeFile(join(above, 'file'), '');
  await expect(makeFolder(join(above, 'file', 'a', 'b'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  await expect(makeFolder(`${above}/\0`)).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
});

test('fails where no folder can be made, though the one above is there', async () => {
  // What /proc answers on Linux; elsewhere there is no such folder, and no right to make one.
  await expect(makeFolder('/proc/none/here')).rejects.toMatchObject({
    code: expect.stringMatching(/^(?:ENOENT|EACCES|EROFS|EPERM)$/) as string,
  });
});
