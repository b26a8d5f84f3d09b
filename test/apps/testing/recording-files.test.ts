import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { recordingName, writeRecording } from '../../../src/apps/testing/replay/record-run';

test.each([
  ['order-17', 'order-17'],
  ['a_b.c-D', 'a_b.c-D'],
  ['a/b', 'a%2fb'],
  ['../a', '..%2fa'],
  ['my run', 'my%20run'],
  ['50%', '50%25'],
  ['a~1', 'a%7e1'],
  ['Übung', '%c3%9cbung'],
  ['🐕', '%f0%9f%90%95'],
  ['\\', '%5c'],
])('the recording of %j is called %s', (workflowId, name) => {
  expect(recordingName(workflowId)).toBe(name);
});

test('long ids have names that file systems take, and that differ', () => {
  const names = ['x', 'y'].map((end) => recordingName(`${'🐕'.repeat(1000)}${end}`));
  expect(new Set(names).size).toBe(2);
  for (const name of names) expect(name.length).toBeLessThanOrEqual(200);
});

describe('a folder of recordings', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'recordings-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const history = (mark: string) => ({ events: [{ mark }] });
  const written = (id: string, ...marks: string[]) =>
    writeRecording(folder, id, marks.map(history)).map((file) => basename(file));

  test('keeps runs apart whose ids are alike', () => {
    expect(written('a/b', 'slash')).toEqual(['a%2fb.json']);
    expect(written('a-b', 'dash')).toEqual(['a-b.json']);
    expect(written('a', 'one', 'two')).toEqual(['a~1.json', 'a~2.json']);
    expect(written('a-1', 'other')).toEqual(['a-1.json']);
    expect(readdirSync(folder)).toHaveLength(5);
    expect(readFileSync(join(folder, 'a%2fb.json'), 'utf8')).toContain('slash');
  });

  test('keeps nothing of an earlier recording of the same run, and everything of others', () => {
    const others = ['a-b~2.json', 'a~b.json', 'a~2.txt', 'notes.json', 'aa~2.json'];
    for (const file of others) writeFileSync(join(folder, file), '{}');
    written('a', 'one', 'two', 'three');
    written('a', 'one', 'two');
    expect(readdirSync(folder).toSorted()).toEqual([...others, 'a~1.json', 'a~2.json'].toSorted());
    written('a', 'whole');
    expect(readdirSync(folder).toSorted()).toEqual([...others, 'a.json'].toSorted());
    written('a', 'one', 'two');
    expect(readdirSync(folder).toSorted()).toEqual([...others, 'a~1.json', 'a~2.json'].toSorted());
  });
});
