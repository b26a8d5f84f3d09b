import { takenText } from '../../../../src/apps/cli/runs/steer';
import { NO_USAGE } from '../../../../src/lib/base/tokens';
import type { Progress } from '../../../../src/loop/contract/results';
import type { ConvergenceReason } from '../../../../src/loop/base/convergence';

/** What a run answers that has a best and a latest version. */
function answer(convergenceReason?: ConvergenceReason) {
  const best = { iteration: 2, score: 0.5, outcome: 'fail' } as const;
  const progress = {
    phase: 'waiting',
    iteration: 3,
    maxIterations: 3,
    scores: [],
    best,
    tokenUsage: NO_USAGE,
  } as const;
  return { ...progress, scores: [], convergenceReason };
}

const AS_IT_STOOD = 'It ends as it stood; what it learned may not be kept.';

test.each<[ConvergenceReason | undefined, string]>([
  ['aborted', 'Aborted; the best was version 2.'],
  // A loop inside somebody's own workflow has not ended yet when it answers.
  [undefined, 'Aborted; the best was version 2.'],
  ['quality_met', AS_IT_STOOD],
  ['user_accepted', AS_IT_STOOD],
])('abort of a run that ends with %s: %s', (reason, expected) => {
  expect(takenText('abort', answer(reason), {}, 'id')).toBe(expected);
});

describe('guide', () => {
  const review = { kind: 'review', what: 'a review', until: '', commands: [] } as const;
  const question = { ...review, kind: 'question', waits: [{ id: 'question-1', kind: 'question' }] } as const;

  test.each([
    ['of a run that goes on', undefined, 'The next revision will get your text.'],
    ['while a question is open', question, 'The next revision will get your text.'],
    ['at a limit', review, 'No revision will get your text: the loop is at a limit that cannot be raised.'],
  ])('%s', (_what, waitingFor, expected) => {
    const progress = { ...answer(), ...(waitingFor && { waitingFor }) } as unknown as Progress;
    expect(takenText('guide', progress, {}, 'id')).toBe(expected);
  });
});

test.each<[ConvergenceReason | undefined, number | undefined, string]>([
  ['user_accepted', 3, 'Accepted version 3.'],
  ['user_accepted', undefined, 'Accepted version 2, the best one; the latest was version 3.'],
  [undefined, 3, 'Accepted version 3.'],
  ['aborted', 3, 'It was aborted at the same time: no version was accepted.'],
  ['aborted', undefined, 'It was aborted at the same time: no version was accepted.'],
])('accept of a run that ends with %s, of version %s: %s', (reason, iteration, expected) => {
  expect(takenText('accept', answer(reason), { iteration }, 'id')).toBe(expected);
});
