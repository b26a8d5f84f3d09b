import { readChecklist } from '../../src/evaluators/judge/checklist-reply';
import { readComparison } from '../../src/evaluators/judge/comparison-reply';
import { readJudgement } from '../../src/evaluators/judge/judge-reply';
import { isProblem } from '../../src/evaluators/replies/words';
import { CHECKLIST_REPLIES } from './verdict-replies/checklists';
import { COMPARISON_REPLIES } from './verdict-replies/comparisons';
import { FRESH_CHECKLISTS, FRESH_COMPARISONS, FRESH_REPLIES } from './verdict-replies/fresh';
import { HABIT_CHECKLISTS, HABIT_COMPARISONS, HABIT_REPLIES } from './verdict-replies/habits';
import { HOSTILE_REPLIES } from './verdict-replies/hostile';
import { LATER_REPLIES } from './verdict-replies/held-out';
import { LINE_REPLIES } from './verdict-replies/lines';
import { CODE, type Row } from './verdict-replies/row';
import { SCORE_REPLIES } from './verdict-replies/scores';
import { VENDOR_REPLIES } from './verdict-replies/vendors';

type Reader = (reply: string, draft?: string) => string;

const askedWith = (draft: string | undefined) => ({
  code: CODE,
  judged: ['Write a text.', draft ?? 'An honest text.'],
});

const verdict: Reader = (reply, draft) => {
  const read = readJudgement(reply, 0.8, 'judge', askedWith(draft));
  return isProblem(read) ? '?' : `${read.outcome} ${read.score}`;
};

const checklist: Reader = (reply, draft) => {
  const ids = ['q1', 'q2', 'q3'];
  // A no lets the output fail.
  const read = readChecklist(reply, ids, askedWith(draft), ({ answers }) => ids.every((id) => answers.get(id)?.yes));
  if (isProblem(read)) return '?';
  return ids.map((id) => ({ true: 'y', false: 'n', undefined: '-' })[`${read.answers.get(id)?.yes}`]).join('');
};

const comparison: Reader = (reply, draft) => {
  const read = readComparison(reply, 'first', 'the reference', 'comparison', askedWith(draft));
  return isProblem(read) ? '?' : String(read.score);
};

const TABLE: [string, Reader, Row[]][] = [
  ['vendors', verdict, VENDOR_REPLIES],
  ['lines', verdict, LINE_REPLIES],
  ['scores', verdict, SCORE_REPLIES],
  ['hostile', verdict, HOSTILE_REPLIES],
  ['later', verdict, LATER_REPLIES],
  ['habits', verdict, HABIT_REPLIES],
  ['habits of checklists', checklist, HABIT_CHECKLISTS],
  ['habits of comparisons', comparison, HABIT_COMPARISONS],
  ['fresh', verdict, FRESH_REPLIES],
  ['fresh checklists', checklist, FRESH_CHECKLISTS],
  ['fresh comparisons', comparison, FRESH_COMPARISONS],
  ['checklists', checklist, CHECKLIST_REPLIES],
  ['comparisons', comparison, COMPARISON_REPLIES],
];

/** A row that names no score leaves it open. */
function fits(expected: string, said: string): boolean {
  return said === expected || (/^(?:pass|fail)$/.test(expected) && said.startsWith(`${expected} `));
}

interface Count {
  all: number;
  /** Replies that somebody who reads them understands. */
  clear: number;
  wrong: string[];
  /** Clear ones that the reader does not take as they are: such a judge is asked once more. */
  askedAgain: string[];
}

function counted([, read, rows]: (typeof TABLE)[number]): Count {
  const count: Count = { all: rows.length, clear: 0, wrong: [], askedAgain: [] };
  for (const [expected, reply, draft] of rows) {
    const said = read(reply, draft);
    if (expected !== '?') count.clear++;
    if (fits(expected, said)) continue;
    (said === '?' ? count.askedAgain : count.wrong).push(`${expected} ← ${said}: ${reply}`);
  }
  return count;
}

/** Of so many judges that are asked again, one does not keep to the form then either. */
const STUBBORN = 4;

describe('the table of replies', () => {
  test.each(TABLE)('%s: none is read wrongly, and few that are clear not at all', (...part) => {
    expect(counted(part).wrong).toEqual([]);
  });

  test('as a whole: at least 250, 0 wrong, at most 10 % of the clear ones inconclusive', () => {
    const counts = TABLE.map(counted);
    const all = counts.reduce((sum, each) => sum + each.all, 0);
    const clear = counts.reduce((sum, each) => sum + each.clear, 0);
    const askedAgain = counts.flatMap((each) => each.askedAgain);
    const inconclusive = askedAgain.length / STUBBORN;
    console.log(`${all} replies, ${clear} clear: ${askedAgain.length} asked again, ${inconclusive} inconclusive`);
    expect(all).toBeGreaterThanOrEqual(250);
    expect(counts.flatMap((each) => each.wrong)).toEqual([]);
    expect(inconclusive / clear).toBeLessThanOrEqual(0.1);
  });
});
