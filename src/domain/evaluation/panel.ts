import type { Judgement, Verdict } from '../state/evaluation';
import { distinctIssues } from '../state/issues';

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Standard deviation of values between 0 and 1, as a share of the largest that there can be, which is 0.5. */
function spread(values: readonly number[]): number {
  const centre = mean(values);
  return Math.min(1, 2 * Math.sqrt(mean(values.map((value) => (value - centre) ** 2))));
}

/** The mean of what the votes say about each criterion, over those that say something. */
function meanScores(votes: readonly Verdict[]): Record<string, number> {
  const names = new Set(votes.flatMap(({ criteriaScores }) => Object.keys(criteriaScores ?? {})));
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      mean(
        votes.flatMap(({ criteriaScores = {} }) =>
          Object.hasOwn(criteriaScores, name) ? [criteriaScores[name]!] : [],
        ),
      ),
    ]),
  );
}

/**
 * The judgement of several votes of a judge. Votes that were inconclusive are left out; unless more than half of all judged,
 * or half of them where that decides, so is the panel. More passes than fails make a pass, a tie is a fail. The score is the mean. Confidence is the mean of the
 * votes', lowered by the spread of their scores, by those that disagreed, and by those that did not judge.
 */
export function majority(votes: readonly Verdict[], halfDecides = false): Judgement {
  const judged = votes.filter(({ outcome }) => outcome !== 'inconclusive');
  const enough = votes.length / 2;
  if (judged.length < enough || (judged.length === enough && !halfDecides)) return undecided(votes, judged.length);
  const passes = judged.filter(({ outcome }) => outcome === 'pass').length;
  const outcome = passes * 2 > judged.length ? 'pass' : 'fail';
  const agreeing = judged.filter((vote) => vote.outcome === outcome);
  const scores = judged.flatMap(({ score }) => score ?? []);
  const agreement = (agreeing.length / judged.length) * (judged.length / votes.length);
  const criteriaScores = meanScores(judged);
  const reason = `${passes} of ${votes.length} votes passed it${judged.length < votes.length ? `, ${votes.length - judged.length} could not judge` : ''}.`;
  return {
    outcome,
    score: scores.length === 0 ? null : mean(scores),
    ...(Object.keys(criteriaScores).length > 0 ? { criteriaScores } : {}),
    // Those who decided come first.
    issues: distinctIssues(
      [...agreeing, ...judged.filter((vote) => vote.outcome !== outcome)].flatMap(({ issues }) => issues),
    ),
    suggestions: [...new Set(judged.flatMap(({ suggestions }) => suggestions))],
    confidence: mean(judged.map(({ confidence }) => confidence)) * (1 - spread(scores)) * agreement,
    reason: [reason, agreeing[0]?.reason ?? ''].join(' ').trim(),
  };
}

function undecided(votes: readonly Verdict[], judged: number): Judgement {
  const [why] = votes.flatMap(({ outcome, reason }) => (outcome === 'inconclusive' ? (reason ?? []) : []));
  const reason = `Only ${judged} of ${votes.length} votes could judge. ${why ?? ''}`.trim();
  return { outcome: 'inconclusive', score: null, issues: [], suggestions: [], confidence: 0, reason };
}
