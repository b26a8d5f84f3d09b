import { isForRealLoops, measuresOf, runReal } from '../../testing/policy/real';
import { tableOf } from '../../testing/policy/table';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { testAddress } from '../../testing/support/temporal-server';

const spec: ReflectionSpec = {
  generator: { action: 'llm.call', prompt: 'Write about Ada.' },
  evaluator: { type: 'llm' },
  revision: { strategy: 'full_rewrite' },
};
const judged = (score: number, ...issues: string[]) => ({ reply: { pass: score > 0.8, score, issues } });

test('bench:policy runs real loops, and measures what can be known', async () => {
  const before = process.env['OPENAI_BASE_URL'];
  const first = [{ reply: 'one' }, judged(0.4, 'dull', 'wrong'), { reply: 'two' }, judged(0.9, 'dull'), judged(0.7)];
  const second = [{ reply: 'one' }, judged(1), judged(1)];
  const openai = await ScriptedOpenAI.start({ script: [...first, ...second] });
  process.env['OPENAI_BASE_URL'] = openai.baseUrl;
  try {
    const { loop } = await runReal({ loop: spec }, { address: testAddress(), times: 2 });
    openai.assertDone();
    expect(loop).toMatchObject({ quality: 0.95, good: 1, calls: 3, improved: 1, soon: 1, resolved: 0.5, revised: 0.5 });
    expect(loop).toMatchObject({ agreed: 0.5, efficient: 1 });
    const table = tableOf('real loops', { loop: loop! }, false);
    expect(table).not.toContain('truly good');
    expect(table).toContain('50 %');
  } finally {
    if (before === undefined) delete process.env['OPENAI_BASE_URL'];
    else process.env['OPENAI_BASE_URL'] = before;
    await openai.close();
  }
});

test('a loop without an output is measured, too', () => {
  const usage = { promptTokens: 0, completionTokens: 0, totalTokens: 0, modelCalls: 0, usd: 0 };
  const history = { versions: [], finalIteration: null };
  const result = { success: false, history, tokenUsage: usage } as unknown as Parameters<typeof measuresOf>[0];
  expect(measuresOf(result, null)).toEqual({ good: 0, rounds: 0, calls: 0, tokens: 0, soon: 0, efficient: 1 });
});

test('the same command runs real loops once a model is configured, unless the simulation is asked for', () => {
  const configured = { OPENAI_API_KEY: 'a-key-of-this-test' };
  expect(isForRealLoops({}, {})).toBe(false);
  expect(isForRealLoops({}, configured)).toBe(true);
  expect(isForRealLoops({}, { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' })).toBe(true);
  for (const option of [{ seed: '1' }, { regimes: 'file.json' }, { check: true }, { simulate: true }]) {
    expect(isForRealLoops(option, configured)).toBe(false);
  }
  expect(isForRealLoops({ times: '2' }, {})).toBe(true);
});
