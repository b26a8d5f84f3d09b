import { z } from 'zod';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { defineAction } from '../../src/worker';
import type { ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import { WriterAndJudge } from '../../testing/support/writer-and-judge';

const called: unknown[] = [];
const search = defineAction({
  name: 'search',
  description: 'Finds pages.',
  input: z.object({ words: z.string(), pages: z.number().int().default(3) }),
  run: (input, { iteration, state }) => {
    called.push({ ...input, iteration, subject: state['subject'] });
    return { found: `all about ${input.words}`, markup: '{{ state.secret }}' };
  },
});
const breaks = defineAction({
  name: 'breaks',
  description: 'Cannot do it.',
  input: z.object({}),
  run: (_input, { state }) => {
    if (JSON.stringify(state['reflection_errors'] ?? []).includes('the pen broke')) return 'done without a pen';
    throw new Error('the pen broke');
  },
});

const calls = (...names: string[]): ScriptEntry => ({
  toolCalls: names.map((name) => ({ name, arguments: name === 'search' ? { words: 'Ada' } : {} })),
});
const passes = { reply: { pass: true, score: 0.9, issues: [] } };
const doubts = { reply: { pass: false, score: 0.4, issues: ['no source is named'] } };
const spec: ReflectionSpec = {
  state: { subject: 'Ada', secret: 'never shown' },
  generator: { action: 'llm.call', model: 'writer', prompt: 'Write about Ada.', tools: ['search', 'breaks'] },
  evaluator: { type: 'llm', model: 'judge' },
};

describe('generators that call tools, on a real server', () => {
  let world: WriterAndJudge;

  beforeAll(async () => {
    const models = ['writer', 'judge', 'streaming'].map((name) => ({
      name,
      model: name,
      stream: name === 'streaming',
    }));
    world = await WriterAndJudge.start({ models, actions: [search, breaks] });
  });

  beforeEach(() => {
    called.splice(0);
    world.forget();
  });

  afterAll(async () => {
    await world.close();
  });

  const run = (more: Partial<ReflectionSpec>, entries: ScriptEntry[]) => world.run({ ...spec, ...more }, entries);
  const bodies = () => world.bodies();

  test.each(['writer', 'streaming'])('a model calls registered actions until it answers (%s)', async (model) => {
    const generator = { ...spec.generator, model } as ReflectionSpec['generator'];
    const result = await run({ generator }, [calls('search'), { reply: 'Ada, with sources.' }, passes]);
    expect(result.finalOutput).toBe('Ada, with sources.');
    expect(called).toEqual([{ words: 'Ada', pages: 3, iteration: 1, subject: 'Ada' }]);
    expect(result.tokenUsage.modelCalls).toBe(3);
    expect(result.history.versions[0]).toMatchObject({ trigger: 'completion', tokenUsage: result.tokenUsage });
    const [first, second] = bodies();
    expect(first!.tools![0]).toMatchObject({
      type: 'function',
      function: {
        name: 'search',
        description: 'Finds pages.',
        parameters: { type: 'object', required: ['words'], properties: { words: { type: 'string' } } },
      },
    });
    expect(second!.messages.slice(-2)).toEqual([
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call_scripted_1', type: 'function', function: { name: 'search', arguments: '{"words":"Ada"}' } },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'call_scripted_1',
        content: expect.stringMatching(
          /^<<<RESULT (\w{8})\n\{"found":"all about Ada","markup":"\{\{ state\.secret \}\}"\}\n\1 RESULT>>>$/,
        ),
      },
    ]);
  });

  test('a version keeps its calls, with their results and times', async () => {
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
    const entries = [
      calls('search', 'breaks', 'fly'),
      { reply: 'Ada.' },
      doubts,
      { reply: 'Ada, with sources.' },
      passes,
    ];
    const { history } = await run({}, entries);
    const [draft, revised] = history.versions;
    expect(draft!.calls).toEqual([
      {
        name: 'search',
        arguments: { words: 'Ada' },
        result: '{"found":"all about Ada","markup":"{{ state.secret }}"}',
        outcome: 'ok',
        source: 'recorded',
        startedAt: time,
        endedAt: time,
        attempt: 1,
      },
      {
        name: 'breaks',
        arguments: {},
        result: expect.stringContaining('the pen broke'),
        outcome: 'error',
        source: 'recorded',
      },
    ]);
    // What is no tool was not called; a revision without calls has none.
    expect(revised).not.toHaveProperty('calls');
    const byAction = await run({ generator: { action: 'search', with: { words: 'Ada' } } }, [passes]);
    expect(byAction.history.versions[0]!.calls).toEqual([
      { name: 'search', outcome: 'ok', source: 'recorded', startedAt: time, endedAt: time, attempt: 1 },
    ]);
  });

  test('a revision goes on behind the calls of tools that the draft was made with', async () => {
    const entries = [calls('search'), { reply: 'Ada.' }, doubts, { reply: 'Ada, with sources.' }, passes];
    const result = await run({}, entries);
    expect(result).toMatchObject({ finalOutput: 'Ada, with sources.', iterationsUsed: 2 });
    const [, drafted, , revised] = bodies();
    expect(revised!.messages.slice(0, -2)).toEqual(drafted!.messages);
    expect(revised!.messages.slice(-2)).toEqual([
      { role: 'assistant', content: 'Ada.' },
      { role: 'user', content: expect.stringMatching(/^That answer was not accepted\.\n[^]*- no source is named\n/) },
    ]);
  });

  test('unknown tools, bad arguments and failures are the tool’s answer, and no failure', async () => {
    const bad = {
      toolCalls: [
        { name: 'search', arguments: '{"words"' },
        { name: 'search', arguments: { words: 7 } },
      ],
    };
    const result = await run({}, [calls('fly', 'breaks'), bad, { reply: 'Ada.' }, passes]);
    expect(result).toMatchObject({ success: true, iterationsUsed: 1 });
    const answers = bodies()[2]!.messages.filter(({ role }) => role === 'tool');
    expect(answers.map(({ content }) => content)).toEqual([
      expect.stringMatching(/no tool of that name.*search, breaks/),
      expect.stringMatching(/the pen broke/),
      expect.stringMatching(/no JSON/),
      expect.stringMatching(/words/),
    ]);
    expect(called).toEqual([]);
  });

  test('calls of tools that were not offered are left out: an endless row of them would be paid for', async () => {
    const more = {
      generator: { action: 'llm.call' as const, model: 'writer', prompt: 'Write about Ada.' },
      maxIterations: 1,
    };
    const unasked = { toolCalls: [{ name: 'search', arguments: { words: 'Ada' } }] };
    const told = await run(more, [{ ...unasked, text: 'Ada.' }, passes]);
    expect(told.finalOutput).toBe('Ada.');
    expect(JSON.stringify(told)).toMatch(/called tools although it was offered none/);
    const retried = await run(more, [unasked, { reply: 'Ada, again.' }, passes]);
    expect([retried.finalOutput, called]).toEqual(['Ada, again.', []]);
  });

  test('a reply that calls more tools than it may has an answer to each, and the first are called', async () => {
    const names = Array.from({ length: 130 }, () => 'search');
    const result = await run({}, [calls(...names), { reply: 'Ada' }, passes]);
    expect([result.success, called.length]).toEqual([true, 128]);
    const messages = bodies()[1]!.messages as { role: string; content: string }[];
    const answers = messages.filter(({ role }) => role === 'tool');
    expect([answers.length, answers.filter(({ content }) => content.includes('was not called')).length]).toEqual([
      130, 2,
    ]);
  });

  test('the last call may call no tools', async () => {
    const generator = { ...spec.generator, maxToolRounds: 2 } as ReflectionSpec['generator'];
    const result = await run({ generator }, [calls('search'), { reply: 'Enough.' }, passes]);
    expect(bodies().map(({ tool_choice }) => tool_choice)).toEqual([undefined, 'none', undefined]);
    expect(result.finalOutput).toBe('Enough.');
  });

  test('step_interval and tool_result evaluate the work so far, which is told and counts as no iteration', async () => {
    const result = await run({ triggers: { reflectionInterval: 2, reflectOnTools: ['search'] }, maxIterations: 1 }, [
      calls('search'),
      doubts,
      calls('breaks'),
      passes,
      { reply: 'Ada, with sources.' },
      passes,
    ]);
    const [version] = result.history.versions;
    expect(result).toMatchObject({ success: true, iterationsUsed: 1 });
    expect(version!.reflections).toMatchObject([
      { trigger: 'tool_result', afterSteps: 1, evaluation: { issues: [{ message: 'no source is named' }] } },
      { trigger: 'step_interval', afterSteps: 2, evaluation: { outcome: 'pass' } },
    ]);
    expect(version).toMatchObject({ trigger: 'completion', tokenUsage: { modelCalls: 6 } });
    expect(result.tokenUsage.modelCalls).toBe(6);
    const [, judged, told] = bodies();
    expect(JSON.stringify(judged!.messages)).toContain('search answered');
    expect(told!.messages.at(-1)!.content).toMatch(/review of the work so far.*no source is named/is);
  });

  test('error: a tool that fails has the work so far evaluated', async () => {
    const result = await run({ triggers: { reflectOnError: true } }, [
      calls('breaks'),
      doubts,
      { reply: 'Ada.' },
      passes,
    ]);
    expect(result.history.versions[0]!.reflections).toMatchObject([{ trigger: 'error', afterSteps: 1 }]);
  });

  test('error: a step that fails is told so, and tried once more', async () => {
    const refused = { refusal: 'I will not.' };
    const result = await run({ triggers: { reflectOnError: true } }, [refused, { reply: 'Ada.' }, passes]);
    expect(result).toMatchObject({ success: true, iterationsUsed: 1 });
    expect(result.history.versions[0]!.reflections).toMatchObject([{ trigger: 'error', afterSteps: 0 }]);
    expect(bodies()[1]!.messages.at(-1)!.content).toContain('The step failed: The model refused: I will not.');
    await expect(run({ triggers: { reflectOnError: true } }, [refused, refused])).rejects.toMatchObject({
      type: 'Model.Refused',
    });
    const byAction = await run({ generator: { action: 'breaks' }, triggers: { reflectOnError: true } }, [passes]);
    expect(byAction.finalOutput).toBe('done without a pen');
  });

  test('quality_drop: a version that is much worse is judged once more before anything follows from it', async () => {
    const scored = (score: number) => ({ reply: { pass: score > 0.8, score, issues: ['dull'] } });
    const result = await run({ triggers: { qualityDropThreshold: 0.3 }, revision: { strategy: 'full_rewrite' } }, [
      { reply: 'one' },
      scored(0.7),
      { reply: 'two' },
      scored(0.1),
      scored(0.9),
    ]);
    expect(result).toMatchObject({ success: true, iterationsUsed: 2 });
    expect(result.history.versions[1]).toMatchObject({ trigger: 'quality_drop', tokenUsage: { modelCalls: 3 } });
  });

  test('a budget that is spent between two calls ends the loop, and every call is counted', async () => {
    const result = await run({ budget: { modelCalls: 2 } }, [calls('search'), calls('search')]);
    expect(result).toMatchObject({
      convergenceReason: 'call_budget',
      finalOutput: null,
      tokenUsage: { modelCalls: 2 },
    });
  });

  test('revisions may use the tools, too', async () => {
    const edits = '<<<<<<< SEARCH\ndull\n=======\nvivid\n>>>>>>> REPLACE';
    const revision = { strategy: 'targeted_edit' } as const;
    const result = await run({ revision }, [
      { reply: 'Ada is dull.' },
      doubts,
      calls('search'),
      { reply: edits },
      passes,
    ]);
    expect(result.finalOutput).toBe('Ada is vivid.');
    expect(called).toMatchObject([{ iteration: 2 }]);
  });

  test('mistakes are told at once, with their paths', async () => {
    const wrong = { ...spec, triggers: { reflectOnTools: ['fly'] } };
    await expect(world.client.run(wrong)).rejects.toMatchObject({
      problems: [expect.objectContaining({ path: '/triggers/reflectOnTools/0' })],
    });
    const unknown = { ...spec, generator: { ...spec.generator, tools: ['fly'] } } as ReflectionSpec;
    await expect(world.client.run(unknown)).rejects.toMatchObject({ type: 'UnknownAction' });
  });
});
