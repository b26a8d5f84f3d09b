import type { Issue, ReflectionEvaluation } from '../../../src/loop/contract/evaluation';
import type { ConvergenceSettings } from '../../../src/loop/state/loop-settings';
import { convergedBecause } from '../../../src/loop/moves/stop-rules';
import type { ReflectionVersion } from '../../../src/loop/state/loop-state';
import { anEvaluation, aVersion, DEFAULT_CONVERGENCE } from '../../../testing/support/versions';
import { ProcessorTime } from '../../../testing/support/processor-time';

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

  test('waits as long as it is told to', () => {
    expect(reasonOf(scored(0.5, 0.4, 0.3, 0.2), { plateauIterations: 4, detectOscillation: false })).toBeUndefined();
  });

  test('more checks passed are a better best, though the score is 0', () => {
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

  test('the same text that still fails', () => {
    const same = [0.5, 0.7, 0.9].map((score) => failing('the same', score));
    expect(reasonOf(versions(...same))).toBe('stable');
    expect(reasonOf(versions(...same.slice(0, 2)))).toBeUndefined();
  });

  const long = Array.from({ length: 400 }, (_, index) => `word${index}`).join(' ');

  test('nearly the same text that is no better', () => {
    expect(reasonOf(versions(failing(long), failing(`${long}!`), failing(long)))).toBe('stable');
  });

  test('one word of a long text that made it better, or mended something, is a change', () => {
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

  test('goes on while the way was not changed, where it can be', () => {
    const list = rising(versions(told('', 'dull'), told('incremental', 'dull'), told('incremental', 'dull')));
    expect(reasonOf(list)).toBeUndefined();
    expect(convergedBecause(list, { convergence, choosesStrategy: false })).toBe('repeated_issues');
  });

  test('goes on while something else is wrong, too', () => {
    const list = versions(told('', 'dull'), told('targeted_edit', 'dull'), told('incremental', 'dull', 'too long'));
    expect(reasonOf(rising(list))).toBeUndefined();
  });

  test('an issue that a judge overlooked once was still asked for', () => {
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

  test('a corrector of one’s own cannot be told another way, and a generator that runs again has only one', () => {
    const list = versions(issues('dull'), { ...issues('dull'), ...rewritten }, { ...issues('dull'), ...rewritten });
    expect(ruled(list, false)).toBe('repeated_issues');
    expect(ruled(list)).toBeUndefined();
    const again = versions(issues('dull'), { ...issues('dull'), ...rerun }, { ...issues('dull'), ...rerun });
    expect(ruled(again, false)).toBe('repeated_issues');
    expect(ruled(again.slice(0, 2), false)).toBeUndefined();
  });

  test('a model that answers every way with a whole output was asked in two ways all the same', () => {
    const asked = (askedStrategy: string) => ({ ...issues('dull'), ...rewritten, askedStrategy });
    const list = versions(issues('dull'), asked('targeted_edit'), asked('incremental'));
    expect(ruled(list)).toBe('repeated_issues');
  });

  test('who mends one thing at a time is not stopped', () => {
    const list = versions(issues('a', 'b', 'c'), { ...issues('b', 'c'), ...rerun }, { ...issues('c'), ...rerun });
    expect(ruled(list, false)).toBeUndefined();
    const stuck = versions(...list, { ...issues('c'), ...rerun }, { ...issues('c'), ...rerun });
    expect(ruled(stuck, false)).toBe('repeated_issues');
  });

  test('a plateau and small gains may be longer than what other rules look back on', () => {
    const flat = scored(...Array.from({ length: 31 }, (_, index) => (index === 0 ? 0.9 : 0.3 + index / 1_000)));
    expect(ruled(flat, true, { plateauIterations: 30 })).toBe('plateau');
    expect(ruled(flat.slice(0, 30), true, { plateauIterations: 30 })).toBeUndefined();
    const slow = scored(...Array.from({ length: 31 }, (_, index) => 0.3 + index / 100));
    expect(ruled(slow, true, { plateauIterations: 30 })).toBe('diminishing');
  });

  test('up and down at the same heights is an oscillation, and on no better best, too', () => {
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

  test('ends the loop once a revision was tried, whatever else holds and also without convergence', () => {
    const list = versions(failing(unknown, { ...dull, severity: 'minor' }), failing(unknown));
    expect(reasonOf(list.slice(0, 1))).toBeUndefined();
    expect(reasonOf(list)).toBe('blocked');
    expect(convergedBecause(list, { convergence: undefined, choosesStrategy: true })).toBe('blocked');
    const still = versions(failing(dull), failing(unknown), failing(unknown));
    expect(reasonOf(still.map((version) => ({ ...version, output: 'same' })))).toBe('blocked');
  });

  test('does not while something serious can be mended, or the judge did not say it of both', () => {
    expect(reasonOf(versions(failing(unknown, dull), failing(unknown, dull)))).toBeUndefined();
    expect(reasonOf(versions(failing(dull), failing(unknown)))).toBeUndefined();
    expect(reasonOf(versions(failing(unknown), failing(dull)))).toBeUndefined();
    const { severity: _unsaid, ...unsaid } = dull;
    expect(reasonOf(versions(failing(unknown, unsaid), failing(unknown, unsaid)))).toBeUndefined();
    expect(reasonOf(versions(failing(), failing()))).toBeUndefined();
  });
});

describe('the list of rules', () => {
  test('gives one reason where several hold: what tells most', () => {
    const same = { evaluation: anEvaluation('fail', 0.5, { issues: ['dull'] }) };
    expect(reasonOf(versions(same, same, same))).toBe('plateau');
    expect(reasonOf(versions(...[1, 2, 3].map(() => ({ ...same, output: 'same' }))))).toBe('stable');
  });

  test('says nothing when it is off, and nothing of a version that nobody could judge', () => {
    expect(convergedBecause(scored(0.5, 0.5, 0.5), { choosesStrategy: true })).toBeUndefined();
    expect(reasonOf(scored(0.5, 0.5, null))).toBeUndefined();
  });

  test('takes no longer in a run of thousands of iterations', () => {
    const many = scored(...Array.from({ length: 5_000 }, (_, index) => (index % 7) / 10 + index / 100_000));
    const time = new ProcessorTime();
    for (let round = 0; round < 20; round += 1) reasonOf(many, { plateauIterations: 9_999 });
    expect(time.ms).toBeLessThan(1_000);
  });
});
