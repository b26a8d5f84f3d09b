import { z } from 'zod';
import { ActionFailed } from '../../src/actions/action-failed';
import { createActionRegistry, UnknownAction } from '../../src/actions/registry';
import { defineAction } from '../../src/actions/define-action';
import { runStep } from '../../src/actions/step';
import type { Action, StepArguments } from '../../src/actions/types';
import type { Json } from '../../src/lib/json/json';
import { createModels } from '../../src/lib/models';
import type { StepOutcome } from '../../src/loop/step-state/step-call';

const signal = new AbortController().signal;
const models = createModels([], {});

function run(action: Action, parameters?: Json, input: Partial<StepArguments> = {}): Promise<StepOutcome> {
  const step = { action: action.name, ...(parameters !== undefined && { with: parameters }) };
  const given = { state: {}, iteration: 3, workflowId: 'loop-1', timeoutMs: 1_000, ...input };
  return runStep(step, given, { models, actions: createActionRegistry([action]), signal });
}

const echo = defineAction({
  name: 'echo',
  description: 'Gives back what it gets',
  input: z.json(),
  run: (input) => input,
});

describe('a registered action', () => {
  test('gets its parameters rendered, with their types, and validated', async () => {
    const add = defineAction({
      name: 'add',
      description: 'Adds',
      input: z.object({ numbers: z.array(z.number()), label: z.string().default('sum') }),
      output: z.object({ text: z.string() }),
      run: ({ numbers, label }) => ({ text: `${label}: ${numbers.reduce((sum, each) => sum + each, 0)}` }),
    });
    const parameters = { numbers: '{{ state.numbers }}' };
    expect(await run(add, parameters, { state: { numbers: [1, 2, 3] } })).toEqual({
      output: { text: 'sum: 6' },
      warnings: [],
    });
  });

  test('sees state, task, iteration, run and signal', async () => {
    const seen: unknown[] = [];
    const look = defineAction({
      name: 'look',
      description: 'Looks around',
      input: z.object({}),
      run: (_input, context) => {
        seen.push(context);
        return null;
      },
    });
    await run(look, undefined, { state: { a: 1 }, task: 'Write about {{ state.a }}' });
    const place = { iteration: 3, workflowId: 'loop-1', attempt: 1, idempotencyKey: '' };
    expect(seen).toEqual([{ state: { a: 1 }, task: 'Write about 1', ...place, signal }]);
  });

  test('with declared needs, sees those keys and the variables of the loop only', async () => {
    const look = defineAction({
      name: 'look',
      description: 'Looks around',
      input: z.object({}),
      needs: ['a'],
      run: (_input, { state }) => state,
    });
    const state = { a: 1, b: 2, reflection_errors: [] };
    expect((await run(look, {}, { state })).output).toEqual({ a: 1, reflection_errors: [] });
  });

  test('cannot change the state that others see', async () => {
    const state = { list: ['kept'] };
    const spoil = defineAction({
      name: 'spoil',
      description: 'Writes into its state',
      input: z.object({ list: z.array(z.string()) }),
      run: (input, context) => {
        (context.state.list as string[]).push('more');
        input.list.push('more');
        return null;
      },
    });
    await run(spoil, { list: '{{ state.list }}' }, { state });
    expect(state).toEqual({ list: ['kept'] });
  });

  test('wrong parameters are named, and the action is not run', async () => {
    const action = jest.fn(() => null);
    const strict = defineAction({ name: 'strict', description: '', input: z.object({ n: z.number() }), run: action });
    const failure = run(strict, { n: '{{ state.n }}' }, { state: { n: 'three' } });
    await expect(failure).rejects.toThrow(/action "strict": input is not valid: n: .*number/);
    await expect(failure).rejects.toBeInstanceOf(ActionFailed);
    expect(action).not.toHaveBeenCalled();
  });

  test.each<[string, unknown, string]>([
    ['a result of another form', { x: 1 }, 'output is not valid: text'],
    ['nothing', undefined, 'returned nothing'],
    ['a function', () => 1, 'returned nothing'],
    ['a bigint', { text: 1n }, 'output is not'],
  ])('%s is its author’s mistake', async (_case, result, message) => {
    const input = z.object({});
    const output = z.object({ text: z.string() });
    const checked = typeof result === 'object' && result !== null && 'x' in result;
    const wrong = defineAction({
      name: 'wrong',
      description: '',
      input,
      ...(checked && { output }),
      run: () => result as Json,
    });
    await expect(run(wrong)).rejects.toMatchObject({
      name: 'ActionFailed',
      phase: 'output',
      message: expect.stringContaining(message) as string,
    });
  });

  test('an error of the action is passed on as it is', async () => {
    const error = Object.assign(new Error('no such user'), { retryable: false });
    const broken = defineAction({
      name: 'broken',
      description: '',
      input: z.object({}),
      run: () => {
        throw error;
      },
    });
    await expect(run(broken)).rejects.toBe(error);
  });

  test('says which variables nobody set', async () => {
    const { output, warnings } = await run(echo, { a: 'x{{ state.gone }}' }, { task: '{{ state.lost }}' });
    expect(output).toEqual({ a: 'x' });
    expect(warnings).toEqual([expect.stringContaining('state.lost'), expect.stringContaining('state.gone')]);
  });

  test('is not run for a run that was cancelled', async () => {
    const context = { models, actions: createActionRegistry([echo]), signal: AbortSignal.abort(new Error('stop')) };
    const input = { state: {}, iteration: 1, workflowId: 'w', timeoutMs: 1 };
    await expect(runStep({ action: 'echo' }, input, context)).rejects.toThrow('stop');
  });
});

describe('the registry', () => {
  test('finds actions by name, and says what there is instead', () => {
    const registry = createActionRegistry([echo]);
    expect(registry.names).toEqual(['echo']);
    expect(registry.find('echo')).toBe(echo);
    expect(registry.find('constructor')).toBeUndefined();
    expect(() => registry.get('ecco')).toThrow(UnknownAction);
    expect(() => registry.get('ecco')).toThrow(
      'action "ecco" is not registered on this worker (did you mean echo?); it has "llm.call", "echo"',
    );
  });

  test('refuses two actions of one name, and names that are built in', () => {
    expect(() => createActionRegistry([echo, echo])).toThrow('two actions have the name "echo"');
    expect(() => createActionRegistry([{ ...echo, name: 'llm.call' }])).toThrow('built in');
  });
});
