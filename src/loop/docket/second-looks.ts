import { omitUndefined } from '../../lib/base/defined';
import type { Evaluator } from '../contract/evaluators';
import { type CandidatePlace, isJudge } from '../spec/evaluator-parts';
import type { Dispute, Docket } from '../state/docket';
import type { Verdict } from '../state/evaluation';
import type { EvaluationTask } from '../state/evaluation-task';
import type { ResolvedSpec } from '../state/resolved-spec';

/** The score of a claim that is as good as the reply to it. */
const EVEN = 0.5;

/** Returns the judge that is asked about a place, in the place of one that judges the whole output: the same model, without its prompt. */
function lookingJudge(evaluator: Evaluator): Evaluator {
  const { name, model, temperature, attachments } = evaluator as Extract<Evaluator, { type: 'llm' }>;
  return omitUndefined({ type: 'llm' as const, name, model, temperature, attachments });
}

/**
 * Returns the looks that decide about a finding in dispute, in turn: one of the second judge, if it is a model, or two of the
 * judge that reported it, which sees the positions in both orders.
 */
export function secondLooks(
  { tasks, evaluators, second }: Pick<ResolvedSpec, 'tasks' | 'evaluators' | 'second'>,
  { findings }: Docket,
  dispute: Dispute,
): EvaluationTask[] {
  const judges = tasks.filter(({ part, evaluator }) => part === 0 && isJudge(evaluator));
  const other = second && judges.find(({ index }) => index === evaluators.length);
  const name = findings.find(({ id }) => id === dispute.finding)?.evaluator;
  const task = other ?? judges.find(({ plan }) => plan.name === name);
  if (!task) return [];
  const { vote: _vote, threshold: _threshold, ...rest } = task;
  const places: CandidatePlace[] = other ? ['first'] : ['first', 'second'];
  return places.map((candidate) => ({
    ...rest,
    evaluator: lookingJudge(task.evaluator),
    of: 1,
    folds: false,
    plan: omitUndefined({ ...task.plan, type: 'llm', parts: undefined }),
    title: `${task.plan.name} · second look at ${dispute.finding}${other ? '' : ` · shown ${candidate}`}`,
    candidate,
    dispute,
  }));
}

/** Returns whether a look is for the finding: true or false, or undefined if it could not decide, or found both positions equal. */
export function standsBy({ outcome, score }: Verdict): boolean | undefined {
  return outcome === 'inconclusive' || score === null || score === EVEN ? undefined : score > EVEN;
}

/** Returns what looks amount to: all must be for the finding. Undefined if none is against it and one could not decide, or there is none. */
export function rulingOf(looks: readonly (boolean | undefined)[]): boolean | undefined {
  if (looks.includes(false)) return false;
  return looks.length === 0 || looks.includes(undefined) ? undefined : true;
}
