import { runStep } from '../../src/actions/step';
import { createActionRegistry } from '../../src/actions/registry';
import type { StepArguments } from '../../src/actions/types';
import type { ModelCallStep } from '../../src/loop/contract/steps';
import { type ScriptedWorld, withScript } from '../evaluators/scripted-judge';
import type { StepOutcome } from '../../src/loop/step-state/step-call';

type Body = ReturnType<ScriptedWorld['bodies']>[number];

async function called(
  step: Omit<ModelCallStep, 'action'>,
  input: Partial<StepArguments> = {},
  reply: string | object = 'the reply',
): Promise<{ result: StepOutcome; body: Body; messages: Body['messages'] }> {
  return withScript([reply], async (world) => {
    const given = { state: {}, iteration: 1, workflowId: 'w', timeoutMs: 5_000, ...input };
    const result = await runStep({ action: 'llm.call', ...step }, given, {
      models: world.models,
      actions: createActionRegistry([]),
      signal: world.signal,
    });
    const [body] = world.bodies();
    return { result, body: body!, messages: body!.messages };
  });
}

describe('llm.call', () => {
  test('renders system, messages and prompt, in this order', async () => {
    const { messages } = await called(
      {
        system: 'You are {{ state.who }}.',
        messages: [
          { role: 'user', content: 'Hi {{ state.name }}' },
          { role: 'assistant', content: 'Hello' },
        ],
        prompt: 'Try {{ state.reflection_iteration }} for {{ task }}',
      },
      { state: { who: 'a poet', name: 'Ada', reflection_iteration: 2 }, task: 'a haiku on {{ state.name }}' },
    );
    expect(messages).toEqual([
      { role: 'system', content: 'You are a poet.' },
      { role: 'user', content: 'Hi Ada' },
      { role: 'assistant', content: 'Hello' },
      { role: 'user', content: 'Try 2 for a haiku on Ada' },
    ]);
  });

  test('uses the task as the prompt where there is none', async () => {
    expect((await called({}, { task: 'Write {{ state.n }} lines', state: { n: 3 } })).messages).toEqual([
      { role: 'user', content: 'Write 3 lines' },
    ]);
    expect((await called({ system: 'Be brief.' }, { task: 'Write' })).messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Write' },
    ]);
  });

  test('adds a task that the prompt does not mention, and none that it does', async () => {
    const added = await called({ prompt: 'Write well.' }, { task: 'A haiku' });
    expect(added.messages[0]!.content).toBe('Write well.\n\nTask:\nA haiku');
    const mentioned = await called({ system: 'Do: {{ task }}', prompt: 'Go.' }, { task: 'A haiku' });
    expect(mentioned.messages.map(({ content }) => content)).toEqual(['Do: A haiku', 'Go.']);
  });

  test('never renders the task a second time', async () => {
    const state = { secret: 'S', quoted: '{{ state.secret }}' };
    const { messages } = await called({ prompt: 'Do {{ task }}' }, { task: 'say {{ state.quoted }}', state });
    expect(messages[0]!.content).toBe('Do say {{ state.secret }}');
  });

  test('adds the hint of a corrector, unless the prompt uses it', async () => {
    const state = { reflection_hint: 'look at {{ the }} date' };
    const added = await called({ prompt: 'Write.' }, { state });
    expect(added.messages.at(-1)!.content).toMatch(
      /^Write\.\n\nAdvice[^]*<<<ADVICE (\w+)\nlook at \{\{ the \}\} date\n\1 ADVICE>>>$/,
    );
    const used = await called({ prompt: 'Hint: {{ state.reflection_hint }}' }, { state });
    expect(used.messages.at(-1)!.content).toMatch(/^Hint: <<<ADVICE (\w+)\nlook at \{\{ the \}\} date\n\1 ADVICE>>>$/);
    expect((await called({ prompt: 'Write.' }, { state: { reflection_hint: null } })).messages[0]!.content).toBe(
      'Write.',
    );
  });

  test('says what markers mean where there are any, in the system message that there is', async () => {
    const prompt = 'Mend {{ state.reflection_output }}';
    const state = { reflection_output: 'the draft' };
    const alone = await called({ prompt }, { state });
    expect(alone.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(alone.messages[0]!.content).toMatch(/^Text between markers .* is material/);
    const beside = await called({ system: 'Be brief.', prompt }, { state });
    expect(beside.messages[0]!.content).toBe(`Be brief.\n\n${alone.messages[0]!.content}`);
    expect(beside.messages).toHaveLength(2);
    const without = await called({ system: 'Be brief.', prompt: 'Mend {{ state.mine }}' }, { state: { mine: 'x' } });
    expect(without.messages[0]!.content).toBe('Be brief.');
  });

  test('passes on model, temperature and the smaller limit of tokens', async () => {
    const { body } = await called({ prompt: 'x', temperature: 0.2, maxTokens: 100, model: 'm' }, { maxTokens: 40 });
    expect(body).toMatchObject({ model: 'm-1', temperature: 0.2, max_completion_tokens: 40 });
    const other = await called({ prompt: 'x', maxTokens: 30 }, { maxTokens: 40, model: 'm' });
    expect(other.body.max_completion_tokens).toBe(30);
    expect(other.body).not.toHaveProperty('temperature');
    expect((await called({ prompt: 'x' })).body).toMatchObject({ max_completion_tokens: 16_384 });
  });

  test('passes on how words are chosen', async () => {
    const { body } = await called({ prompt: 'x', topP: 0.3, seed: 7, stop: ['END'], reasoningEffort: 'low' });
    expect(body).toMatchObject({ top_p: 0.3, seed: 7, stop: ['END'], reasoning_effort: 'low' });
  });

  test('returns the text and what it cost', async () => {
    const { result } = await called({ prompt: 'x' }, {}, { reply: 'done', usage: { prompt: 7, completion: 2 } });
    expect(result).toMatchObject({ output: 'done', tokenUsage: { totalTokens: 9, modelCalls: 1 }, warnings: [] });
  });

  test('warns of a reply that was cut off and of variables that nobody set', async () => {
    const { result } = await called({ prompt: 'x {{ state.nobody }}' }, {}, { reply: 'half', finishReason: 'length' });
    expect(result.output).toBe('half');
    expect(result.warnings).toEqual([expect.stringContaining('state.nobody'), expect.stringContaining('cut off')]);
  });

  test('makes no call for a run that was cancelled, and passes errors on', async () => {
    await withScript([], async ({ models }) => {
      const context = { models, actions: createActionRegistry([]), signal: AbortSignal.abort(new Error('stop')) };
      const input = { state: {}, iteration: 1, workflowId: 'w', timeoutMs: 1_000 };
      await expect(runStep({ action: 'llm.call', prompt: 'x' }, input, context)).rejects.toThrow('stop');
    });
    await expect(called({ prompt: 'x' }, {}, { status: 429 })).rejects.toMatchObject({ status: 429 });
  });
});
