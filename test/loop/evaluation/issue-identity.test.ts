import fc from 'fast-check';
import { aggregateParts } from '../../../src/loop/evaluation/aggregate';
import { combineVerdicts } from '../../../src/loop/evaluation/combine';
import { identifyIssue } from '../../../src/loop/evaluation/issue-identity';
import { attemptsOf } from '../../../src/loop/versions/attempts';
import { reportOf } from '../../../src/loop/versions/report';
import {
  issueIdentity,
  issueKey,
  QUESTION_TYPE,
  resolvedIssues,
  type Verdict,
} from '../../../src/loop/state/evaluation';
import { partTree } from '../../../src/loop/spec/evaluator-parts';
import type { Issue } from '../../../src/loop/contract/evaluation';
import { aVersion } from '../../../testing/support/versions';

const found = (message: string, more: Partial<Issue> = {}): Issue => ({ message, evaluator: 'check', ...more });
const identityOf = (issue: Issue, type = 'function', name = 'check'): string =>
  identifyIssue(issue, { name, type }).identity!;

function aVerdict(issues: Issue[], { name = 'check', type = 'function' } = {}): Verdict {
  const identified = issues.map((issue) => identifyIssue(issue, { name, type }));
  return { name, type, outcome: 'fail', score: 0, issues: identified, suggestions: [], confidence: 1, ms: 1 };
}

/** A version with issues that were found and identified. */
const withIssues = (iteration: number, ...issues: Issue[]) =>
  aVersion(
    iteration,
    combineVerdicts([aVerdict(issues)], () => 1),
  );

describe('the identity of an issue over versions', () => {
  test.each<[string, Issue, Issue, ...string[]]>([
    ['another number', found('has 12 words'), found('has 14 words')],
    ['one of what is counted', found('it has 1 word, and 3 are needed'), found('It has  2 words, and 3 are needed')],
    ['another price', found('costs $1,200.50, not 3'), found('costs $17, not 3')],
    ['another quoted value', found('must be a date, got "soon"'), found('must be a date, got "tomorrow, at 5"')],
    ['a value in other quotes', found('“Anna’s” is no name here'), found('“Bob” is no name here')],
    ['a value in single quotes', found("isn't a colour: 'reddish'"), found("isn't a colour: 'blueish'")],
    [
      'a value without quotes, and a rule',
      found('the output: must be array, got null', { path: '', type: 'type' }),
      found('the output: must be array, got {"a":1}', { path: '', type: 'type' }),
      'schema',
    ],
    [
      'a value without quotes, and a rule of code with a place',
      found('Bob Smith is no customer', { path: '/name', type: 'unknown_customer' }),
      found('Ann Jones is no customer', { path: '/name', type: 'unknown_customer' }),
    ],
    [
      'another finding for the same question',
      found('no source', { criterion: 'facts', type: `${QUESTION_TYPE}Is a source named?` }),
      found('The source is missing.', { criterion: 'facts', type: `${QUESTION_TYPE}Is a source named?`, path: '/a' }),
      'criteria',
    ],
    [
      'another score',
      found('scored 0.5, needs 0.8', { type: 'score' }),
      found('scored 0.61, needs 0.8', { type: 'score' }),
    ],
  ])('is the same with %s', (_what, one, other, ...[type]) => {
    expect(identityOf(one, type)).toBe(identityOf(other, type));
    expect(issueKey(one) === issueKey(other)).toBe(one.type?.startsWith(QUESTION_TYPE) || one.type === 'score');
  });

  test.each<[string, Issue, Issue, ...string[]]>([
    ['two fields', found('is missing', { path: '/a' }), found('is missing', { path: '/b' })],
    ['two items of a list', found('is too long', { path: '/items/1' }), found('is too long', { path: '/items/2' })],
    [
      'two rules of one field',
      found('too short', { path: '/a', type: 'minLength' }),
      found('no match', { path: '/a', type: 'pattern' }),
      'schema',
    ],
    ['two faults of the whole', found('has 12 words'), found('has 12 lines')],
    [
      'two faults that code calls by one type',
      found('no title', { type: 'style' }),
      found('no end', { type: 'style' }),
    ],
    [
      'two questions',
      found('no', { criterion: 'facts', type: `${QUESTION_TYPE}Is it true?` }),
      found('no', { criterion: 'facts', type: `${QUESTION_TYPE}Is it new?` }),
      'criteria',
    ],
    [
      'two criteria',
      found('is too weak', { criterion: 'tone', type: 'score' }),
      found('is too weak', { criterion: 'facts', type: 'score' }),
      'criteria',
    ],
  ])('differs for %s', (_what, one, other, ...[type]) => {
    expect(identityOf(one, type)).not.toBe(identityOf(other, type));
  });

  test('differs for two evaluators, and for two parts of one', () => {
    const issue = found('must match', { path: '', type: 'regex' });
    expect(identityOf(issue, 'regex', 'one')).not.toBe(identityOf(issue, 'regex', 'two'));
    const criterion = (name: string) => ({
      name,
      evaluator: 'regex' as const,
      evaluatorConfig: { pattern: name },
    });
    const tree = partTree({ type: 'criteria', criteria: [criterion('first'), criterion('second')] });
    const part = (issues: Issue[]): Verdict => ({
      ...aVerdict(issues, { name: 'criteria', type: 'regex' }),
      ...(issues.length === 0 ? { outcome: 'pass' as const, score: 1 } : {}),
    });
    const fold = (...verdicts: Verdict[]): Issue[] =>
      aggregateParts(tree, verdicts, { name: 'criteria', type: 'criteria' }, 0.8).issues;
    const [before, after] = [fold(part([issue]), part([issue])), fold(part([]), part([issue]))];
    expect(before).toMatchObject([{ criterion: 'first' }, { criterion: 'second' }]);
    expect(after.map(issueIdentity)).toEqual([issueIdentity(before[1]!)]);
  });

  test('is bounded, one line, and keeps long ones apart', () => {
    const long = (end: string): string => identityOf(found(`${'ab \n'.repeat(2_000)}${end}`));
    expect(long('x')).not.toBe(long('y'));
    expect(long('x')).toMatch(/^.{100,120}$/);
    const halves = identityOf(found('x', { path: `/${'😀'.repeat(200)}` }));
    expect(encodeURIComponent(halves)).toContain('%F0%9F%98%80');
  });

  test('of no two issues of a version are equal, whatever the evaluators found', () => {
    const text = fc.constantFrom('has 1 word', 'has 2 words', '"a" is missing', '"b" is missing', 'x #2', 'x');
    const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
    const issue: fc.Arbitrary<Issue> = fc
      .record({
        message: text,
        path: optional(fc.constantFrom('', '/a', '/a/0')),
        type: optional(fc.constantFrom('type', 'score', `${QUESTION_TYPE}x`)),
        criterion: optional(fc.constantFrom('a', 'b')),
      })
      .map((fields) => ({ ...fields, evaluator: 'check' }) as Issue);
    const verdict = fc
      .record({
        issues: fc.array(issue, { maxLength: 8 }),
        name: fc.constantFrom('one', 'two'),
        type: fc.constantFrom('schema', 'llm', 'function'),
      })
      .map(({ issues, ...of }) => aVerdict(issues, of));
    fc.assert(
      fc.property(fc.array(verdict, { maxLength: 4 }), (verdicts) => {
        const { issues } = combineVerdicts(verdicts, () => 1);
        expect(new Set(issues.map(issueIdentity)).size).toBe(issues.length);
        // The first of each keeps the identity that it shares with other versions.
        const given = new Set(verdicts.flatMap((each) => each.issues.map(issueIdentity)));
        expect([...given].filter((identity) => !issues.some((each) => each.identity === identity))).toEqual([]);
      }),
    );
  });

  test('of an issue that was recorded without one is its key', () => {
    const [old, again] = [found('Too  long', { path: '/a' }), found('too long', { path: '/a' })];
    expect(issueIdentity(old)).toBe(issueKey(old));
    expect(resolvedIssues([old], [again])).toEqual([]);
    const { issues } = combineVerdicts([{ ...aVerdict([]), issues: [old, again] }], () => 1);
    expect(issues).toEqual([old, again]);
  });
});

describe('a fault that comes back with another value', () => {
  const versions = [
    withIssues(1, found('has 12 words'), found('no title')),
    withIssues(2, found('has 14 words')),
    withIssues(3, found('has 11 words')),
  ].map((version, index) => ({
    ...version,
    ...(index > 0 && { strategy: 'targeted_edit' as const }),
  }));

  test('was not resolved', () => {
    expect(resolvedIssues(versions[0]!.evaluation.issues, versions[1]!.evaluation.issues)).toEqual(['no title']);
    expect(reportOf(versions).issues).toMatchObject([
      { message: 'has 12 words', firstSeen: 1, lastSeen: 3, fate: 'unresolved' },
      { message: 'no title', firstSeen: 1, lastSeen: 1, fate: 'resolved' },
    ]);
    expect(reportOf(versions).iterations[2]).toMatchObject({ issuesNew: 0 });
  });

  test('counts as a failure of each way that was to fix it', () => {
    const attempts = attemptsOf(versions).get(issueIdentity(versions[2]!.evaluation.issues[0]!));
    expect(attempts).toMatchObject({ asked: { targeted_edit: 2 }, failed: { targeted_edit: 2 } });
  });
});
