import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { experiment } from '../../../src/apps/cli/experiment/experiment';
import type { BatchLine } from '../../../src/kinds/batch/contract/batch-results';
import type { ExperimentReport } from '../../../src/apps/experiment/rows';
import type { ReflectionSpec } from '../../../src/loop/contract/spec';
import { ScriptedOpenAI } from '../../../src/apps/testing/scripted-model/server';
import { InProcess } from '../../apps/cli/in-process';
import { type LoopWorld, startWorld } from '../../../testing/support/loop-world';

// The account of the judge is empty: what was made is neither good nor bad.
describe('items that nobody could judge', () => {
  let world: LoopWorld;
  let openai: ScriptedOpenAI;
  /** Whether the judge answers. */
  let isPaid = false;
  let judged = 0;
  const folder = mkdtempSync(path.join(tmpdir(), 'unjudged-'));
  beforeAll(async () => {
    openai = await ScriptedOpenAI.start({
      script: ({ body, last }) => {
        if (body.model === 'writer') return { reply: 'A line.' };
        judged += 1;
        // The third item passes from the start.
        if (!isPaid && !JSON.stringify(body.messages).includes('fog')) return { status: 402 };
        const code = /nowhere else, is: (\w+)$/.exec(last)?.[1];
        return { reply: { code, valid: true, score: 0.9, issues: [] } };
      },
    });
    const models = ['writer', 'judge'].map((name) => ({ name, model: name, baseUrl: openai.baseUrl }));
    world = await startWorld({ models });
  });
  afterAll(async () => {
    await world?.close();
    await openai?.close();
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => {
    isPaid = false;
    judged = 0;
  });

  const loop: ReflectionSpec = {
    task: 'Write a line about {{ state.topic }}.',
    generator: { action: 'llm.call', model: 'writer', prompt: '{{ task }}' },
    evaluator: { type: 'llm', model: 'judge' },
    maxIterations: 2,
  };
  const topics = ['rain', 'snow', 'fog'];

  test('of a batch have a state of their own, no part in the pass rate, and are judged by a retry', async () => {
    const { batches: batch } = world.client;
    const workflowId = `unjudged-${Date.now()}`;
    const items = topics.map((topic) => ({ id: topic, topic }));
    const linesOf = async (): Promise<BatchLine[]> => {
      const lines: BatchLine[] = [];
      for await (const line of batch.results(workflowId)) lines.push(line);
      return lines;
    };
    await batch.start(items, loop, { workflowId });
    expect(await batch.result(workflowId)).toMatchObject({
      passed: 1,
      notPassed: 0,
      failed: 2,
      unjudged: 2,
      passRate: 1,
    });
    const [first] = await linesOf();
    expect(first).toMatchObject({ status: 'failed', output: 'A line.', score: null, error: { type: 'Unjudged' } });
    const report = await world.client.report(workflowId);
    expect(report).toMatchObject({ kind: 'batch', unjudged: 2, passRate: 1 });
    isPaid = true;
    judged = 0;
    await batch.start(items, loop, { workflowId, retry: true });
    const again = await batch.result(workflowId);
    expect(again).toMatchObject({ passed: 3, failed: 0, passRate: 1 });
    expect(again).not.toHaveProperty('unjudged');
    expect(judged).toBe(2);
  });

  test('of an experiment, too: the same command judges them, and pays for nothing else', async () => {
    const spec = path.join(folder, 'loop.json');
    const cases = path.join(folder, 'cases.jsonl');
    writeFileSync(spec, JSON.stringify(loop));
    writeFileSync(cases, topics.map((topic) => JSON.stringify({ id: topic, topic })).join('\n'));
    const commands = new InProcess(world);
    const options = {
      variant: [spec],
      baseline: ['none' as const],
      name: 'unjudged',
      concurrency: 3,
      seed: 1,
      json: true,
    };
    const run = async () => JSON.parse(await commands.printed(() => experiment(cases, options))) as ExperimentReport;
    const first = await run();
    expect(first.arms).toMatchObject([{ cases: 3, failed: 0, unjudged: 2, passed: { count: 1, of: 1 } }]);
    expect(first.outcomes.map(({ unjudged = false }) => unjudged)).toEqual([true, true, false]);
    isPaid = true;
    judged = 0;
    const second = await run();
    expect(second.arms).toMatchObject([{ cases: 3, failed: 0, passed: { count: 3, of: 3 } }]);
    expect(second.arms[0]).not.toHaveProperty('unjudged');
    expect(judged).toBe(2);
    commands.close();
  });
});
