import { stripVTControlCharacters } from 'node:util';
import { reportText } from '../../../../src/apps/cli/views/report-view';
import type { IssueStory } from '../../../../src/loop/contract/report';

const issue = (message: string, fate: IssueStory['fate'], firstSeen = 1, lastSeen = 1): IssueStory => ({
  message,
  firstSeen,
  lastSeen,
  fate,
});
const row = (iteration: number, scoreChange: number | null, more: object = {}) => ({
  iteration,
  scoreChange,
  issuesResolved: 0,
  issuesNew: 0,
  totalTokens: 10,
  ...more,
});
const textOf = (...given: Parameters<typeof reportText>) => reportText(...given).map(stripVTControlCharacters);

describe('reflect show tells what a run bought', () => {
  test('each iteration for its tokens, each issue with its fate, and what the judge is like', () => {
    const issues = [
      issue('no\u001b[2J title', 'unresolved', 1, 3),
      issue('too long', 'resolved'),
      issue('worse', 'left_behind', 2, 2),
    ];
    const iterations = [row(1, null), row(2, -0.25, { issuesNew: 1 }), row(3, 0.1, { basedOn: 1, issuesResolved: 2 })];
    expect(textOf({ report: { issues, issuesOmitted: 3, iterations }, flags: ['overcritical'] })).toEqual([
      'What each iteration bought:',
      '  #2: −0.25, 0 issues resolved, 1 new, for 10 tokens',
      '  #3 from #1: +0.10, 2 issues resolved, 0 new, for 10 tokens',
      'What became of the issues:',
      '  1 issue never moved:',
      '    no\ufffd[2J title (#1–#3)',
      '  1 issue only in versions that were given up:',
      '    worse (#2)',
      '  1 issue resolved:',
      '    too long (#1)',
      '  3 issues not told of',
      expect.stringContaining('overcritical: the judge may be too strict'),
    ]);
  });

  test('many issues are counted, and a draft that passed needs no words', () => {
    const issues = Array.from({ length: 8 }, (_, index) => issue(`issue ${index}`, 'resolved'));
    expect(textOf({ report: { issues, issuesOmitted: 0, iterations: [] }, flags: [] })).toContain('    and 3 more');
    expect(textOf({ report: { issues: [], issuesOmitted: 0, iterations: [row(1, null)] }, flags: [] })).toEqual([]);
  });
});
