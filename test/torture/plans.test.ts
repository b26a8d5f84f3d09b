import { formula } from '../../testing/torture/formula';
import { labelText, readLabel } from '../../testing/torture/loop-label';
import { BACKGROUND_MODEL, type LoopPlan, planOf } from '../../testing/torture/plans';
import { Random } from '../../testing/torture/random';
import { parseSpec } from '../../src/loop/parse/spec';

const plans = (seed: number): LoopPlan[] => Array.from({ length: 40 }, (_, index) => planOf(seed, index));
const label = { loop: 'L1-0', passAt: 3, unreadableAt: 2, slowMs: 100 };

function asked(...contents: string[]) {
  return { model: 'scripted', messages: contents.map((content) => ({ role: 'user', content })) };
}

describe('a torture run', () => {
  test('is decided by its seed', () => {
    expect(plans(1)).toEqual(plans(1));
    expect(plans(1)).not.toEqual(plans(2));
    const numbers = (seed: number) => Array.from({ length: 5 }, () => Random.of(seed, 1).next());
    expect(numbers(1)).toEqual(numbers(1));
  });

  test('starts valid loops of every kind, some of which are steered', () => {
    for (const { spec } of plans(3)) expect(parseSpec(spec)).toHaveProperty('spec');
    expect(new Set(plans(3).map(({ kind }) => kind)).size).toBe(6);
    for (const { kind, commands } of plans(3)) {
      if (kind === 'person') expect(commands).not.toEqual([]);
      else if (kind !== 'long' && kind !== 'background') expect(commands).toEqual([]);
    }
    expect(plans(3).flatMap(({ commands }) => commands).length).toBeGreaterThan(10);
  });

  test('calls models in the background: to write, to judge, and for both', () => {
    const called = plans(3)
      .filter(({ kind }) => kind === 'background')
      .map(({ spec: { model, reflectionModel = model } }) =>
        [model, reflectionModel].map((name) => name === BACKGROUND_MODEL),
      );
    expect(called).toContainEqual([true, true]);
    expect(called).toContainEqual([true, false]);
    expect(called).toContainEqual([false, true]);
  });

  test('gives the same answer to the same request, and passes where the loop says so', () => {
    const text = labelText(label);
    expect(readLabel(`before ${text} after`)).toEqual(label);
    expect(formula(asked(`${text} Write.`))).toEqual(formula(asked(`${text} Write.`)));
    expect(formula(asked(`${text} Write.`))).toMatchObject({ reply: { loop: 'L1-0', version: 1 } });
    expect(formula(asked(`${text} "version": 2`))).toMatchObject({ reply: { version: 3, done: true } });
    expect(formula(asked(`${text} compose 2`))).toMatchObject({ reply: { version: 2 } });
    const judge = (version: number) =>
      formula(asked('You judge outputs', `${text} "version":${version}`), { hurried: true });
    expect(judge(1)).toMatchObject({ reply: { valid: false }, delayMs: 0 });
    expect(judge(2)).toMatchObject({ reply: expect.stringContaining('Hard to say') });
    expect(judge(3)).toMatchObject({ reply: { valid: true, score: 1 } });
    const reply = (judge(2) as { reply: string }).reply;
    expect(formula(asked('You put a judgement into form', reply))).toMatchObject({ reply: { valid: false } });
  });

  test('has no answer for requests of others', () => {
    expect(() => formula(asked('Hello.'))).toThrow('a request of no loop');
  });
});
