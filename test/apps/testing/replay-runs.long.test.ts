import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReflectionSpec } from '../../../src/loop/contract/spec';
import { recordRun, ReflectionTestEnvironment, replayRuns, RunsChangedError } from '../../../src/apps/testing';
import { firstDifference } from '../../../src/apps/testing/replay/replay-runs';
import { testAddress } from '../../../testing/support/temporal-server';
import '../../../testing/support/quiet';

const SPEC: ReflectionSpec = {
  name: 'greeting',
  task: 'Greet the reader.',
  generator: { action: 'llm.call', prompt: '{{ task }}' },
  evaluator: { type: 'regex', pattern: 'hello' },
  maxIterations: 3,
};

const changesOf = async (replaying: Promise<unknown>) => {
  const error: unknown = await replaying.catch((caught: unknown) => caught);
  if (!(error instanceof RunsChangedError)) throw new Error(`RunsChangedError was expected, not ${String(error)}`);
  return error.changes;
};

describe('recorded runs', () => {
  let env: ReflectionTestEnvironment;
  let folder: string;
  let file: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'recorded-runs-'));
    env = await ReflectionTestEnvironment.create({ address: testAddress() });
    await env.run(SPEC, {
      workflowId: `my run/${env.taskQueue}`,
      script: [{ reply: 'good day' }, { reply: 'hello reader' }],
    });
    [file] = (await recordRun(env.client, `my run/${env.taskQueue}`, folder)) as [string];
  });
  afterAll(async () => {
    await env.teardown();
    rmSync(folder, { recursive: true, force: true });
  });

  test('are files that replay, without a server, and say how they ended', async () => {
    expect(file).toBe(join(folder, `my%20run%2f${env.taskQueue}.json`));
    expect(await replayRuns(folder)).toEqual([{ name: `my%20run%2f${env.taskQueue}`, end: 'quality_met' }]);
  }, 60_000);

  test('say nothing of the host that they were recorded on', () => {
    const text = readFileSync(file, 'utf8');
    expect(text).not.toContain('127.0.0.1');
    expect(text).not.toMatch(/"identity":"(?!recorder")/);
  });

  test('are named with what differs when the code would do something else, or end in another way', async () => {
    const text = readFileSync(file, 'utf8');
    const changed = join(folder, 'changed');
    try {
      const other = JSON.parse(text) as { events: Record<string, { result?: { payloads: { data: string }[] } }>[] };
      const end = other.events.at(-1)!['workflowExecutionCompletedEventAttributes']!.result!.payloads[0]!;
      const result = JSON.parse(Buffer.from(end.data, 'base64').toString()) as Record<string, unknown>;
      end.data = Buffer.from(JSON.stringify({ ...result, convergenceReason: 'plateau' })).toString('base64');
      mkdirSync(changed);
      writeFileSync(join(changed, 'ends.json'), JSON.stringify(other));
      writeFileSync(
        join(changed, 'steps.json'),
        text.replaceAll('"name":"reflection.generate"', '"name":"reflection.dictate"'),
      );
      const changes = await changesOf(replayRuns(changed));
      expect(changes).toEqual([
        { name: 'ends', problem: '/result/convergenceReason was "plateau" and is "quality_met"' },
        { name: 'steps', problem: expect.stringMatching(/^other commands: /) },
      ]);
    } finally {
      rmSync(changed, { recursive: true, force: true });
    }
  }, 60_000);

  test('a folder without recordings is a mistake, and not a success', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'recorded-runs-'));
    try {
      await expect(replayRuns(empty)).rejects.toThrow(/no recorded runs/);
    } finally {
      rmSync(empty, { recursive: true });
    }
  });
});

test.each<[unknown, unknown, string | undefined]>([
  [{ a: 1 }, { a: 1, b: 2 }, undefined],
  [{ a: [1, { b: 2 }] }, { a: [1, { b: 2, c: 3 }] }, undefined],
  [{ a: [1] }, { a: [1, 2] }, '/a was [1] and is [1,2]'],
  [{ a: { b: null } }, { a: {} }, '/a/b was null and is nothing'],
  [undefined, { a: 1 }, 'the end was nothing and is {"a":1}'],
])('the first difference of %j and %j', (before, now, difference) => {
  expect(firstDifference(before, now)).toBe(difference);
});
