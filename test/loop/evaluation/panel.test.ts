import { combineSwapped, majority } from '../../../src/loop/evaluation/aggregate';
import { guessTaskType, CRITERIA_SETS } from '../../../src/loop/spec/criteria-sets';
import { resolveCriterion } from '../../../src/loop/spec/criteria';
import type { Verdict } from '../../../src/loop/state/evaluation';
import type { Outcome } from '../../../src/loop/contract/evaluation';
import { differences } from '../../../src/lib/text/json-difference';
import { textSimilarity } from '../../../src/lib/text/similarity';

function aVote(outcome: Outcome, score: number | null, more: Partial<Verdict> = {}): Verdict {
  return { name: 'v', type: 'llm', outcome, score, issues: [], suggestions: [], confidence: 0.8, ms: 1, ...more };
}

describe('a panel of votes', () => {
  test.each<[Outcome[], Outcome]>([
    [['pass', 'pass', 'fail'], 'pass'],
    [['pass', 'fail', 'fail'], 'fail'],
    [['pass', 'fail'], 'fail'],
    [['pass', 'pass', 'inconclusive'], 'pass'],
    [['pass', 'inconclusive'], 'inconclusive'],
    [['pass', 'inconclusive', 'inconclusive'], 'inconclusive'],
    [['inconclusive'], 'inconclusive'],
  ])('%j is %s', (outcomes, expected) => {
    const score = { pass: 0.9, fail: 0.4, inconclusive: null };
    const judgement = majority(outcomes.map((outcome) => aVote(outcome, score[outcome])));
    expect(judgement.outcome).toBe(expected);
    if (expected === 'inconclusive') expect(judgement).toMatchObject({ score: null, confidence: 0 });
  });

  test('votes that agree keep their confidence; spread, dissent and silence lower it', () => {
    const agreed = majority([aVote('pass', 0.9), aVote('pass', 0.9), aVote('pass', 0.9)]).confidence;
    expect(agreed).toBeCloseTo(0.8);
    const spread = majority([aVote('pass', 1), aVote('pass', 0.9), aVote('pass', 0.8)]).confidence;
    const dissent = majority([aVote('pass', 0.9), aVote('pass', 0.9), aVote('fail', 0.9)]).confidence;
    const silent = majority([aVote('pass', 0.9), aVote('pass', 0.9), aVote('inconclusive', null)]).confidence;
    for (const lowered of [spread, dissent, silent]) expect(lowered).toBeLessThan(agreed);
  });

  test('an issue that several votes raise is reported once, and scores of criteria are means', () => {
    const issue = { message: 'Too  long', evaluator: 'v' };
    const judgement = majority([
      aVote('fail', 0, { issues: [issue], criteriaScores: { tone: 0 } }),
      aVote('fail', 0, { issues: [{ ...issue, message: 'too long' }], criteriaScores: { tone: 1 } }),
    ]);
    expect(judgement.issues).toEqual([issue]);
    expect(judgement.criteriaScores).toEqual({ tone: 0.5 });
  });
});

describe('comparisons', () => {
  test.each<[number, number, Outcome, number]>([
    [1, 1, 'pass', 1],
    [0.75, 1, 'pass', 0.875],
    [0.5, 0.5, 'pass', 0.5],
    [1, 0, 'pass', 0.5],
    [0.25, 1, 'pass', 0.5],
    [0.5, 0.25, 'fail', 0.375],
    [0, 0, 'fail', 0],
  ])('%d in one order and %d in the other is %s', (one, other, outcome, score) => {
    const verdicts = [one, other].map((each) => aVote(each >= 0.5 ? 'pass' : 'fail', each));
    expect(combineSwapped(verdicts)).toMatchObject({ outcome, score });
  });

  test('given a verdict in one order only, the comparison is inconclusive', () => {
    expect(combineSwapped([aVote('pass', 1), aVote('inconclusive', null)])).toMatchObject({
      outcome: 'inconclusive',
      score: null,
    });
  });

  test.each([
    ['same', 'same', 1, 1],
    ['a  b\n', 'a b', 1, 1],
    ['', '', 1, 1],
    ['abc', 'xyz', 0, 0.01],
    ['the quick brown fox', 'the quick brown dog', 0.7, 0.95],
  ])('%j and %j are alike', (one, other, least, most) => {
    expect(textSimilarity(one, other)).toBeGreaterThanOrEqual(least);
    expect(textSimilarity(one, other)).toBeLessThanOrEqual(most);
    expect(textSimilarity(other, one)).toBe(textSimilarity(one, other));
  });

  test('differences of values are reported by their paths, also under inherited names', () => {
    expect(differences({ a: [1, 2], b: 1 }, { a: [1, 3, 4], c: 1 }, 10)).toEqual([
      { path: '/a/1', kind: 'different' },
      { path: '/a/2', kind: 'missing' },
      { path: '/c', kind: 'missing' },
      { path: '/b', kind: 'unexpected' },
    ]);
    expect(differences({}, { constructor: 1 }, 10)).toEqual([{ path: '/constructor', kind: 'missing' }]);
  });
});

describe('default criteria', () => {
  test('the four sets, each criterion with a description and one question', () => {
    expect(Object.entries(CRITERIA_SETS).map(([type, set]) => [type, ...Object.keys(set)])).toEqual([
      ['code', 'correctness', 'efficiency', 'readability', 'edge_cases'],
      ['writing', 'clarity', 'coherence', 'completeness', 'tone'],
      ['analysis', 'accuracy', 'depth', 'relevance', 'objectivity'],
      ['reasoning', 'logical_validity', 'completeness', 'clarity'],
    ]);
    for (const { description, questions } of Object.values(CRITERIA_SETS).flatMap((set) => Object.values(set))) {
      expect(description).toMatch(/\.$/);
      expect(questions).toHaveLength(1);
      for (const question of questions) expect(question).toMatch(/\?$/);
    }
  });

  test.each([
    ['Write a Python function that sorts', 'code'],
    ['Write a haiku about rain', 'writing'],
    ['Assess the risks of this plan', 'analysis'],
    ['How many days until then?', 'reasoning'],
    [undefined, 'reasoning'],
  ])('%j is judged as %s', (task, type) => {
    expect(guessTaskType(task)).toBe(type);
  });

  test('the questions of a criterion come from its set first, then from the other sets; an unknown name gets general ones', () => {
    const of = (name: string, type?: 'writing' | 'reasoning') =>
      resolveCriterion({ name }, type ? { taskType: type } : {}, undefined);
    expect(of('clarity', 'writing').questions).toEqual(CRITERIA_SETS.writing['clarity']!.questions);
    expect(of('clarity', 'reasoning').questions).toEqual(CRITERIA_SETS.reasoning['clarity']!.questions);
    expect(of('depth').questions).toEqual(CRITERIA_SETS.analysis['depth']!.questions);
    expect(of('sea_worthiness')).toMatchObject({ weight: 1, threshold: 0.7 });
    expect(of('sea_worthiness').questions.join(' ')).toContain('"sea worthiness"');
    expect(of('constructor').questions).toHaveLength(1);
  });

  test('a description of its own, and questions of its own, win over the sets', () => {
    const described = resolveCriterion(
      { name: 'tone', description: 'like a pirate' },
      { taskType: 'writing' },
      undefined,
    );
    expect(described.questions.join(' ')).toContain('like a pirate');
    const asked = resolveCriterion(
      { name: 'tone', evaluatorConfig: { questions: ['Arr?'] } },
      { taskType: 'writing' },
      undefined,
    );
    expect(asked.questions).toEqual(['Arr?']);
  });
});
