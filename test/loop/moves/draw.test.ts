import { drawOf } from '../../../src/loop/moves/evaluation-tasks';
import { EVALUATION_ROUNDS } from '../../../src/loop/moves/next-move';

const ROUNDS = Array.from({ length: EVALUATION_ROUNDS }, (_, index) => index + 1);

describe('draws of judges', () => {
  test('a judge that is asked once has no number; asked again, or to confirm, it has one', () => {
    expect(drawOf({}, 1, false)).toBeUndefined();
    expect([drawOf({}, 2, false), drawOf({}, 1, true)]).toEqual([2, 3]);
  });

  test.each([2, 3, 9])('given %i votes, the first round counts them from 1, and no two draws are alike', (of) => {
    const votes = Array.from({ length: of }, (_, index) => ({ vote: { number: index + 1, of } }));
    expect(votes.map((vote) => drawOf(vote, 1, false))).toEqual(votes.map(({ vote }) => vote.number));
    const all = [false, true].flatMap((isSecond) =>
      ROUNDS.flatMap((round) => votes.map((vote) => drawOf(vote, round, isSecond))),
    );
    expect(new Set(all).size).toBe(2 * EVALUATION_ROUNDS * of);
    expect(all).not.toContain(undefined);
  });
});
