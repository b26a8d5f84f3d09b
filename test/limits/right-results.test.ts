import type { Json } from '../../src/lib/json/json';
import type { LimitCase, WorkflowType } from '../../testing/limits/limit-case';
import { resultCheck } from '../../testing/limits/result-checks';
import { wrongResult } from '../../testing/limits/right-results';
import { madeBy } from '../../testing/limits/work';

const refuses = { type: 'function', action: 'judges', with: {} };
const spec = { generator: { action: 'makes', with: { bytes: 60 } }, evaluator: refuses, convergence: false };
const evaluation = { outcome: 'fail', satisfactory: false, issues: [{}], evaluators: [{}] };
const version = (iteration: number, output: Json = madeBy({ bytes: 60 }, iteration)) => ({
  iteration,
  output,
  origin: iteration === 1 ? 'draft' : 'regeneration',
});
const result = {
  success: false,
  exhausted: true,
  finalOutput: madeBy({ bytes: 60 }, 1),
  bestOutput: madeBy({ bytes: 60 }, 1),
  finalEvaluation: evaluation,
  history: {
    versions: [version(1), version(2), version(3)],
    bestIteration: 1,
    finalIteration: 1,
    convergenceReason: 'max_iterations',
    totalIterations: 3,
  },
  iterationsUsed: 3,
  convergenceReason: 'max_iterations',
};
const { history } = result;

function wrong(workflow: WorkflowType, argument: unknown, found: unknown, more: Partial<LimitCase> = {}): string[] {
  return wrongResult({ name: 'it', workflow, argument: argument as Json, ...more }, found);
}

describe('the result of a loop', () => {
  test('is right as its script has it', () => {
    expect(wrong('reflectionLoop', spec, result)).toEqual([]);
  });

  test.each<[string, object, object, RegExp]>([
    [
      'too few iterations',
      {},
      { iterationsUsed: 2, history: { ...history, totalIterations: 2, versions: [] } },
      /after 2 of 3/,
    ],
    ['too many', { maxIterations: 2 }, {}, /3 iterations of at most 2/],
    ['a pass of what nothing passes', {}, { success: true, exhausted: false }, /nothing can pass/],
    ['a reason that is not possible', {}, { convergenceReason: 'plateau' }, /stopped for plateau/],
    ['two reasons', { convergence: {} }, { convergenceReason: 'plateau' }, /history says max_iterations/],
    ['an output of another iteration', {}, { finalOutput: madeBy({ bytes: 60 }, 2) }, /of iteration 1 is "output 2/],
    ['an output that is cut', {}, { bestOutput: madeBy({ bytes: 59 }, 1) }, /\(61 bytes\) instead of .*\(62 bytes\)/],
    ['another version', {}, { history: { ...history, finalIteration: 2 } }, /iteration 2 is handed back instead of 1/],
    [
      'a version of another length',
      {},
      { history: { ...history, versions: [version(1, 'output 1')] } },
      /is "output 1"/,
    ],
    ['a version twice', {}, { history: { ...history, versions: [version(1), version(1)] } }, /versions are 1, 1 of 3/],
    [
      'no version where the last is wanted',
      { onFailure: 'return_last' },
      {},
      /iteration 1 is handed back instead of 3/,
    ],
    [
      'the text of the generator',
      { corrector: { action: 'makes', with: { bytes: 9 } } },
      {
        history: { ...history, versions: [{ ...version(2), origin: 'revision' }] },
      },
      /instead of "output 2 " \(11 bytes\)/,
    ],
  ])('is not right with %s', (_name, asked, found, words) => {
    const told = wrong('reflectionLoop', { ...spec, ...asked }, { ...result, ...found });
    expect(told).toContainEqual(expect.stringMatching(words));
  });

  test('may leave out a best output that is large, and no small one', () => {
    const bytes = 1_000_000;
    const large = {
      ...result,
      finalOutput: madeBy({ bytes }, 1),
      bestOutput: null,
      history: { ...history, versions: [] },
    };
    expect(wrong('reflectionLoop', { ...spec, generator: { action: 'makes', with: { bytes } } }, large)).toEqual([]);
    expect(wrong('reflectionLoop', spec, { ...result, bestOutput: null })).toHaveLength(1);
  });

  test('that the harness aborts is told from one that should not be', () => {
    const aborted = { ...result, convergenceReason: 'aborted', history: { ...history, convergenceReason: 'aborted' } };
    expect(wrong('reflectionLoop', spec, aborted)).toEqual([expect.stringMatching('stopped for aborted')]);
    expect(wrong('reflectionLoop', spec, aborted, { reasons: ['aborted'] })).toEqual([]);
    expect(wrong('reflectionLoop', spec, result, { reasons: ['aborted'] })).toHaveLength(1);
  });

  test('of a model has what the model wrote', () => {
    const generator = { action: 'llm.call', prompt: 'Write.', model: 'writes 60 KB' };
    const written = 'Written: 6 '.padEnd(60_000, 'x');
    const of = (output: string) => ({
      ...result,
      finalOutput: output,
      bestOutput: output,
      history: { ...history, versions: [] },
    });
    expect(wrong('reflectionLoop', { ...spec, generator }, of(written))).toEqual([]);
    expect(wrong('reflectionLoop', { ...spec, generator }, of(written.slice(1)))).toHaveLength(2);
    expect(wrong('reflectionLoop', { ...spec, generator }, of(`${written}x`))).toHaveLength(2);
  });
});

describe('another result', () => {
  const task = (id: string) => ({ id, description: 'Make it.', step: { action: 'makes', with: { bytes: 60 } } });
  const plan = { id: 'p', tasks: [task('a'), task('b')] };
  const done = (taskId: string, output: Json = madeBy({ bytes: 60 }, 1)) => ({ taskId, success: true, output });
  const planned = { success: true, plan, results: [done('a'), done('b')], replans: 0 };
  const nodes = [{ name: 'n', output: 'made', uses: 'makes', with: { bytes: 60 } }];
  const piped = { state: { made: madeBy({ bytes: 60 }, 1) }, nodes: [{ name: 'n' }] };
  const inside = {
    reason: 'max_iterations',
    used: 3,
    chosen: 1,
    output: { head: 'output 1 '.padEnd(40, 'x'), rest: 'x', characters: 60 },
  };
  const population = { agents: 2, counts: { reflections: 2 }, reflections: [{}], omitted: { reflections: 1 } };

  test.each<[WorkflowType, object | object[], object | object[], object | object[], RegExp]>([
    ['planReflection', { plan }, planned, { ...planned, results: [done('a')] }, /1 of its tasks are not/],
    ['planReflection', { plan }, planned, { ...planned, results: [done('a', 'x'), done('b')] }, /is "x"/],
    ['planReflection', { plan, maxReplanningAttempts: 0 }, planned, { ...planned, replans: 1 }, /replanned 1 times/],
    [
      'planReflection',
      { plan },
      { ...planned, results: [done('a', '(62 bytes of output are left out)'), done('b')] },
      {
        ...planned,
        results: [done('a', '(63 bytes of output are left out)'), done('b')],
      },
      /left out/,
    ],
    ['reflectionPipeline', { nodes }, piped, { ...piped, nodes: [] }, /node n was not run/],
    ['reflectionPipeline', { nodes }, piped, { ...piped, state: {} }, /its state has no made/],
    ['reflectionPipeline', { nodes }, piped, { ...piped, state: { made: 'output 1' } }, /is "output 1"/],
    ['reflectionEvaluate', { evaluator: refuses }, evaluation, { ...evaluation, evaluators: [] }, /0 of 1 evaluators/],
    [
      'reflectionEvaluate',
      { evaluator: refuses },
      evaluation,
      { ...evaluation, outcome: 'pass', satisfactory: true },
      /refuses/,
    ],
    [
      'reflectionCorrect',
      { corrector: spec.generator },
      { output: madeBy({ bytes: 60 }, 1) },
      { output: 'x' },
      /is "x"/,
    ],
    [
      'agentReflection',
      { agents: [{}, {}] },
      population,
      { ...population, omitted: { reflections: 0 } },
      /1 reflections and 0/,
    ],
    ['reflectsInside', [spec], [inside], [{ ...inside, used: 2 }], /max_iterations after 2 iterations/],
    ['reflectsInside', [spec], [inside], [{ ...inside, chosen: 2 }], /iteration 2 is chosen/],
    ['reflectsInside', [spec], [inside], [{ ...inside, output: { ...inside.output, characters: 59 } }], /instead of/],
    ['reflectsInside', [spec, spec], [inside, inside], [inside], /1 results of 2 loops/],
  ])('of %s is right or told', (workflow, argument, right, other, words) => {
    expect(wrong(workflow, argument, right)).toEqual([]);
    expect(wrong(workflow, argument, other)).toContainEqual(expect.stringMatching(words));
  });

  test('is first of all as its schema says', () => {
    const check = resultCheck({ name: 'it', workflow: 'planReflection', argument: { plan } as unknown as Json });
    expect(check(planned)).toMatch(/not as its schema says: .*evaluations/);
  });
});
