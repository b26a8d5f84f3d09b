import type { Json } from '../../src/lib/json/json';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { requestsOf } from '../../src/apps/testing/scripted-model/ledger';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { eventually } from '../../testing/support/eventually';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';

const TEXT = 'Ada wrote programs.\nShe was born in 1851.\nShe died in 1852.';
const edit = (search: string, replace: string) => `<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE`;
const EDITS = { revision: { strategy: 'targeted_edit' } } as const;
const REWRITES = { revision: { strategy: 'full_rewrite' } } as const;
const fails = (score: number, ...issues: string[]) => JSON.stringify({ pass: false, score, issues });
const passes = JSON.stringify({ pass: true, score: 0.9, issues: [] });
const spec: ReflectionSpec = {
  generator: { action: 'llm.call', prompt: 'Write about Ada.' },
  evaluator: { type: 'llm' },
  maxIterations: 6,
};

describe('what a loop does with what it learned, on a real server', () => {
  let world: LoopWorld;
  let openai: ScriptedOpenAI;

  async function run(replies: string[], more: Partial<ReflectionSpec> = {}) {
    openai = await ScriptedOpenAI.start({ script: replies.map((reply) => ({ reply })) });
    process.env['OPENAI_BASE_URL'] = openai.baseUrl;
    world = await startWorld();
    return world.client.run({ ...spec, ...more });
  }

  /** What the model was asked at a call, from 0. */
  function asked(call: number): string {
    return requestsOf(openai.ledger)[call]!.body!.messages.at(-1)!.content;
  }

  afterEach(async () => {
    await world.close();
    delete process.env['OPENAI_BASE_URL'];
    await openai.close();
  });

  test('edits leave everything else as it is, and the version says how it was made', async () => {
    const result = await run([TEXT, fails(0.5, 'wrong year'), edit('in 1851', 'in 1815'), passes], EDITS);
    expect(result.finalOutput).toBe(TEXT.replace('1851', '1815'));
    expect(result.history.versions[1]).toMatchObject({ strategy: 'targeted_edit', warnings: [] });
    expect(asked(2)).toContain('SEARCH');
  });

  test('edits that do not apply are followed by one rewrite, paid for and told', async () => {
    const result = await run(
      [TEXT, fails(0.5, 'wrong year'), edit('in 1951', 'in 1815'), 'A new text.', passes],
      EDITS,
    );
    const version = result.history.versions[1]!;
    expect(version).toMatchObject({ output: 'A new text.', strategy: 'full_rewrite', tokenUsage: { modelCalls: 3 } });
    expect(version.warnings).toEqual([expect.stringMatching(/edits could not be applied.*in 1951/)]);
    expect(result).toMatchObject({ iterationsUsed: 2, tokenUsage: { modelCalls: 5 } });
  });

  test('an object is edited by a JSON Patch', async () => {
    const schema = { type: 'object', properties: { age: { type: 'integer' } } };
    const result = await run(
      [
        '{"name":"Ada","age":"36"}',
        fails(0.5, 'a year too old'),
        '{"patch":[{"op":"replace","path":"/age","value":35}]}',
        passes,
      ],
      { ...EDITS, evaluator: [{ type: 'schema', schema, coerce: true }, { type: 'llm' }] },
    );
    expect(result.finalOutput).toEqual({ name: 'Ada', age: 35 } satisfies Json);
    expect(asked(2)).toContain('JSON Patch');
  });

  test('what got worse is left behind: the next version starts from the best, told what did not work', async () => {
    const result = await run(
      [TEXT, fails(0.6, 'wrong year'), 'Ada was a cat.', fails(0.1, 'she was no cat'), 'Ada, born in 1815.', passes],
      REWRITES,
    );
    expect(result.history.versions.map(({ basedOn }) => basedOn)).toEqual([undefined, undefined, 1]);
    const { messages } = requestsOf(openai.ledger)[4]!.body!;
    expect(messages.slice(0, 2)).toEqual([
      { role: 'user', content: 'Write about Ada.' },
      { role: 'assistant', content: TEXT },
    ]);
    expect(asked(4)).toMatch(/Found in earlier attempts[^]*version 2: she was no cat/);
    expect(JSON.stringify(messages)).not.toContain('Ada was a cat.');
  });

  test('a revision is compared with what it was made from, not with what was left behind', async () => {
    const next = TEXT.replace('1851', '1815');
    const result = await run(
      [TEXT, fails(0.6, 'wrong year'), 'Ada was a cat.', fails(0.1, 'no cat'), edit('in 1851', 'in 1815'), passes],
      {
        evaluator: [{ type: 'llm' }, { type: 'comparison', against: 'prior', method: 'similarity' }],
        revision: { strategy: 'targeted_edit' },
      },
    );
    expect(result).toMatchObject({ success: true, finalOutput: next, iterationsUsed: 3 });
    const [, , third] = result.history.versions;
    expect(third).toMatchObject({ basedOn: 1, evaluation: { evaluators: [{}, { outcome: 'pass' }] } });
  });

  test('prior versions are shown where the spec wants them, and the history is not where it does not', async () => {
    const revision = { strategy: 'full_rewrite', includePriorVersions: true, includeReflectionHistory: false } as const;
    await run([TEXT, fails(0.5, 'a'), 'Second text', fails(0.6, 'b'), 'Third text', passes], { revision });
    expect(asked(4)).toMatch(/<<<VERSION 1 \w+\nAda wrote programs/);
    expect(asked(4)).not.toContain('earlier attempts');
  });

  test('maxRevisionTokens limits revisions and nothing else', async () => {
    await run([TEXT, fails(0.5, 'a'), 'Second text', passes], { revision: { maxRevisionTokens: 77 } });
    const limits = requestsOf(openai.ledger).map(
      ({ body }) => (body as { max_completion_tokens?: number }).max_completion_tokens,
    );
    // The others have the default of their model.
    expect(limits).toEqual([16_384, 16_384, 77, 16_384]);
  });

  test.each<[string, string[], string, number]>([
    ['plateau', ['one', fails(0.5, 'a'), 'two', fails(0.5, 'b'), 'three', fails(0.5, 'c')], 'plateau', 3],
    ['diminishing', ['one', fails(0.5, 'a'), 'two', fails(0.52, 'b'), 'three', fails(0.54, 'c')], 'diminishing', 3],
    ['stable', ['same', fails(0.5, 'a'), 'same', fails(0.6, 'b'), 'same', fails(0.7, 'c')], 'stable', 3],
  ])('%s ends a loop that gets nowhere, and hands back the best', async (_name, replies, reason, iterations) => {
    const result = await run(replies);
    expect(result).toMatchObject({
      convergenceReason: reason,
      iterationsUsed: iterations,
      success: false,
      exhausted: true,
    });
    expect(result.finalOutput).toBe(result.bestOutput);
  });

  test('a lack of information ends the loop as blocked, and the writer was told not to make anything up', async () => {
    const unknown = { message: 'nobody said when she was born', severity: 'major', missingInformation: true };
    const lacking = JSON.stringify({ valid: false, score: 0.4, issues: [unknown] });
    const result = await run([TEXT, lacking, 'Ada wrote programs. Her birth is unknown.', lacking]);
    expect(result).toMatchObject({ convergenceReason: 'blocked', success: false, exhausted: true, iterationsUsed: 2 });
    expect(result.finalEvaluation?.issues).toEqual([
      { ...unknown, evaluator: 'llm', identity: expect.stringMatching(/^llm · /) as string },
    ]);
    expect(asked(2)).toMatch(/nobody said when she was born \(information is missing\)[^]*do not make it up/);
  });

  test('who gives what was missing, when a blocked loop asks, lets it go on', async () => {
    const unknown = { message: 'nobody said when she was born', missingInformation: true };
    const lacking = JSON.stringify({ valid: false, score: 0.4, issues: [unknown] });
    openai = await ScriptedOpenAI.start({
      script: [TEXT, lacking, 'Born some day.', lacking, 'Born in 1815.', passes].map((reply) => ({ reply })),
    });
    process.env['OPENAI_BASE_URL'] = openai.baseUrl;
    world = await startWorld();
    const handle = await world.client.start({ ...spec, review: { when: 'on_exhausted' } });
    const { waitingFor } = await eventually(
      () => world.client.progress(handle.workflowId),
      ({ phase }) => phase === 'waiting',
    );
    expect(waitingFor?.what).toContain('blocked');
    await world.client.guide(handle.workflowId, { text: 'She was born in 1815.' });
    expect(await world.client.result(handle.workflowId)).toMatchObject({
      convergenceReason: 'quality_met',
      finalOutput: 'Born in 1815.',
    });
  });

  test('the same issue in spite of two ways of revising ends the loop', async () => {
    const result = await run([
      TEXT,
      fails(0.3, 'dull'),
      edit('Ada wrote', 'Ada Lovelace wrote'),
      fails(0.4, 'dull'),
      'Another text.',
      fails(0.5, 'dull'),
    ]);
    expect(result).toMatchObject({ convergenceReason: 'repeated_issues', iterationsUsed: 3 });
    expect(new Set(result.history.versions.flatMap(({ strategy }) => strategy ?? [])).size).toBe(2);
  });

  test('convergence: false goes on to the limit', async () => {
    const round = ['same', fails(0.5, 'a')];
    const result = await run([...round, ...round, ...round, ...round], { convergence: false, maxIterations: 4 });
    expect(result).toMatchObject({ convergenceReason: 'max_iterations', iterationsUsed: 4 });
  });
});
