import type { Blocker, Need } from '../contract/blockers';
import type { Issue, ReflectionEvaluation } from '../contract/evaluation';
import type { LoopState } from '../state/loop-state';
import { boundedText } from './bounded';

const MOST_NEEDS = 10;
const NEED_CHARACTERS = 400;

export function blockerOf({
  blocker,
  missingInformation,
}: Pick<Issue, 'blocker' | 'missingInformation'>): Blocker | undefined {
  return blocker ?? (missingInformation ? 'information' : undefined);
}

/** None unless every issue of a failed evaluation that is not minor has a blocker: then no revision can repair the output. */
export function blockingIssues({ outcome, issues }: Pick<ReflectionEvaluation, 'outcome' | 'issues'>): Issue[] {
  const serious = issues.filter(({ severity }) => severity !== 'minor');
  return outcome === 'fail' && serious.every((issue) => blockerOf(issue) !== undefined) ? serious : [];
}

const TO_DO: Record<Blocker, string> = {
  information: 'A person has to supply information',
  decision: 'A person has to decide',
  permission: 'A person has to give a permission',
  external: 'Something outside of the run has to happen first, and a person has to see to it',
  contradiction: 'A person has to resolve a contradiction in the task',
};

/** Lists what a person has to do before a revision can repair an output; none if a revision may repair it now. */
export function listNeeds(evaluation: Pick<ReflectionEvaluation, 'outcome' | 'issues'>): Need[] {
  const needs = blockingIssues(evaluation).map((issue): Need => {
    const blocker = blockerOf(issue)!;
    const message = boundedText(issue.message, NEED_CHARACTERS);
    return { blocker, message, sentence: `${TO_DO[blocker]}: ${message}` };
  });
  // Two judges may find the same.
  const distinct = new Map(needs.map((each) => [each.sentence, each]));
  return [...distinct.values()].slice(0, MOST_NEEDS);
}

/** A loop that ended as `blocked`, or would without a review, has some. */
export function needsOf({ review, stopped, versions }: Pick<LoopState, 'review' | 'stopped' | 'versions'>): Need[] {
  const last = versions.at(-1);
  return (stopped ?? review)?.reason === 'blocked' && last ? listNeeds(last.evaluation) : [];
}
