import { blockerOf, listNeeds } from '../../../src/loop/evaluation/blockers';
import { chooseBlockerCheck, findingOfSecondJudge } from '../../../src/loop/moves/second-judge';
import { convergedBecause } from '../../../src/loop/moves/stop-rules';
import type { Issue, Outcome } from '../../../src/loop/contract/evaluation';
import type { Verdict } from '../../../src/loop/state/evaluation';
import type { EvaluatorPlan } from '../../../src/loop/state/loop-settings';
import type { LoopState, PendingOutput } from '../../../src/loop/state/loop-state';
import { NO_USAGE } from '../../../src/lib/base/tokens';
import {
  anEvaluation,
  aVersion,
  DEFAULT_CONVERGENCE,
  DEFAULT_SETTINGS,
  stateWith,
} from '../../../testing/support/versions';

const needed = (evaluator: string, more: Partial<Issue> = {}): Issue => ({
  message: 'nobody has signed it',
  severity: 'major',
  blocker: 'permission',
  evaluator,
  ...more,
});
const dull: Issue = { message: 'dull', severity: 'major', evaluator: 'judge' };

function planOf(name: string, type: string, more: Partial<EvaluatorPlan> = {}): EvaluatorPlan {
  return { name, type, weight: 1, gate: false, local: false, ...more };
}
const PLANS = {
  judge: planOf('judge', 'llm'),
  check: planOf('check', 'function', { asksModel: false }),
  code: planOf('code', 'custom', { local: true }),
};
type Name = keyof typeof PLANS;

function verdictOf(name: string, issues: Issue[], outcome: Outcome = issues.length > 0 ? 'fail' : 'pass'): Verdict {
  return { name, type: '', outcome, score: null, issues, suggestions: [], confidence: 1, ms: 1 };
}

function pendingWith(...verdicts: Verdict[]): PendingOutput {
  return { output: 'x', origin: 'draft', verdicts, rounds: 1, tokenUsage: NO_USAGE, warnings: [] };
}

const other = planOf('other', 'llm');

interface Situation {
  state?: Partial<LoopState>;
  second?: EvaluatorPlan;
}

/** The check where these evaluators found these issues. */
function kindOf(found: Partial<Record<Name, Issue[]>>, { state, second }: Situation = {}): string | undefined {
  const names = Object.keys(found) as Name[];
  const pending = pendingWith(...names.map((name) => verdictOf(name, found[name]!)));
  const evaluators = names.map((name) => PLANS[name]);
  const spec = { settings: DEFAULT_SETTINGS, evaluators, ...(second && { second }) };
  return chooseBlockerCheck(spec, { ...stateWith([], 0), pending, ...state }, pending);
}

const failedVersion = (issues: Issue[]) => aVersion(1, { ...anEvaluation('fail', 0.5), issues });

describe('the confirmation that no revision can repair an output', () => {
  const rows: [string, string | undefined, Partial<Record<Name, Issue[]>>, Situation?][] = [
    ['a judge reports nothing else', undefined, { judge: [needed('judge')] }],
    ['… and there is a second judge', 'second_judge', { judge: [needed('judge')] }, { second: other }],
    [
      '… that information is missing',
      'second_judge',
      { judge: [{ ...dull, missingInformation: true }] },
      { second: other },
    ],
    [
      '… and a minor issue',
      'second_judge',
      { judge: [needed('judge'), { ...dull, severity: 'minor' }] },
      { second: other },
    ],
    [
      '… and one of no severity',
      undefined,
      { judge: [needed('judge'), { message: 'dull', evaluator: 'judge' }] },
      { second: other },
    ],
    ['… and a serious issue', undefined, { judge: [needed('judge'), dull] }, { second: other }],
    ['… only in a minor issue', undefined, { judge: [needed('judge', { severity: 'minor' })] }, { second: other }],
    ['a function reports it', 'reported', { check: [needed('check')] }],
    ['code reports it, and a judge passes', 'reported', { code: [needed('code')], judge: [] }],
    [
      'code and a judge report it',
      'second_judge',
      { code: [needed('code')], judge: [needed('judge')] },
      { second: other },
    ],
    [
      'code reports something else',
      undefined,
      { code: [{ ...dull, evaluator: 'code' }], judge: [needed('judge')] },
      { second: other },
    ],
    [
      'the limit is reached',
      undefined,
      { judge: [needed('judge')] },
      { second: other, state: { extended: { iterations: -2 } } },
    ],
    [
      'guidance has arrived',
      undefined,
      { judge: [needed('judge')] },
      { second: other, state: { guidance: ['He agreed.'] } },
    ],
    [
      'so did the version before',
      undefined,
      { judge: [needed('judge')] },
      { second: other, state: { versions: [failedVersion([needed('judge')])] } },
    ],
    [
      'the version before was dull',
      'second_judge',
      { judge: [needed('judge')] },
      { second: other, state: { versions: [failedVersion([dull])] } },
    ],
  ];
  test.each(rows.map(([name, kind, found, situation = {}]) => [name, kind, found, situation] as const))(
    'given that %s: %s',
    (_name, kind, found, situation) => {
      expect(kindOf(found, situation)).toBe(kind);
    },
  );

  test('the second judge agrees if it rejects the output for nothing else', () => {
    const spec = { evaluators: [PLANS.judge], second: other };
    const found = (...verdicts: Verdict[]) => findingOfSecondJudge(spec, pendingWith(...verdicts));
    const first = verdictOf('judge', [needed('judge')]);
    const reason = 'as he says';
    expect(found(first, { ...verdictOf('other', [needed('other')]), reason })).toEqual({
      confirmed: true,
      by: 'other',
      reason,
    });
    for (const verdict of [
      verdictOf('other', []),
      verdictOf('other', [needed('other'), { ...dull, evaluator: 'other' }]),
      verdictOf('other', [], 'inconclusive'),
    ])
      expect(found(first, verdict)).toEqual({ confirmed: false, by: 'other' });
    expect(found(first)).toEqual({ confirmed: false, by: 'other' });
  });
});

describe('what no revision can repair', () => {
  const settings = { convergence: DEFAULT_CONVERGENCE, choosesStrategy: true };
  const confirmed = { ...failedVersion([needed('judge')]), blocked: { confirmed: true } };
  const refuted = { ...failedVersion([needed('judge')]), blocked: { confirmed: false } };

  test('one version ends the loop if it was confirmed, two if it was not', () => {
    expect(convergedBecause([confirmed], settings)).toBe('blocked');
    expect(convergedBecause([confirmed], { ...settings, convergence: undefined })).toBe('blocked');
    expect(convergedBecause([refuted], settings)).toBeUndefined();
    expect(convergedBecause([refuted, { ...refuted, iteration: 2, output: 'another' }], settings)).toBe('blocked');
  });

  test('missing information is a blocker, and a person reads what to do about each kind', () => {
    expect(blockerOf({ missingInformation: true })).toBe('information');
    expect(blockerOf({ missingInformation: true, blocker: 'decision' })).toBe('decision');
    expect(blockerOf({})).toBeUndefined();
    const kinds = ['information', 'decision', 'permission', 'external', 'contradiction'] as const;
    const issues = kinds.map((blocker) => needed('judge', { blocker, message: `the ${blocker}` }));
    const sentences = listNeeds({ outcome: 'fail', issues }).map(({ sentence }) => sentence);
    expect(sentences[2]).toBe('A person has to give a permission: the permission');
    expect(new Set(sentences.map((each) => each.split(':')[0])).size).toBe(5);
    const many = Array.from({ length: 30 }, (_, index) => needed('judge', { message: `${index}`.repeat(9_000) }));
    expect(JSON.stringify(listNeeds({ outcome: 'fail', issues: many })).length).toBeLessThan(12_000);
    expect(listNeeds({ outcome: 'fail', issues: [...issues, dull] })).toEqual([]);
  });
});
