import type { Issue, Severity } from '../../../src/loop/contract/evaluation';
import {
  advanceDocket,
  countsAsReason,
  decideDispute,
  type DocketJudgement,
  isDisputed,
  isSettledAt,
  settleDocket,
} from '../../../src/loop/docket/advance';
import { changedWords, isOfRepair, isQuotedFrom, isReworded, plainText } from '../../../src/loop/docket/quotes';
import { shownFindings } from '../../../src/loop/docket/shown';
import type { Docket, Finding } from '../../../src/loop/state/docket';
import { keepDocket, setWaived } from '../../../src/loop/state/docket-notes';
import type { LoopState } from '../../../src/loop/state/loop-state';
import { jsonBytes } from '../../../src/lib/json/json-bytes';

const OLD = 'A chair for the garden. It folds.';
const NEW = 'A light chair for the garden. It folds.';
const issue = (message: string, more: Partial<Issue> = {}): Issue => ({ message, evaluator: 'critic', ...more });
const judged = (iteration: number, issues: Issue[], more: Partial<DocketJudgement> = {}, fixed: string[] = []) => ({
  iteration,
  text: iteration === 1 ? OLD : NEW,
  ...(iteration > 1 && { base: OLD }),
  answers: [{ evaluator: 'critic', outcome: 'fail' as const, issues, fixed, before: iteration === 1 ? [] : [OLD] }],
  ...more,
});
const first = advanceDocket(
  undefined,
  judged(1, [issue('It is heavy.', { quote: 'A chair', severity: 'major' })]),
).docket;

describe('whether a finding starts another round', () => {
  test.each<[string, Severity | undefined, string | undefined, boolean]>([
    ['minor, and quotes text that was judged before', 'minor', 'It   folds', false],
    ['minor, and quotes text that changed', 'minor', 'A light chair', true],
    ['minor, and quotes what is not there', 'minor', 'It sings', true],
    ['minor, without a quotation', 'minor', undefined, true],
    ['major', 'major', 'It folds', true],
    ['critical', 'critical', 'It folds', true],
    ['of no severity', undefined, 'It folds', true],
  ])('a new one that is %s', (_what, severity, quote, counts) => {
    const given = issue('There is a comma missing.', { ...(severity && { severity }), ...(quote && { quote }) });
    const judgement = judged(2, [given], {}, ['F1']);
    const { docket } = advanceDocket(first, judgement);
    expect(docket.findings.map(({ id, state }) => [id, state])).toEqual([
      ['F1', 'fixed'],
      ['F2', 'open'],
    ]);
    expect(countsAsReason(docket.findings[1]!, 2)).toBe(counts);
    const fails = [{ name: 'critic', outcome: 'fail' as const }];
    expect(isSettledAt(settleDocket(docket, judgement, fails), 2)).toBe(!counts);
    // A check that fails beside it is a reason of its own, and a pass needs none.
    const withCheck = settleDocket(docket, judgement, [...fails, { name: 'schema', outcome: 'fail' }]);
    expect(isSettledAt(withCheck, 2)).toBe(false);
    expect(isSettledAt(settleDocket(docket, judgement, [{ name: 'critic', outcome: 'pass' }]), 2)).toBe(false);
    // It is not new any more when it is reported once more.
    const again = advanceDocket(docket, judged(3, [issue('x', { finding: 'F2', ...(severity && { severity }) })]));
    expect(countsAsReason(again.docket.findings[1]!, 3)).toBe(true);
  });
});

describe('what becomes of a finding', () => {
  test.each<[string, Issue[], string[], string, Finding['state']]>([
    ['reported by its id', [issue('Too heavy still.', { finding: 'F1' })], [], NEW, 'open'],
    ['reported in the same words', [issue('It is heavy.')], [], NEW, 'open'],
    [
      'reported in other words, for the same place',
      [issue('The chair is heavy.', { quote: 'a chair' })],
      ['F1'],
      NEW,
      'open',
    ],
    ['said to be gone', [], ['F1'], NEW, 'fixed'],
    ['not mentioned, its words gone', [], [], NEW, 'fixed'],
    ['not mentioned, its words still there', [], [], 'A chair is what it is.', 'open'],
  ])('%s', (_what, issues, fixed, text, state) => {
    const { docket, issues: named } = advanceDocket(first, judged(2, issues, { text }, fixed));
    expect(docket.findings).toHaveLength(1);
    expect(docket.findings[0]).toMatchObject({ id: 'F1', state, message: 'It is heavy.', firstSeen: 1 });
    for (const each of named[0]!) expect(each).toMatchObject({ finding: 'F1', identity: docket.findings[0]!.identity });
  });

  test('of another judge: what this one says is about its own findings', () => {
    const answers = [
      {
        evaluator: 'other',
        outcome: 'fail' as const,
        issues: [issue('It is heavy.', { evaluator: 'other' })],
        fixed: ['F1'],
        before: [],
      },
    ];
    const { docket } = advanceDocket(first, { iteration: 2, text: NEW, answers });
    expect(docket.findings.map(({ id, state, evaluator }) => [id, state, evaluator])).toEqual([
      ['F1', 'open', 'critic'],
      ['F2', 'open', 'other'],
    ]);
    expect(shownFindings(docket, 'other').map(({ id }) => id)).toEqual(['F2']);
  });

  test('waived or not upheld: it stays so when it comes back in other words, and a new fault is not taken for it', () => {
    const waived: Docket = { ...first, findings: [{ ...first.findings[0]!, state: 'waived' }] };
    const given = [issue('The chair is heavy.', { quote: 'A chair' }), issue('Wrong article?', { quote: 'A chair' })];
    const { docket } = advanceDocket(waived, judged(2, given, { text: OLD }));
    expect(docket.findings.map(({ id, state }) => [id, state])).toEqual([
      ['F1', 'waived'],
      ['F2', 'open'],
    ]);
  });
});

describe('a finding in dispute', () => {
  const takesBack = issue('The word is praise.', { quote: 'light', severity: 'major' });
  const states = ({ findings }: Docket) =>
    findings.map((finding) => [finding.state, isDisputed(finding), finding.upheld]);

  test.each<[string, Issue, DocketJudgement['declined'], Finding['against']]>([
    ['quotes what a repair put in', takesBack, undefined, { finding: 'F1' }],
    [
      'is said to contradict a repair',
      { ...takesBack, quote: 'It folds', contradicts: 'F1' },
      undefined,
      { finding: 'F1' },
    ],
  ])('%s', (_what, given, declined, against) => {
    const { docket } = advanceDocket(first, judged(2, [given], { declined }, ['F1']));
    expect(docket.findings[1]).toMatchObject({ state: 'contested', against });
    expect(states(decideDispute(docket, 'F2', false))[1]).toEqual(['contested', false, false]);
    expect(states(decideDispute(docket, 'F2', undefined))[1]).toEqual(['open', false, undefined]);
    const upheld = decideDispute(docket, 'F2', true);
    expect(states(upheld)[1]).toEqual(['open', false, true]);
    // The answer is final: what the upheld finding overruled is not looked at again.
    const back = advanceDocket(
      upheld,
      judged(3, [issue('Heavy.', { finding: 'F1' })], { text: OLD, base: NEW }, ['F2']),
    );
    expect(states(back.docket)).toEqual([
      ['contested', false, false],
      ['fixed', false, true],
    ]);
  });

  test('the author declined it with a reason, and the judge reports it again', () => {
    const again = judged(2, [issue('It is heavy.', { finding: 'F1' })], { declined: { F1: 'It weighs 2 kg.' } });
    expect(advanceDocket(first, again).docket.findings[0]).toMatchObject({
      state: 'contested',
      against: { reason: 'It weighs 2 kg.' },
    });
  });

  test('no more than two are looked at for one version, the gravest first', () => {
    const given = ['minor', 'critical', 'major'].map((severity, index) =>
      issue(`No ${index}.`, { severity: severity as Severity, quote: `It folds ${index}`, contradicts: 'F1' }),
    );
    const { docket } = advanceDocket(first, judged(2, given, {}, ['F1']));
    expect(docket.findings.slice(1).map(isDisputed)).toEqual([false, true, true]);
  });
});

test('quotations are found across lines and marks, and a rewrite is no repair of a place', () => {
  expect(isQuotedFrom('“for  the\ngarden …”', plainText(OLD))).toBe(true);
  expect(isQuotedFrom(' “” ', OLD)).toBe(false);
  const repair = { iteration: 2, fixed: ['F1'], ...changedWords(OLD, NEW)! };
  expect(repair).toMatchObject({ took: '', put: 'light' });
  expect(['light', 'A light chair', 'It folds', ''].map((quote) => isOfRepair(quote, repair))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  const article = { iteration: 2, fixed: ['F1'], ...changedWords('It takes an hour.', 'It takes a hour.')! };
  expect(article).toMatchObject({ took: 'an', put: 'a' });
  expect(isOfRepair('A dose of 5 g is a danger', article)).toBe(false);
  expect(changedWords(OLD, 'Something else altogether, and more of it.')).toBeUndefined();
  expect(isReworded(issue('It weighs too much to carry.'), first.findings[0]!)).toBe(false);
});

test('the id of a waived finding takes no other fault', () => {
  const waived: Docket = { ...first, findings: [{ ...first.findings[0]!, state: 'waived' }] };
  const lethal = issue('The dose is lethal.', { finding: 'F1', quote: '5 g', severity: 'critical' });
  const { docket, issues } = advanceDocket(waived, judged(2, [lethal]));
  expect(docket.findings).toMatchObject([
    { state: 'waived', quote: 'A chair' },
    { id: 'F2', state: 'open' },
  ]);
  expect(issues[0]).toMatchObject([{ finding: 'F2' }]);
});

test('a new fault in words that were upheld is looked at, and only what lost to them is not', () => {
  const takesBack = issue('The word is praise.', { quote: 'light', severity: 'major' });
  const { docket } = advanceDocket(first, judged(2, [takesBack], {}, ['F1']));
  const fixed = advanceDocket(
    decideDispute(docket, 'F2', true),
    judged(3, [], { text: 'A plain chair for the garden. It folds.', base: NEW }, ['F2']),
  ).docket;
  const fault = issue('No chair is plain by law.', { quote: 'plain', severity: 'critical' });
  const text = 'A plain chair for the garden. It folds.';
  const next = advanceDocket(fixed, judged(4, [fault], { text, base: text })).docket;
  expect(next.findings.at(-1)).toMatchObject({ message: 'No chair is plain by law.', state: 'contested' });
  expect(isDisputed(next.findings.at(-1)!)).toBe(true);
});

test('what a person waived, and what is open and grave, is forgotten last', () => {
  const [finding] = first.findings;
  const all = (['waived', 'open', 'contested'] as const).map((state, index) => ({
    ...finding!,
    id: `F${index}`,
    state,
  }));
  const minor = Array.from(
    { length: 60 },
    (_, index) =>
      ({ ...finding!, id: `F${index + 3}`, identity: `${index}`, state: 'open', severity: 'minor' }) as const,
  );
  const { docket } = advanceDocket({ findings: [...all, ...minor], next: 63 }, judged(2, [], { text: OLD }));
  const kept = docket.findings.map(({ id }) => id);
  expect(kept).toHaveLength(60);
  expect([kept.includes('F0'), kept.includes('F1'), kept.includes('F2')]).toEqual([true, true, false]);
});

test('a waiver that arrives during a second look stays', () => {
  const state = { docket: first, pending: { docket: first } } as unknown as LoopState;
  setWaived(state, ['F1']);
  keepDocket(state);
  expect(state.docket!.findings).toMatchObject([{ id: 'F1', state: 'waived' }]);
});

test('the docket is bounded in number and bytes, and forgets what is fixed first', () => {
  let docket: Docket | undefined;
  for (let iteration = 1; iteration <= 30; iteration += 1) {
    const issues = Array.from({ length: 10 }, (_, index) =>
      issue(`${iteration}-${index} ${'ü'.repeat(2_000)}`, { quote: `${iteration}-${index} ${'q'.repeat(900)}` }),
    );
    const fixed = docket?.findings.slice(0, 5).map(({ id }) => id);
    ({ docket } = advanceDocket(docket, judged(iteration, issues, { text: 'q'.repeat(900) }, fixed)));
    expect(docket.findings.length).toBeLessThanOrEqual(60);
    expect(jsonBytes(docket.findings)).toBeLessThanOrEqual(48 * 1024);
  }
  expect(docket!.next).toBe(301);
});
