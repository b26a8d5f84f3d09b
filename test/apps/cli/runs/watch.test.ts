import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { watch } from '../../../../src/apps/cli/runs/watch';
import { exitCodeOf } from '../../../../src/apps/cli/support/exit-codes';
import { defineAction } from '../../../../src/worker';
import { type LoopWorld, startWorld } from '../../../../testing/support/loop-world';
import { InProcess } from '../in-process';

const slow = defineAction({
  name: 'slow',
  description: 'Gives the value of an iteration after a moment; null fails.',
  input: z.object({ values: z.array(z.json()) }),
  async run({ values }, { iteration }) {
    await sleep(400);
    const value = values[Math.min(iteration || 1, values.length) - 1]!;
    if (value === null) throw new Error('no paper');
    return value;
  },
});

let world: LoopWorld;
let commands: InProcess;
beforeAll(async () => {
  world = await startWorld({ actions: [slow], memory: false });
  commands = new InProcess(world);
}, 120_000);
afterAll(async () => {
  commands.close();
  await world.close();
});

const start = async (...values: unknown[]) => {
  const { workflowId } = await world.client.start({
    generator: { action: 'slow', with: { values: values as never } },
    evaluator: { type: 'schema', schema: { type: 'object', required: ['age'] } },
    maxIterations: 2,
  });
  return workflowId;
};

/** What `reflect watch` prints of a run, and its exit code. */
async function watched(workflowId: string, json: boolean) {
  const { news, stop } = commands.listen();
  let code = -1;
  try {
    const printed = await commands.printed(async () => {
      code = await watch(workflowId, { json }).catch((error: unknown) => exitCodeOf(error));
    });
    return { code, printed, news: news() };
  } finally {
    stop();
  }
}

const linesOf = (printed: string) => printed.split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);

describe('watch', () => {
  test('prints what happens, and its exit code says whether the result is good enough', async () => {
    const good = await watched(await start({ name: 'Ada' }, { age: 36 }), false);
    expect(good).toMatchObject({ code: 0, printed: expect.stringContaining('"age": 36') });
    expect(good.news).toMatch(/#1[^]*#2/);
    expect((await watched(await start({}), false)).code).toBe(2);
  }, 60_000);

  test('--json writes one object a line: versions, progress, and at last the result', async () => {
    const { code, printed } = await watched(await start({ name: 'Ada' }, { age: 36 }), true);
    expect(code).toBe(0);
    const lines = linesOf(printed);
    const versions = lines.flatMap(({ version }) => (version ? [(version as { iteration: number }).iteration] : []));
    expect(versions).toEqual([1, 2]);
    expect(lines.filter(({ progress }) => progress).length).toBeGreaterThan(0);
    expect(lines.at(-1)).toMatchObject({ result: { success: true, finalOutput: { age: 36 } } });
    expect(lines.every((line) => Object.keys(line).length === 1)).toBe(true);
  }, 60_000);

  test('--json ends with the error of a run that failed, and of one that is not there', async () => {
    const failed = await watched(await start(null), true);
    expect(failed.code).toBe(1);
    expect(linesOf(failed.printed).at(-1)).toMatchObject({ error: { message: expect.stringContaining('no paper') } });
    const missing = await watched('there-is-no-such-run', true);
    expect(missing.code).toBe(1);
    expect(linesOf(missing.printed)).toEqual([{ error: expect.objectContaining({ type: 'RunNotFound' }) }]);
  }, 60_000);

  test('--json writes the progress and the result of a pipeline', async () => {
    const { workflowId } = await world.client.pipelines.start({
      nodes: [{ name: 'first', action: 'slow', with: { values: [{ a: 1 }] } }],
    });
    const { code, printed } = await watched(workflowId, true);
    expect(code).toBe(0);
    const lines = linesOf(printed);
    expect(lines.at(-1)).toMatchObject({ result: { state: { a: 1 } } });
    expect(lines.some(({ progress }) => progress !== undefined)).toBe(true);
  }, 60_000);
});
