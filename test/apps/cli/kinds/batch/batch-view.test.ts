import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ItemLines } from '../../../../../src/apps/cli/support/item-lines';
import { batchDoing, batchStanding, batchText } from '../../../../../src/apps/cli/kinds/batch/batch-view';
import { NO_USAGE } from '../../../../../src/lib/base/tokens';
import type { BatchProgress, BatchResult } from '../../../../../src/kinds/batch/contract/batch-results';
import { InvalidSpecError } from '../../../../../src/loop/errors/errors';

const progress: BatchProgress = {
  phase: 'running',
  items: 1_000,
  passed: 0,
  notPassed: 0,
  failed: 0,
  running: 20,
  tokenUsage: NO_USAGE,
  budgetSpent: false,
  startedAt: '2026-01-01T00:00:00.000Z',
};

describe('how far a batch is', () => {
  test.each<[Partial<BatchProgress>, string]>([
    [{}, '0 of 1,000 items (0 %) · 20 running'],
    [{ passed: 300, notPassed: 90, failed: 10 }, '400 of 1,000 items (40 %) · 75 % passed · 10 failed · 20 running'],
    [
      { passed: 1, phase: 'paused', budgetSpent: true },
      '1 of 1,000 items (0 %) · 100 % passed · paused · budget spent',
    ],
    [
      { passed: 300, failed: 110, unjudged: 100 },
      '410 of 1,000 items (41 %) · 96 % passed · 10 failed · 100 not judged · 20 running',
    ],
    [{ items: 0, phase: 'preparing' }, '0 of 0 items (–) · preparing'],
  ])('%j', (more, text) => {
    expect(batchStanding({ ...progress, ...more })).toBe(text);
  });

  test('a bar, the rate and what is left', () => {
    const half = { ...progress, passed: 500 };
    expect(batchDoing(half, undefined)).toBe(`[${'█'.repeat(10)}${'░'.repeat(10)}] ${batchStanding(half)}`);
    expect(batchDoing(half, 10)).toContain(' · 10.0/s · 50.0 s left');
  });

  test('what came of it, and what to do about the rest', () => {
    const result = { ...progress, notStarted: 0, executionTime: 61_000, passRate: 1 } as unknown as BatchResult;
    const text = (more: Partial<BatchResult>) => stripVTControlCharacters(batchText({ ...result, ...more }));
    expect(text({ passed: 1_000 })).toMatch(/^✓ 1,000 of 1,000 items passed \(100 % of those that ended\) · 1 min 1 s/);
    const left = text({ passed: 5, notPassed: 3, failed: 2, notStarted: 990, budgetSpent: true });
    expect(left).toMatch(/^! 5 of 1,000 items passed/);
    expect(left).toContain('3 not passed');
    expect(left).toContain('2 failed');
    expect(left).toContain('990 not started: the budget is spent');
    expect(left).toContain('--retry');
    const open = text({ passed: 5, failed: 3, unjudged: 3 });
    expect(open).toContain('of those that ended and were judged');
    expect(open).toMatch(/ {2}3 could not be judged\n.*was not judged.*--retry/);
    expect(open).not.toContain('failed\n');
    expect(text({ passed: 999, notPassed: 1 })).not.toContain('--retry');
  });
});

describe('the lines of items', () => {
  const folder = mkdtempSync(join(tmpdir(), 'item-lines-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  async function read(text: string) {
    const file = join(folder, 'items.jsonl');
    writeFileSync(file, text);
    const lines = new ItemLines(file);
    const items = [];
    for await (const item of lines.read()) items.push(item);
    return { lines, items };
  }
  const told = (lines: ItemLines, path: string) =>
    (lines.locateProblems(new InvalidSpecError([{ path, message: 'is wrong' }])) as Error).message;

  test('are values; empty ones are skipped, and a byte order mark', async () => {
    const { lines, items } = await read('\ufeff{"id":"a"}\r\n\r\n{"id":"b","n":1}\n');
    expect(items).toEqual([{ id: 'a' }, { id: 'b', n: 1 }]);
    expect(told(lines, '/items/1/id')).toMatch(/items\.jsonl:3 {2}id: is wrong/);
    expect(told(lines, '/items/0')).toMatch(/items\.jsonl:1 {2}is wrong/);
    expect(told(lines, '/items/7')).toMatch(/items\.jsonl:\? {2}is wrong/);
    expect(told(lines, '/items')).toMatch(/items\.jsonl {2}is wrong/);
  });

  test('mistakes of something else stay as they are; of many, the first are told', async () => {
    const { lines } = await read('{}');
    const other = new Error('another one');
    expect(lines.locateProblems(other)).toBe(other);
    const ofLoop = new InvalidSpecError([{ path: '/loop', message: 'is required' }]);
    expect(lines.locateProblems(ofLoop)).toBe(ofLoop);
    const many = Array.from({ length: 30 }, (_, at) => ({ path: `/items/${at}`, message: 'is wrong' }));
    expect((lines.locateProblems(new InvalidSpecError(many)) as Error).message).toContain('… and 10 more');
  });

  test('what cannot be read is said', async () => {
    await expect(read('{"id":')).rejects.toThrow(/items\.jsonl:1 {2}is not JSON/);
    const large = read('{"id":"a"}\n{"order":2512292042121000001}');
    await expect(large).rejects.toThrow(/items\.jsonl:2 {2}\/order: 2512292042121000001 would lose digits/);
    const nowhere = new ItemLines(join(folder, 'none.jsonl')).read();
    await expect(nowhere.next()).rejects.toThrow(/there is no such file/);
    await expect(new ItemLines(folder).read().next()).rejects.toThrow(/Cannot read/);
  });
});
