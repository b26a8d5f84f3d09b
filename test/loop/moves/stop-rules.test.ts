import type { Issue, ReflectionEvaluation } from '../../../src/loop/contract/evaluation';
import type { ConvergenceSettings } from '../../../src/loop/state/loop-settings';
import { boundedEvaluation } from '../../../src/loop/evaluation/bounded';
import { convergedBecause } from '../../../src/loop/moves/stop-rules';
import type { ReflectionVersion } from '../../../src/loop/state/loop-state';
import { anEvaluation, aVersion, DEFAULT_CONVERGENCE } from '../../../testing/support/versions';
import { expectWithin } from '../../../testing/support/processor-time';

const convergence = DEFAULT_CONVERGENCE;

/** Versions whose outputs have nothing in common, with what a test says of each. */
function versions(...each: (Partial<ReflectionVersion> & { evaluation: ReflectionEvaluation })[]): ReflectionVersion[] {
  const words = ['alpha', 'bravo', 'kilo', 'zulu', 'mike', 'echo', 'oscar', 'tango'];
  return each.map((version, index) => ({
    ...aVersion(index + 1, version.evaluation),
    output: words[index] ?? `${index * 7_919}`,
    ...version,
  }));
}

const scored = (...scores: (number | null)[]) =>
  versions(
    ...scores.map((score, index) => ({
      evaluation: anEvaluation(score === null ? 'inconclusive' : 'fail', score, { issues: [`issue of ${index}`] }),
    })),
  );
const reasonOf = (list: ReflectionVersion[], more: Partial<ConvergenceSettings> = {}) =>
  convergedBecause(list, { convergence: { ...convergence, ...more }, choosesStrategy: true });

describe('plateau', () => {
  test.each<[string, number[], string | undefined]>([
    ['two iterations without a better best', [0.5, 0.5, 0.5], 'plateau'],
    ['drops count as no better', [0.5, 0.3, 0.2], 'plateau'],
    ['one is not enough', [0.5, 0.5], undefined],
    ['a better best starts the count again', [0.5, 0.4, 0.6], undefined],
    ['a draft alone', [0.5], undefined],
  ])('%s', (_name, scores, reason) => {
    expect(reasonOf(scored(...scores))).toBe(reason);
  });

  test('holds only after `plateauIterations`', () => {
    expect(reasonOf(scored(0.5, 0.4, 0.3, 0.2), { plateauIterations: 4, detectOscillation: false })).toBeUndefined();
  });

  test('given scores of 0, a version with more passed checks is better', () => {
    const passed = (share: number) => ({
      evaluation: anEvaluation('fail', 0, { checksPassed: share, issues: [`${share}`] }),
    });
    expect(reasonOf(versions(passed(0.2), passed(0.4), passed(0.6)))).toBeUndefined();
    expect(reasonOf(versions(passed(0.6), passed(0.4), passed(0.6)))).toBe('plateau');
  });
});

describe('oscillation', () => {
  const patient = { plateauIterations: 9 };

  test.each<[string, number[], string | undefined]>([
    ['up and down around the same height', [0.4, 0.6, 0.41, 0.61], 'oscillation'],
    ['down and up', [0.6, 0.4, 0.61, 0.39], 'oscillation'],
    ['the ups get somewhere', [0.4, 0.6, 0.41, 0.7], undefined],
    ['the downs get somewhere', [0.4, 0.6, 0.5, 0.61], undefined],
    ['three versions are too few', [0.4, 0.6, 0.4], undefined],
    ['no alternation', [0.4, 0.42, 0.6, 0.41], undefined],
  ])('%s', (_name, scores, reason) => {
    expect(reasonOf(scored(...scores), patient)).toBe(reason);
  });

  test('can be switched off', () => {
    expect(reasonOf(scored(0.4, 0.6, 0.41, 0.61), { ...patient, detectOscillation: false })).toBeUndefined();
  });
});

describe('diminishing returns', () => {
  test.each<[string, number[], string | undefined]>([
    ['two gains in a row that are too small', [0.5, 0.52, 0.54], 'diminishing'],
    ['a gain that is large enough', [0.5, 0.52, 0.6], undefined],
    ['a drop is no gain', [0.5, 0.48, 0.52], undefined],
    ['one small gain', [0.5, 0.52], undefined],
  ])('%s', (_name, scores, reason) => {
    expect(reasonOf(scored(...scores))).toBe(reason);
  });
});

describe('stability', () => {
  const failing = (output: string, score = 0.5, more: Partial<ReflectionVersion> = {}) => ({
    output,
    evaluation: anEvaluation('fail', score, { issues: ['dull'] }),
    ...more,
  });

  test('given the same text that still fails, the loop stops', () => {
    const same = [0.5, 0.7, 0.9].map((score) => failing('the same', score));
    expect(reasonOf(versions(...same))).toBe('stable');
    expect(reasonOf(versions(...same.slice(0, 2)))).toBeUndefined();
  });

  const long = Array.from({ length: 400 }, (_, index) => `word${index}`).join(' ');

  test('given nearly the same text without a gain, the loop stops', () => {
    expect(reasonOf(versions(failing(long), failing(`${long}!`), failing(long)))).toBe('stable');
  });

  test('given one changed word that raised the score or applied an improvement, the loop goes on', () => {
    expect(reasonOf(versions(failing(long), failing(`${long}!`, 0.6), failing(long, 0.61)))).toBeUndefined();
    const mended = failing(`${long}!`, 0.51, { improvementsApplied: ['no exclamation mark'] });
    expect(reasonOf(versions(failing(long), mended, failing(long, 0.52)), { plateauIterations: 9 })).toBeUndefined();
  });
});

describe('the same issues again and again', () => {
  const told = (strategy: string, ...issues: string[]) => ({
    strategy,
    evaluation: anEvaluation('fail', 0.5, { issues }),
  });
  const rising = (list: ReflectionVersion[]) =>
    list.map((version, index) => ({
      ...version,
      evaluation: { ...version.evaluation, overallScore: 0.1 * (index + 1) },
    }));

  test('stops after two revisions in two ways', () => {
    const list = versions(told('', 'dull'), told('targeted_edit', 'Dull '), told('incremental', 'dull'));
    expect(reasonOf(rising(list))).toBe('repeated_issues');
  });

  test('goes on while a loop that can choose has tried only one way', () => {
    const list = rising(versions(told('', 'dull'), told('incremental', 'dull'), told('incremental', 'dull')));
    expect(reasonOf(list)).toBeUndefined();
    expect(convergedBecause(list, { convergence, choosesStrategy: false })).toBe('repeated_issues');
  });

  test('goes on while there is an issue that no revision was asked to fix', () => {
    const list = versions(told('', 'dull'), told('targeted_edit', 'dull'), told('incremental', 'dull', 'too long'));
    expect(reasonOf(rising(list))).toBeUndefined();
  });

  test('an issue that the judge overlooked once still counts as requested', () => {
    const list = versions(told('', 'dull'), told('targeted_edit', 'long'), told('incremental', 'dull'));
    expect(reasonOf(rising(list))).toBe('repeated_issues');
  });
});

describe('the way in which revisions are made', () => {
  const issues = (...messages: string[]) => ({ evaluation: anEvaluation('fail', 0.5, { issues: messages }) });
  const ruled = (list: ReflectionVersion[], choosesStrategy = true, more: Partial<ConvergenceSettings> = {}) =>
    convergedBecause(list, {
      convergence: { ...convergence, plateauIterations: 9, ...more },
      choosesStrategy,
    });
  const rewritten = { origin: 'revision', strategy: 'full_rewrite' } as const;
  const rerun = { origin: 'regeneration' } as const;

  test('given a custom corrector, or a generator that runs again, one way suffices', () => {
    const list = versions(issues('dull'), { ...issues('dull'), ...rewritten }, { ...issues('dull'), ...rewritten });
    expect(ruled(list, false)).toBe('repeated_issues');
    expect(ruled(list)).toBeUndefined();
    const again = versions(issues('dull'), { ...issues('dull'), ...rerun }, { ...issues('dull'), ...rerun });
    expect(ruled(again, false)).toBe('repeated_issues');
    expect(ruled(again.slice(0, 2), false)).toBeUndefined();
  });

  test('given a model that always returns a whole output, the requested ways count', () => {
    const asked = (askedStrategy: string) => ({ ...issues('dull'), ...rewritten, askedStrategy });
    const list = versions(issues('dull'), asked('targeted_edit'), asked('incremental'));
    expect(ruled(list)).toBe('repeated_issues');
  });

  test('given one fixed issue in each revision, the loop goes on', () => {
    const list = versions(issues('a', 'b', 'c'), { ...issues('b', 'c'), ...rerun }, { ...issues('c'), ...rerun });
    expect(ruled(list, false)).toBeUndefined();
    const stuck = versions(...list, { ...issues('c'), ...rerun }, { ...issues('c'), ...rerun });
    expect(ruled(stuck, false)).toBe('repeated_issues');
  });

  test('plateau and small gains may span more versions than other rules look back on', () => {
    const flat = scored(...Array.from({ length: 31 }, (_, index) => (index === 0 ? 0.9 : 0.3 + index / 1_000)));
    expect(ruled(flat, true, { plateauIterations: 30 })).toBe('plateau');
    expect(ruled(flat.slice(0, 30), true, { plateauIterations: 30 })).toBeUndefined();
    const slow = scored(...Array.from({ length: 31 }, (_, index) => 0.3 + index / 100));
    expect(ruled(slow, true, { plateauIterations: 30 })).toBe('diminishing');
  });

  test('given scores that alternate on a plateau, the reason is oscillation', () => {
    expect(ruled(scored(0.4, 0.6, 0.4, 0.6), true, { plateauIterations: 2 })).toBe('oscillation');
  });
});

describe('what no revision can fix', () => {
  const unknown: Issue = {
    message: 'the price is missing',
    severity: 'major',
    missingInformation: true,
    evaluator: 'test',
  };
  const dull: Issue = { message: 'dull', severity: 'major', evaluator: 'test' };
  const failing = (...issues: Issue[]) => ({ evaluation: { ...anEvaluation('fail', 0.5), issues } });

  test('ends the loop after one revision, before all other rules and also with convergence switched off', () => {
    const list = versions(failing(unknown, { ...dull, severity: 'minor' }), failing(unknown));
    expect(reasonOf(list.slice(0, 1))).toBeUndefined();
    expect(reasonOf(list)).toBe('blocked');
    expect(convergedBecause(list, { convergence: undefined, choosesStrategy: true })).toBe('blocked');
    const still = versions(failing(dull), failing(unknown), failing(unknown));
    expect(reasonOf(still.map((version) => ({ ...version, output: 'same' })))).toBe('blocked');
  });

  test('given a serious issue that can be fixed, or information missing in one version only, the loop goes on', () => {
    expect(reasonOf(versions(failing(unknown, dull), failing(unknown, dull)))).toBeUndefined();
    expect(reasonOf(versions(failing(dull), failing(unknown)))).toBeUndefined();
    expect(reasonOf(versions(failing(unknown), failing(dull)))).toBeUndefined();
    const { severity: _unsaid, ...unsaid } = dull;
    expect(reasonOf(versions(failing(unknown, unsaid), failing(unknown, unsaid)))).toBeUndefined();
    expect(reasonOf(versions(failing(), failing()))).toBeUndefined();
  });
});

describe('the list of rules', () => {
  test('given several rules that hold, gives the most specific reason', () => {
    const same = { evaluation: anEvaluation('fail', 0.5, { issues: ['dull'] }) };
    expect(reasonOf(versions(same, same, same))).toBe('plateau');
    expect(reasonOf(versions(...[1, 2, 3].map(() => ({ ...same, output: 'same' }))))).toBe('stable');
  });

  test('gives no reason when convergence is off, nor for an inconclusive version', () => {
    expect(convergedBecause(scored(0.5, 0.5, 0.5), { choosesStrategy: true })).toBeUndefined();
    expect(reasonOf(scored(0.5, 0.5, null))).toBeUndefined();
  });

  test('takes no longer in a run of thousands of iterations', async () => {
    const many = scored(...Array.from({ length: 5_000 }, (_, index) => (index % 7) / 10 + index / 100_000));
    await expectWithin(1_000, () => {
      for (let round = 0; round < 20; round += 1) reasonOf(many, { plateauIterations: 9_999 });
    });
  });
});

describe('`endsWith: minor`', () => {
  const failing = (...issues: Partial<Issue>[]) => {
    const evaluation = anEvaluation('fail', 0.7);
    return { ...evaluation, issues: issues.map((issue) => ({ message: 'dull', evaluator: 'test', ...issue })) };
  };
  const ended = (evaluation: ReflectionEvaluation) => reasonOf(versions({ evaluation }), { endsWith: 'minor' });

  test('a version that failed for minor issues alone ends the loop, even if it is the draft', () => {
    expect(ended(failing({ severity: 'minor' }, { severity: 'minor' }))).toBe('plateau');
  });

  test.each<[string, ReflectionEvaluation]>([
    ['an issue without a severity counts as major', failing({ severity: 'minor' }, {})],
    ['a major issue beside a minor one', failing({ severity: 'minor' }, { severity: 'major' })],
    ['a score that is too low is no stated issue', failing({ severity: 'minor', type: 'score' })],
    ['a failure without an issue', failing()],
    [
      'issues that were left out may be major',
      boundedEvaluation(
        failing(...Array.from({ length: 201 }, (_, index) => ({ severity: index < 200 ? 'minor' : 'major' }) as const)),
      ),
    ],
  ])('the loop goes on: %s', (_name, evaluation) => {
    expect(ended(evaluation)).toBeUndefined();
  });

  test('an evaluator that failed without a minor issue keeps the loop going', () => {
    const evaluation = failing({ severity: 'minor' });
    const [judge] = evaluation.evaluators;
    expect(ended({ ...evaluation, evaluators: [judge!, { ...judge!, name: 'length' }] })).toBeUndefined();
    expect(ended({ ...evaluation, evaluators: [judge!, { ...judge!, name: 'length', outcome: 'pass' }] })).toBe(
      'plateau',
    );
  });

  test('without the setting, a loop goes on after minor issues', () => {
    expect(reasonOf(versions({ evaluation: failing({ severity: 'minor' }) }))).toBeUndefined();
  });
});
