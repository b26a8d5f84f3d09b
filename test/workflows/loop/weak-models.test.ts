import type { JsonObject } from '../../../src/lib/json/json';
import type { ReflectionSpec } from '../../../src/loop/contract/spec';
import type { ScriptEntry } from '../../../src/apps/testing/scripted-model/script';
import { ScriptedLoops } from './scripted-loops';

const generator = { action: 'llm.call' as const, prompt: 'Tell a tale.' };
const magic = { type: 'regex' as const, pattern: 'magic', message: 'Mention magic.' };
const order: JsonObject = {
  type: 'object',
  properties: { name: { type: 'string' }, quantity: { type: 'integer' } },
  required: ['name', 'quantity'],
};
const bySchema = { type: 'schema' as const, schema: order };
const EDITS = { revision: { strategy: 'targeted_edit' } } as const;
const MAIL = 'Please send 2 bottles of ink to Ada.';
const extraction = { action: 'llm.call' as const, prompt: 'Extract the order: {{ state.mail }}' };
const pass = { valid: true, score: 0.9, issues: [], reason: 'Fine.' };

describe('what a loop learns of a model in its run', () => {
  let loops: ScriptedLoops;
  beforeAll(async () => {
    loops = await ScriptedLoops.start();
  });
  afterAll(() => loops?.close());
  const run = (spec: Partial<ReflectionSpec>, replies: (string | ScriptEntry)[]) =>
    loops.run({ generator, evaluator: magic, ...spec }, replies);

  test('edits that could not be applied are not asked for again', async () => {
    const edits = '<<<<<<< SEARCH\nno such line\n=======\nmagic\n>>>>>>> REPLACE';
    const { result, prompts } = await run({ ...EDITS, maxIterations: 4 }, [
      'A tale.',
      edits,
      'A new tale.',
      'A tale of magic.',
    ]);
    expect(prompts.map((prompt) => prompt.includes('<<<<<<< SEARCH'))).toEqual([false, true, false, false]);
    expect(result.history.versions.map(({ strategy }) => strategy)).toEqual([undefined, 'full_rewrite', 'incremental']);
  });

  test('the built-in revision is told that a reply was cut off, and at which limit', async () => {
    const draft = { reply: 'Once upon', finishReason: 'length' as const };
    const { result, prompts } = await run({ generator: { ...generator, maxTokens: 50 } }, [draft, 'Short magic.']);
    expect(prompts[1]).toMatch(/cut off at its token limit: its end is missing\. .*50 tokens at most/);
    expect(result.history.versions.map(({ cutOff }) => cutOff)).toEqual([true, undefined]);
  });

  test('after edits that were cut off, the rewrite is told so, too', async () => {
    const edits = { reply: '<<<<<<< SEARCH\nA tale', finishReason: 'length' as const };
    const { prompts } = await run(EDITS, ['A tale.', edits, 'Short magic.']);
    expect(prompts[2]).toContain('Edits of it were asked for, and cut off at their token limit.');
  });

  test('a corrector with its own prompt finds the cut among the errors', async () => {
    const corrector = { action: 'llm.call' as const, prompt: 'Mend: {{ state.reflection_errors | tojson }}' };
    const { prompts } = await run({ corrector }, [{ reply: 'Once upon', finishReason: 'length' }, 'Short magic.']);
    expect(prompts[1]).toMatch(/"type": "cut_off"/);
  });

  describe('at temperature 0', () => {
    const corrector = { action: 'llm.call' as const, prompt: 'Mend: {{ state.reflection_output }}', temperature: 0 };

    test('a call is not made again with the same prompt: the loop ends as stable', async () => {
      const { result, bodies } = await run({ corrector, maxIterations: 6 }, ['A tale.', 'A tale.']);
      expect(result).toMatchObject({ convergenceReason: 'stable', iterationsUsed: 2 });
      expect(bodies).toHaveLength(2);
    });

    test('the built-in revision is not called again with the same prompt, either', async () => {
      const cold = { ...generator, temperature: 0 };
      const revision = { strategy: 'full_rewrite' as const, includeReflectionHistory: false };
      const { result } = await run({ generator: cold, revision, maxIterations: 6 }, ['A tale.', 'A tale.']);
      expect(result).toMatchObject({ convergenceReason: 'stable', iterationsUsed: 2 });
    });

    test('given convergence switched off, the call is made again', async () => {
      const spec = { corrector, convergence: false as const, maxIterations: 3 };
      const { result } = await run(spec, ['A tale.', 'A tale.', 'A tale.']);
      expect(result).toMatchObject({ convergenceReason: 'max_iterations', iterationsUsed: 3 });
    });
  });

  test('after a repair without a gain, data is generated again from the inputs', async () => {
    const bad = '{"name": "ink"}';
    const spec = { generator: extraction, state: { mail: MAIL }, evaluator: bySchema };
    const { result, prompts } = await run(spec, [bad, bad, '{"name": "ink", "quantity": 2}']);
    expect(result.history.versions.map(({ strategy }) => strategy)).toEqual([undefined, 'full_rewrite', 'resample']);
    expect(prompts[2]!.startsWith(prompts[0]!)).toBe(true);
    expect(prompts[2]).toMatch(/in which none of this is wrong\.\n- quantity: is missing.*\n/);
    expect(prompts[2]).not.toContain(bad);
    expect(result.finalOutput).toEqual({ name: 'ink', quantity: 2 });
  });

  describe('the judge of a repaired version', () => {
    const evaluator = [
      { ...bySchema, gate: true },
      { type: 'llm' as const, prompt: 'Is the order right?' },
    ];
    const spec = { generator: extraction, state: { mail: MAIL }, evaluator };
    const replies = ['{"name": "ink"}', '{"name": "ink", "quantity": 2}', { reply: pass }];

    test('sees the inputs of the generator', async () => {
      const { prompts } = await run(spec, replies);
      expect(prompts[2]).toMatch(/<<<INPUT (\w+)\nmail:\nPlease send 2 bottles of ink to Ada\.\n\1 INPUT>>>/);
    });

    test('does not see the inputs if the spec hides them', async () => {
      const { prompts } = await run({ ...spec, judge: { showInputs: false } }, replies);
      expect(prompts[2]).not.toContain(MAIL);
    });

    test('does not see the inputs twice if its prompt or the task shows them', async () => {
      const shown = [evaluator[0]!, { type: 'llm' as const, prompt: 'Is it right? {{ state.mail }}' }];
      const byPrompt = await run({ ...spec, evaluator: shown }, replies);
      const byTask = await run({ ...spec, task: 'Do as this says: {{ state.mail }}' }, replies);
      for (const { prompts } of [byPrompt, byTask]) expect(prompts[2]!.split(MAIL)).toHaveLength(2);
    });

    test('does not see the inputs for a draft', async () => {
      const { prompts } = await run(spec, replies.slice(1));
      expect(prompts[1]).not.toContain(MAIL);
    });
  });
});
