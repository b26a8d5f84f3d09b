import { z } from 'zod';
import type { ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import { defineAction } from '../../src/worker';
import { eventually } from '../../testing/support/eventually';
import { WriterAndJudge } from '../../testing/support/writer-and-judge';

const MIB = 1_024 * 1_024;

const written: number[] = [];
const write = defineAction({
  name: 'write',
  description: 'Writes a file.',
  approval: true,
  input: z.object({ text: z.string() }),
  run: ({ text }) => {
    written.push(text.length);
    return 'written';
  },
});

let world: WriterAndJudge;
beforeAll(async () => {
  world = await WriterAndJudge.start({ actions: [write] });
});
beforeEach(() => written.splice(0));
afterAll(() => world.close());

test.each([
  [28, 63_000, 63_000],
  [128, 14_000, 60_000],
])(
  '%d calls with %d bytes, all changed to %d, are all answered and made, and the history stays short',
  async (count, before, after) => {
    const toolCalls = Array.from({ length: count }, () => ({ name: 'write', arguments: { text: 'x'.repeat(before) } }));
    world.say([{ toolCalls } as ScriptEntry, { reply: 'Done.' }, { reply: { pass: true, score: 0.9, issues: [] } }]);
    const { workflowId: id } = await world.client.start({
      generator: { action: 'llm.call', model: 'writer', prompt: 'Pay Ada.', tools: ['write'] },
      evaluator: { type: 'llm', model: 'judge' },
    });
    await eventually(
      () => world.client.progress(id),
      ({ waitingFor }) => waitingFor?.waits?.length === count,
    );
    for (let number = 1; number <= count; number += 1) {
      const changed = { text: 'y'.repeat(after) };
      const progress = await world.client.answer(id, { to: `approval-${number}`, arguments: changed });
      expect(JSON.stringify(progress).length).toBeLessThan(128 * 1_024);
    }
    expect(await world.client.result(id)).toMatchObject({ success: true });
    expect(written).toEqual(Array.from({ length: count }, () => after));
    const { historySize } = await world.client.temporal.workflow.getHandle(id).describe();
    expect(historySize).toBeLessThan(40 * MIB);
  },
  300_000,
);
