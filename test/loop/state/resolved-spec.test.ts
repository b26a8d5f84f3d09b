import { LOOP_DEFAULTS } from '../../../src/loop/base/defaults';
import { resolveSpec } from '../../../src/loop/state/resolved-spec';
import { loopSpec, type ReflectionSpec } from '../../../src/loop/contract/spec';
import { settingsOf } from '../../../src/loop/parse/settings';

const generator = { action: 'llm.call' as const, prompt: 'Write.' };
const plan = { name: 'llm', type: 'llm', weight: 1, gate: false, local: false };

function resolved(spec: ReflectionSpec, more: object = {}) {
  const prepared = { settings: settingsOf(spec), evaluators: [plan], actionNeeds: {}, searchAttributes: false };
  return resolveSpec(spec, { ...prepared, ...more });
}

describe('a resolved spec', () => {
  test('has a value for all that its author left out', () => {
    const { settings, ...rest } = resolved({ generator, evaluator: { type: 'llm' } });
    // Runs without streaming carry no field for it.
    const { structuredReflection, stream: _off, ...others } = LOOP_DEFAULTS;
    expect(settings).toMatchObject(others);
    expect(rest).toMatchObject({ structuredReflection, state: {}, actionNeeds: {} });
    expect(rest.evaluators).toEqual(rest.allEvaluators);
    expect(Object.values(rest)).not.toContain(undefined);
  });

  test('documented defaults are the applied ones', () => {
    const documented = Object.entries(loopSpec.shape).flatMap(([key, field]) => {
      const { default: value } = (field.meta() ?? {}) as { default?: unknown };
      return value === undefined || key === 'state' ? [] : [[key, value]];
    });
    expect(Object.fromEntries(documented)).toEqual(LOOP_DEFAULTS);
  });

  test('what is asked of memory is filled in, too', () => {
    const spec = { generator, evaluator: { type: 'llm' as const }, memory: { agent: 'a', store: false } };
    expect(resolved(spec).memory).toEqual({ agent: 'a', recall: 5, store: false });
  });

  test.each([
    [{ model: 'm' }, 'm'],
    [{ model: 'm', reflectionModel: 'r' }, 'r'],
    [{ model: 'm', reflectionModel: 'r', judge: { model: 'j' } }, 'j'],
    [{}, undefined],
  ])('%j: judges that name no model ask %s', (models, model) => {
    expect(resolved({ generator, evaluator: { type: 'llm' }, ...models }).judgeModel).toBe(model);
  });

  test('the second judge stands behind the evaluators, with its own configuration, and each is asked as often as the spec says', () => {
    const judge = { votes: 3, second: { type: 'llm' as const, prompt: 'Sure?' } };
    const second = { ...plan, name: 'second judge', gate: true };
    const spec = resolved({ generator, evaluator: [{ type: 'llm' }], judge }, { second });
    expect(spec.allEvaluators.map(({ name }) => name)).toEqual(['llm', 'second judge']);
    const [first, ...votes] = spec.tasks.filter(({ index }) => index === 1);
    expect(first).toMatchObject({ plan: { gate: true }, evaluator: judge.second, tree: { kind: 'panel' } });
    expect(votes).toHaveLength(2);
    expect(spec.evaluators).toHaveLength(1);
  });
});
