import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockFolder } from '../../src/memory/folder-lock';
import { openMemory } from '../../src/memory';
import { anInsight, describeMemory } from './conformance';

let folder: string;
/** Making a database takes seconds, so all cases use one. */
let place: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reflect-memory-'));
  place = join(folder, 'memory');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describeMemory('PGlite', async (options) => openMemory({ ...options, folder: place }));

const WRITER = join(__dirname, 'writer.ts');

/** A process that writes insights and says which are written. */
function startWriter(into: string): { process: ChildProcess; ended: Promise<unknown> } {
  const child = spawn(process.execPath, ['--import', 'tsx', WRITER, into], { stdio: ['ignore', 'pipe', 'inherit'] });
  return { process: child, ended: once(child, 'exit') };
}

describe('embedded memory', () => {
  test('L9 a process that is killed while it writes leaves each insight once, and what it said was written is there', async () => {
    const writer = startWriter(place);
    let lines = '';
    for await (const chunk of writer.process.stdout!) {
      lines += String(chunk);
      if (lines.split('\n').length > 20) break;
    }
    writer.process.kill('SIGKILL');
    await writer.ended;
    const said = Math.max(...lines.slice(0, lines.lastIndexOf('\n')).split('\n').map(Number));
    expect(said).toBeGreaterThanOrEqual(20);
    const memory = openMemory({ folder: place });
    const texts = (await memory.list({ tenant: 't', limit: 1_000 })).map(({ text }) => text);
    expect(new Set(texts).size).toBe(texts.length);
    for (let index = 1; index <= said; index += 1) expect(texts).toContain(`lesson ${index}`);
    await memory.close();
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
