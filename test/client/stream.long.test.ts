import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReflectionClient, type StreamEvent } from '../../src/client';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { eventually } from '../../testing/support/eventually';
import { killHard, startScript } from '../../testing/support/processes';
import { testAddress } from '../../testing/support/temporal-server';

const DRAFT = Array.from({ length: 30 }, (_, at) => `Line ${at + 1} of the draft.`).join('\n');
const BETTER = Array.from({ length: 20 }, (_, at) => `Line ${at + 1} is better – größer 🌊.`).join('\n');

const spec: ReflectionSpec = {
  generator: { action: 'llm.call', prompt: 'Write.' },
  evaluator: { type: 'regex', pattern: 'better' },
  revision: { strategy: 'full_rewrite' },
  stream: true,
};

/** What a reader holds after all events: the text of each call. */
function textsOf(events: readonly StreamEvent[]): string[] {
  const texts = new Map<string, string>();
  for (const event of events) {
    if (event.type === 'reset') texts.set(event.call, '');
    if (event.type !== 'text') continue;
    const before = texts.get(event.call) ?? '';
    expect(event.from).toBe(before.length);
    texts.set(event.call, before + event.delta);
  }
  return [...texts.values()];
}

test('two processes see the same text, in order, through a kill -9 of the worker', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'reflect-stream-'));
  const taskQueue = `stream-${randomUUID()}`;
  const model = await ScriptedOpenAI.start({
    script: [
      // It stops in the middle: however slow the machine, the worker dies before the call is over.
      { fault: 'stall', reply: `${DRAFT} And what nobody will read.` },
      { reply: DRAFT, chunkDelayMs: 100 },
      { reply: BETTER, chunkDelayMs: 100 },
    ],
  });
  const env = { TEMPORAL_ADDRESS: testAddress(), REFLECT_TASK_QUEUE: taskQueue, OPENAI_BASE_URL: model.baseUrl };
  const startWorker = () => startScript('testing/support/worker-process.ts', { readyWhen: /ready/, env });
  const client = await ReflectionClient.connect({ address: testAddress(), taskQueue });
  let worker = await startWorker();
  const { workflowId, result } = await client.start(spec);
  const files = ['one', 'other'].map((name) => join(folder, name));
  const eventsOf = (file: string): StreamEvent[] =>
    existsSync(file)
      ? readFileSync(file, 'utf8')
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line) as StreamEvent)
      : [];
  for (const file of files) {
    await startScript('testing/support/stream-process.ts', { args: [workflowId, file], readyWhen: /ready/, env });
  }
  const seen = () => files.map((file) => textsOf(eventsOf(file))[0]?.length ?? 0);
  await eventually(seen, (lengths) => lengths.every((length) => length > 100), 30_000);
  await killHard(worker);
  worker = await startWorker();
  expect(await result()).toMatchObject({ success: true, finalOutput: BETTER });
  const all = await eventually(
    () => files.map(eventsOf),
    (events) => events.every((each) => each.at(-1)?.type === 'ended'),
    10_000,
  );
  for (const events of all) {
    expect(textsOf(events)).toEqual([DRAFT, BETTER]);
    expect(events.filter(({ type }) => type === 'reset')).toHaveLength(1);
    // It came in pieces, not at the end.
    const pieces = events.filter(({ type }) => type === 'text');
    expect(pieces.length).toBeGreaterThan(6);
    const others = events.filter(({ type }) => type !== 'text' && type !== 'reset');
    expect(others).toMatchObject([
      { type: 'version', iteration: 1, output: DRAFT },
      { type: 'verdict', iteration: 1, version: { evaluation: { satisfactory: false } } },
      { type: 'version', iteration: 2, output: BETTER },
      { type: 'verdict', iteration: 2, version: { evaluation: { satisfactory: true } } },
      { type: 'ended', status: 'completed', success: true, iterationsUsed: 2, output: BETTER },
    ]);
  }
  await killHard(worker);
  await client.close();
  await model.close();
  rmSync(folder, { recursive: true, force: true });
}, 300_000);
