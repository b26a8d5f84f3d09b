import type { Issue, Outcome } from '../../../src/loop/contract/evaluation';
import { flagsOf } from '../../../src/loop/evaluation/flags';
import type { EvaluatorPlan } from '../../../src/loop/state/loop-settings';
import { onlyScoreFailed } from '../../../src/loop/evaluation/relaxation';
import type { ReflectionVersion } from '../../../src/loop/state/loop-state';
import { anEvaluation, aVersion } from '../../../testing/support/versions';

const plan = (name: string, more: Partial<EvaluatorPlan> = {}): EvaluatorPlan => ({
  name,
  type: 'llm',
  weight: 1,
  gate: false,
  local: false,
  ...more,
});
const JUDGE = [plan('judge')];
const WITH_CHECK = [plan('judge'), plan('shape', { type: 'schema', local: true })];

type Severities = (Issue['severity'] | undefined)[];

function judged(
  iteration: number,
  outcome: Outcome,
  score: number,
  issues: { messages?: string[]; severities?: Severities; by?: string[] } = {},
): ReflectionVersion {
  const { messages = [], severities = [], by = ['judge'] } = issues;
  const version = aVersion(iteration, anEvaluation(outcome, score, { issues: messages }));
  version.evaluation.issues.forEach((issue, index) => {
    const severity = severities[index];
    if (severity) issue.severity = severity;
  });
  version.evaluation.evaluators = by.map((name) => ({ name, type: 'llm', outcome, score, ms: 1 }));
  return version;
}

const flags = (versions: ReflectionVersion[], plans = JUDGE, best = versions[0]) => flagsOf(versions, best, plans, 0.8);

describe('a judge that is never satisfied is flagged overcritical', () => {
  const minor = { messages: ['dull'], severities: ['minor'] as Severities };

  test('after three versions that fail by minor things', () => {
    const versions = [1, 2, 3].map((iteration) => judged(iteration, 'fail', 0.7, minor));
    expect(flags(versions)).toEqual(['overcritical']);
    expect(flags(versions.slice(0, 2))).toEqual([]);
  });

  test('when it finds something new each time that the old is mended', () => {
    const serious = (message: string) => ({ messages: [message], severities: ['major'] as Severities });
    const moving = ['a', 'b', 'c'].map((message, index) => judged(index + 1, 'fail', 0.4, serious(message)));
    expect(flags(moving)).toEqual(['overcritical']);
    const stubborn = ['a', 'b', 'b'].map((message, index) => judged(index + 1, 'fail', 0.4, serious(message)));
    expect(flags(stubborn)).toEqual([]);
    const returning = ['a', 'b', 'a'].map((message, index) => judged(index + 1, 'fail', 0.4, serious(message)));
    expect(flags(returning)).toEqual([]);
  });

  test.each<[string, Severities, number, string[]]>([
    ['a serious issue', ['major'], 0.75, []],
    ['an issue without a severity, far below the threshold', [undefined], 0.3, []],
    ['an issue without a severity, near the threshold', [undefined], 0.7, ['overcritical']],
  ])('%s in the best version', (_name, severities, score, expected) => {
    const versions = [1, 2, 3].map((each) => judged(each, 'fail', score, { messages: ['dull'], severities }));
    expect(flags(versions)).toEqual(expected);
  });

  test('not when a version passed, or when a check failed it', () => {
    const fails = [1, 2, 3].map((iteration) => judged(iteration, 'fail', 0.7, minor));
    expect(flags([...fails, judged(4, 'pass', 0.9)])).toEqual([]);
    const byCheck = [1, 2, 3].map((iteration) => judged(iteration, 'fail', 0.7, { ...minor, by: ['shape'] }));
    expect(flags(byCheck, WITH_CHECK)).toEqual([]);
    expect(flags(fails, WITH_CHECK)).toEqual(['overcritical']);
  });

  test('when a second judge fails what the first passes', () => {
    const second = plan('second judge', { gate: true });
    const by = ['judge', 'second judge'];
    const versions = [1, 2, 3].map((iteration) => judged(iteration, 'fail', 0.75, { ...minor, by }));
    for (const { evaluation } of versions) evaluation.evaluators[0]!.outcome = 'pass';
    expect(flagsOf(versions, versions[0], JUDGE, 0.8, second)).toEqual(['overcritical']);
    const checks = { ...second, asksModel: false as const };
    expect(flagsOf(versions, versions[0], JUDGE, 0.8, checks)).toEqual([]);
  });

  test('an inconclusive version says nothing about the judge', () => {
    const versions = [judged(1, 'fail', 0.7, minor), judged(2, 'fail', 0.7, minor), judged(3, 'inconclusive', 0)];
    expect(flags(versions)).toEqual([]);
  });
});

describe('a draft that passes at the ceiling is flagged undercritical', () => {
  test('where only models judge', () => {
    const draft = judged(1, 'pass', 0.95);
    expect(flags([draft])).toEqual(['undercritical']);
    expect(flags([draft], WITH_CHECK)).toEqual([]);
    expect(flags([draft], [plan('judge', { parts: [{ local: false }, { local: true }] })])).toEqual([]);
    expect(flags([draft], [plan('program', { asksModel: false })])).toEqual([]);
  });

  test.each([
    ['a lower score', judged(1, 'pass', 0.94)],
    ['an issue', judged(1, 'pass', 1, { messages: ['dull'] })],
    ['a second judge that looked at it', judged(1, 'pass', 1, { by: ['judge', 'second judge'] })],
    ['a person who wrote it', { ...judged(1, 'pass', 1), origin: 'override' as const }],
  ])('not with %s', (_name, version) => {
    expect(flags([version])).toEqual([]);
  });

  test('not when a revision was needed', () => {
    expect(flags([judged(1, 'fail', 0.2), judged(2, 'pass', 1)])).toEqual([]);
  });
});

describe('what lowers the threshold', () => {
  test.each<[string, ReflectionVersion, EvaluatorPlan[], boolean]>([
    ['a score below it', judged(1, 'fail', 0.7, { messages: ['dull'] }), JUDGE, true],
    ['a serious issue', judged(1, 'fail', 0.7, { messages: ['x'], severities: ['critical'] }), JUDGE, false],
    ['a gate', judged(1, 'fail', 0.7), [plan('judge', { gate: true })], false],
    ['a failed check', judged(1, 'fail', 0.7, { by: ['shape'] }), WITH_CHECK, false],
    ['a verdict against the score', judged(1, 'fail', 0.9), JUDGE, false],
    ['an inconclusive version', judged(1, 'inconclusive', 0), JUDGE, false],
    ['a pass', judged(1, 'pass', 0.9), JUDGE, false],
  ])('%s', (_name, version, plans, expected) => {
    expect(onlyScoreFailed(version, plans, 0.8)).toBe(expected);
  });
});
