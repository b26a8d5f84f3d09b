import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ScriptedOpenAI } from '../../../src/apps/testing/scripted-model/server';
import type { Outcome } from '../../../testing/models/bench/log';
import { markdownOf, type Row, rowsOf } from '../../../testing/models/bench/rows';
import { BenchStopped, runBench } from '../../../testing/models/bench/run';
import { revisionsOf } from '../../../testing/models/bench/revisions';
import { runScripted, scriptedPairs, scriptFor } from '../../../testing/models/bench/scripted';
import { allTasks } from '../../../testing/models/tasks';
import '../../../testing/support/quiet';
import { testAddress } from '../../../testing/support/temporal-server';

const folder = mkdtempSync(path.join(tmpdir(), 'bench-models-'));
const log = path.join(folder, 'log.jsonl');
const TOKENS_A_CALL = 110;

let outcomes: Outcome[];
let rows: Row[];
beforeAll(async () => {
  outcomes = await runScripted({ address: testAddress(), log });
  rows = rowsOf(outcomes, 1);
}, 60_000);

/** Kind, arm, valid, right, of how many, mean of calls, points of right outputs against ours. */
test.each([
  ['extraction', 'single', 1, 0, 2, 1, -1],
  ['extraction', 'best-of-n', 1, 1, 2, 2.5, -0.5],
  ['extraction', 'retry', 2, 1, 2, 2.5, -0.5],
  ['extraction', 'schema', 2, 1, 2, 1, -0.5],
  ['extraction', 'revision', 2, 1, 2, 2, -0.5],
  ['extraction', 'ours', 2, 2, 2, 1.5, undefined],
  ['rewriting', 'best-of-n', 1, 0, 1, 1, -1],
  ['code', 'retry', 1, 1, 1, 2, 0],
  ['summary', 'retry', 0, 0, 1, 3, 0],
  ['summary', 'best-of-n', 1, 1, 1, 1, 1],
  ['all', 'single', 3, 1, 5, 1, -0.6],
  ['all', 'best-of-n', 4, 2, 5, 1.8, -0.4],
  ['all', 'retry', 4, 2, 5, 2.4, -0.4],
  ['all', 'revision', 5, 3, 5, 1.4, -0.2],
  ['all', 'ours', 5, 4, 5, 1.6, undefined],
])('%s, %s: the numbers are those of the script', (kind, arm, valid, right, of, calls, points) => {
  const row = rows.find((each) => each.kind === kind && each.arm === arm)!;
  expect(row).toMatchObject({ failed: 0, valid: { count: valid, of }, right: { count: right, of } });
  expect(row.calls!.value).toBeCloseTo(calls);
  expect(row.tokens!.value).toBeCloseTo(calls * TOKENS_A_CALL);
  expect(row.promptTokens!.value).toBeCloseTo(calls * 100);
  expect(row.completionTokens!.value).toBeCloseTo(calls * 10);
  if (points === undefined) expect(row.rightVersusOurs).toBeUndefined();
  else expect(row.rightVersusOurs!.value).toBeCloseTo(points);
});

test('an arm that cannot do every kind of task is not in the rows of all', () => {
  expect(rows.filter(({ kind }) => kind === 'all').map(({ arm }) => arm)).toEqual([
    'single',
    'best-of-n',
    'retry',
    'revision',
    'ours',
  ]);
  expect(rows).toHaveLength(6 + 5 + 5 + 5 + 5);
});

test('each revision of a loop is compared with the version that it was made from, by the hidden check', () => {
  const changes = (arm: string): unknown => rows.find((row) => row.kind === 'all' && row.arm === arm)!.revisions;
  expect(changes('revision')).toEqual({ better: 2, same: 0, worse: 0 });
  expect(changes('ours')).toEqual({ better: 3, same: 0, worse: 0 });
  expect(changes('retry')).toBeUndefined();
  const order = outcomes.find(({ task, arm }) => task === 'extraction-order-1' && arm === 'revision')!;
  // Nothing of a text that is no JSON can be right; the sample that is wrong has one fault.
  expect(order.revisions).toEqual([
    { strategy: expect.any(String) as string, before: null, after: 1, change: 'better' },
  ]);
});

test('the table has a line for each row, with intervals', () => {
  const lines = markdownOf(rows).split('\n');
  expect(lines).toHaveLength(rows.length + 2);
  // Wilson's interval of 4 of 5.
  expect(lines.at(-1)).toMatch(/^\| all \| ours \| 5\/5 \(57–100 %\) \| 4\/5 \(38–96 %\) \| – \| 1\.60 \(/);
});

test('a benchmark that was killed goes on where it was, and asks nothing twice', async () => {
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
  expect(lines).toHaveLength(outcomes.length);
  const cut = path.join(folder, 'cut.jsonl');
  const done = 9;
  writeFileSync(cut, `${lines.slice(0, done).join('\n')}\n${lines[done]!.slice(0, 40)}`);
  const script = scriptFor(scriptedPairs().slice(done));
  const again = await runScripted({ address: testAddress(), log: cut, script });
  const without = (all: Outcome[]) => all.map(({ seconds: _seconds, ...rest }) => rest);
  expect(without(again)).toEqual(without(outcomes));
  // Now all is in it, whole.
  expect(without(await runScripted({ address: testAddress(), log: cut, script: [] }))).toEqual(without(outcomes));
});

test('failures are told apart from wrong outputs, end the benchmark when nothing answers, and are tried again', async () => {
  const failures = path.join(folder, 'failures.jsonl');
  const openai = await ScriptedOpenAI.start({ script: [{ status: 401, times: 'always' }] });
  const options = {
    tasks: allTasks().slice(0, 4),
    arms: ['single'] as const,
    calls: 2,
    seed: 1,
    model: 'm',
    address: testAddress(),
    log: failures,
    baseUrl: openai.baseUrl,
  };
  const seen: Outcome[] = [];
  const run = runBench({ ...options, onProgress: (_done, _of, last) => seen.push(last) });
  await expect(run).rejects.toThrow(BenchStopped);
  expect(seen).toHaveLength(3);
  expect(seen[0]).toMatchObject({ valid: false, right: false, calls: 0, error: expect.stringContaining('401') });
  expect(rowsOf(seen, 1)[0]).toMatchObject({ failed: 3, valid: { count: 0, of: 3 }, calls: undefined });
  openai.play([{ reply: 'no' }, { reply: 'no' }, { reply: 'no' }, { reply: 'no' }]);
  const second = await runBench(options);
  expect(second.map(({ error, calls }) => [error, calls])).toEqual(Array.from({ length: 4 }, () => [undefined, 1]));
  await openai.close();
});

test('a revision is better, the same or worse by the number of faults, and only versions that are there count', async () => {
  const task = allTasks().find(({ id }) => id === 'code-slug')!;
  const { right, wrong } = task.samples;
  const version = (iteration: number, output: string, more: object = {}) =>
    ({ iteration, output, origin: 'revision', ...more }) as const;
  const versions = [
    version(1, right, { origin: 'draft' }),
    version(2, 'no code', { strategy: 'targeted_edit' }),
    version(3, 'nor this'),
    version(4, wrong[0]!, { basedOn: 1 }),
    version(5, '', { omittedBytes: 9 }),
    version(6, right),
    version(7, right, { origin: 'override' }),
  ];
  const found = await revisionsOf(task, versions as never);
  expect(found.map(({ change }) => change)).toEqual(['worse', 'same', 'worse']);
  expect(found[0]).toEqual({ strategy: 'targeted_edit', before: 0, after: null, change: 'worse' });
  expect(found[2]!.after).toBeGreaterThan(0);
});

test('an endpoint that does not answer is waited for, and what it did not answer is done again', async () => {
  const openai = await ScriptedOpenAI.start({
    script: (_request, index) => (index < 5 ? { status: 503 } : { reply: 'no' }),
  });
  const waited: string[] = [];
  const options = {
    tasks: allTasks().slice(0, 2),
    arms: ['single'] as const,
    calls: 1,
    seed: 1,
    model: 'm',
    address: testAddress(),
    baseUrl: openai.baseUrl,
    onWait: (why: string) => waited.push(why),
  };
  const done = await runBench({ ...options, patience: { everyMs: 20, forMs: 60_000 } });
  expect(done.map(({ error, calls }) => [error, calls])).toEqual([
    [undefined, 1],
    [undefined, 1],
  ]);
  expect(waited).toEqual([expect.stringContaining('503')]);
  openai.play(() => ({ status: 503 }));
  const impatient = runBench({ ...options, patience: { everyMs: 20, forMs: 0 } });
  await expect(impatient).rejects.toThrow(/^the endpoint does not answer: .*503/);
  await openai.close();
}, 60_000);
