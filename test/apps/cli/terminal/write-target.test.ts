import { execFileSync } from 'node:child_process';
import {
  constants,
  createReadStream,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { writeTarget } from '../../../../src/apps/cli/terminal/write-target';

describe('where a command writes', () => {
  let folder = '';
  const at = (...names: string[]): string => path.join(folder, ...names);
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'write-target-'));
    writeFileSync(at('items.jsonl'), '{"id":"a"}');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('a file is there once it is whole, and nothing is left beside it', async () => {
    writeFileSync(at('out'), 'before');
    const target = await writeTarget(at('out'), [at('items.jsonl'), '-']);
    expect(readFileSync(at('out'), 'utf8')).toBe('before');
    await target.write(['one\n', 'two\n']);
    expect(readFileSync(at('out'), 'utf8')).toBe('one\ntwo\n');
    const broken = (async function* () {
      yield 'three';
      throw new Error('the server is away');
    })();
    await expect(target.write(broken)).rejects.toThrow('the server is away');
    expect(readFileSync(at('out'), 'utf8')).toBe('one\ntwo\n');
    expect(readdirSync(folder).sort()).toEqual(['items.jsonl', 'out']);
  });

  test.each<[string, (file: string) => void]>([
    ['itself', () => undefined],
    ['by a link', (file) => symlinkSync('items.jsonl', file)],
    ['by another name of the same file', (file) => linkSync(at('items.jsonl'), file)],
    ['by a link to its folder', () => symlinkSync('.', at('other'))],
  ])('what the command reads is refused, %s', async (how, make) => {
    const file =
      how === 'itself'
        ? at('items.jsonl')
        : how === 'by a link to its folder'
          ? at('other', 'items.jsonl')
          : at('alias');
    make(file);
    await expect(writeTarget(file, [at('items.jsonl')])).rejects.toMatchObject({ type: 'InvalidInput' });
    expect(readFileSync(at('items.jsonl'), 'utf8')).toBe('{"id":"a"}');
  });

  test('a link stays one, and what it stands for is written, also where that is not there yet', async () => {
    mkdirSync(at('far'));
    symlinkSync(path.join('far', 'real'), at('link'));
    for (const said of ['first', 'second']) {
      await (await writeTarget(at('link'))).write([said]);
      expect(readFileSync(at('far', 'real'), 'utf8')).toBe(said);
    }
    expect(readdirSync(at('far'))).toEqual(['real']);
  });

  test('a pipe and a device are written into, and are what they were', async () => {
    execFileSync('mkfifo', [at('pipe')]);
    const writing = (await writeTarget(at('pipe'))).write(['through', ' it']);
    expect(await text(createReadStream(at('pipe')))).toBe('through it');
    await writing;
    expect(statSync(at('pipe')).isFIFO()).toBe(true);
    await (await writeTarget('/dev/null')).write(['nowhere']);
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
    expect(openSync('/dev/null', constants.O_RDONLY)).toBeGreaterThan(0);
  });

  test('a folder, or a folder that is not there, is told before anything is done', async () => {
    await expect(writeTarget(folder)).rejects.toMatchObject({
      type: 'NotWritten',
      message: expect.stringContaining('folder') as string,
    });
    await expect(writeTarget(at('none', 'out'))).rejects.toMatchObject({ type: 'NotWritten' });
    await expect(writeTarget(at('items.jsonl', 'out'))).rejects.toMatchObject({ type: 'NotWritten' });
  });

  test('what goes wrong while it is written is told of the file', async () => {
    const full = await writeTarget('/dev/full');
    await expect(full.write(['too much'])).rejects.toMatchObject({
      type: 'NotWritten',
      message: expect.stringContaining('/dev/full') as string,
    });
    mkdirSync(at('folder'));
    const lost = await writeTarget(at('folder', 'out'));
    rmSync(at('folder'), { recursive: true });
    await expect(lost.write(['text'])).rejects.toMatchObject({ type: 'NotWritten' });
  });
});
