import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ownFolderPrefix, removeLeftFolders } from '../../../src/lib/sandbox/jail-folder';

const folder = mkdtempSync(path.join(tmpdir(), 'left-'));
const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});
const folders = (): string[] => readdirSync(folder).filter((name) => name.startsWith('reflect-sandbox-'));

/** A worker that has run code. */
async function worker(): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--import', 'tsx', path.join(__dirname, 'owning-worker.ts')], {
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(child);
  const [said] = (await once(child.stdout!, 'data')) as [Buffer];
  expect(said.toString()).toBe('42\n');
  return child;
}

async function killed(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

test('what a killed worker leaves, the next one removes; what a living one has, it does not', async () => {
  const first = await worker();
  const [ofFirst] = folders();
  const second = await worker();
  const [ofSecond] = folders().filter((name) => name !== ofFirst);
  expect(folders()).toHaveLength(2);
  await killed(first);
  expect(folders()).toHaveLength(2);
  await worker();
  expect(folders()).toHaveLength(2);
  expect(folders()).toContain(ofSecond);
  expect(folders()).not.toContain(ofFirst);
  await killed(second);
});

describe('whose owner is', () => {
  const [, , machine, boot, namespace, pid, start] = ownFolderPrefix().split('-');
  const other = '0badc0de';
  const NOBODY = String(2 ** 22 + 1);
  const called = (parts: string[]): string => ['reflect', 'sandbox', ...parts, 'abcdef'].join('-');

  test.each<[string, string[], left: boolean]>([
    ['this process', [machine!, boot!, namespace!, pid!, start!], false],
    ['a process that had the number of this one', [machine!, boot!, namespace!, pid!, '1'], true],
    ['a process that is gone', [machine!, boot!, namespace!, NOBODY, '1'], true],
    ['of an earlier boot', [machine!, other, namespace!, pid!, start!], true],
    ['of another machine', [other, boot!, namespace!, NOBODY, '1'], false],
    ['in another container', [machine!, boot!, '1', NOBODY, '1'], false],
    ['not named', ['x'], false],
  ])('%s', (_name, parts, left) => {
    const parent = mkdtempSync(path.join(folder, 'parent-'));
    const name = called(parts);
    mkdirSync(path.join(parent, name, 'snapshots'), { recursive: true });
    removeLeftFolders(parent);
    expect(readdirSync(parent)).toEqual(left ? [] : [name]);
  });

  test('gone: a link is removed, and not what it leads to', () => {
    const parent = mkdtempSync(path.join(folder, 'parent-'));
    const precious = mkdtempSync(path.join(folder, 'precious-'));
    mkdirSync(path.join(precious, 'inside'));
    symlinkSync(precious, path.join(parent, called([machine!, boot!, namespace!, NOBODY, '1'])));
    removeLeftFolders(parent);
    expect(readdirSync(precious)).toEqual(['inside']);
    expect(readdirSync(parent)).toEqual([]);
  });
});
