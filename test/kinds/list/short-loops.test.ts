import { expandSpec } from '../../../src/loop/spec/short-form';
import { parseBatch } from '../../../src/kinds/batch/parse/batch';
import { parsePipeline } from '../../../src/kinds/pipeline/parse/pipeline';
import { parsePlan, parsePlanSpec } from '../../../src/kinds/plan/parse/plan';

describe('loops inside of other runs', () => {
  const short = { task: 'Write.', evaluator: ['It is kind.', 'It is short.', { pattern: 'x' }] };
  const long = expandSpec(short).value;
  const wrong = { ...short, evaluator: [...short.evaluator, { pattern: 'x', weight: -1 }, 'fluffy'] };
  const paths = (parsed: object): string[] =>
    ((parsed as { problems?: { path: string }[] }).problems ?? []).map(({ path }) => path).toSorted();

  test('of a pipeline', () => {
    const pipeline = (spec: object) => ({
      nodes: [
        { name: 'a', run: 'return 1' },
        { name: 'b', uses: 'reflection.loop', with: { ...spec, maxIterations: '{{ state.n }}' } },
      ],
    });
    const parsed = parsePipeline(pipeline(short)) as { pipeline: { nodes: { with?: unknown }[] } };
    expect(parsed.pipeline.nodes[1]!.with).toEqual({ ...(long as object), maxIterations: '{{ state.n }}' });
    expect(paths(parsePipeline(pipeline(wrong)))).toEqual([
      '/nodes/1/with/evaluator/3/weight',
      '/nodes/1/with/evaluator/4',
    ]);
  });

  test('of a plan', () => {
    const plan = (loop: object) => ({ id: 'p', tasks: [{ id: 'a', description: 'd', step: { loop } }] });
    expect(parsePlan(plan(short))).toEqual({ plan: plan(long as object) });
    expect(parsePlanSpec({ goal: 'g', plan: plan(short) })).toEqual({
      spec: { goal: 'g', plan: plan(long as object) },
    });
    const at = '/tasks/0/step/loop/evaluator';
    expect(paths(parsePlan(plan(wrong)))).toEqual([`${at}/3/weight`, `${at}/4`]);
    expect(paths(parsePlanSpec({ goal: 'g', plan: plan(wrong) }))).toEqual([`/plan${at}/3/weight`, `/plan${at}/4`]);
  });

  test('of a batch', () => {
    const batch = (loop: unknown) => ({ loop, digest: '0'.repeat(16), pages: [1] });
    expect(parseBatch(batch(short))).toEqual({ spec: batch(long) });
    expect(paths(parseBatch(batch(wrong)))).toEqual(['/loop/evaluator/3/weight', '/loop/evaluator/4']);
  });
});
