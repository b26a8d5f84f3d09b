import { omitUndefined } from '../../lib/base/defined';
import { textOf } from '../../lib/json/json';
import type { Issue } from '../contract/evaluation';
import type { Docket } from '../state/docket';
import type { Verdict } from '../state/evaluation';
import type { EvaluatorPlan } from '../state/loop-settings';
import {
  currentIteration,
  type LoopState,
  type PendingOutput,
  type ReflectionVersion,
  versionOf,
} from '../state/loop-state';
import { advanceDocket, type DocketAnswer, type DocketJudgement, settleDocket } from './advance';

/** Returns whether an evaluator keeps the docket. A criterion that an `llm` judge judges is a question, and no list of findings. */
export function keepsDocket({ type }: Pick<EvaluatorPlan, 'type'>): boolean {
  return type === 'llm';
}

/** Returns the text of a version, if it was kept. */
function textOfVersion(version: ReflectionVersion | undefined): string | undefined {
  return version && version.omittedBytes === undefined ? textOf(version.output) : undefined;
}

/** Returns the versions that an output follows and was made from; one that is judged again, itself. */
function versionsBefore(state: LoopState, { basedOn, former }: PendingOutput): ReflectionVersion[] {
  if (former) return [former];
  const base = versionOf(state, basedOn ?? null);
  const last = state.versions.at(-1);
  return [...new Set([base ?? last, last])].filter((version) => version !== undefined);
}

/** Returns the findings that the judges of a panel say are gone, each as one of them lists it. */
function listFixed(pending: PendingOutput, index: number, verdict: Verdict): string[] {
  const parts = Object.values(pending.parts?.[index] ?? {});
  return [verdict, ...parts].flatMap(({ fixedFindings = [] }) => fixedFindings);
}

function answersOf(state: LoopState, pending: PendingOutput, plans: readonly EvaluatorPlan[]) {
  const before = versionsBefore(state, pending);
  return plans.flatMap((plan, index): { index: number; answer: DocketAnswer }[] => {
    const verdict = pending.verdicts[index];
    if (!keepsDocket(plan) || !verdict || verdict.outcome === 'inconclusive') return [];
    const judged = before.filter(({ evaluation }) => evaluation.evaluators.some(({ name }) => name === plan.name));
    const answer = {
      evaluator: plan.name,
      outcome: verdict.outcome,
      issues: verdict.issues,
      fixed: listFixed(pending, index, verdict),
      before: judged.flatMap((version) => textOfVersion(version) ?? []),
    };
    return [{ index, answer }];
  });
}

function judgementOf(state: LoopState, pending: PendingOutput, answers: readonly DocketAnswer[]): DocketJudgement {
  const [base] = pending.former ? [] : versionsBefore(state, pending);
  return omitUndefined({
    iteration: currentIteration(state),
    text: textOf(pending.output),
    base: textOfVersion(base),
    answers,
    declined: pending.declined,
  });
}

/** Returns what the judgement of the pending output makes of the docket, and of the issues of the evaluators that keep it. */
export function docketAfter(
  state: LoopState,
  pending: PendingOutput,
  plans: readonly EvaluatorPlan[],
): { docket: Docket; issues: { index: number; issues: Issue[] }[] } {
  const judged = pending.faults ? [] : answersOf(state, pending, plans);
  const answers = judged.map(({ answer }) => answer);
  const { docket, issues } = advanceDocket(state.docket, judgementOf(state, pending, answers));
  return { docket, issues: judged.map(({ index }, each) => ({ index, issues: issues[each]! })) };
}

/** Returns the docket with a note of whether the judgement of the pending output settles the loop. */
export function settledDocket(
  docket: Docket,
  state: LoopState,
  pending: PendingOutput,
  plans: readonly EvaluatorPlan[],
): Docket {
  const answers = pending.faults ? [] : answersOf(state, pending, plans).map(({ answer }) => answer);
  const verdicts = pending.verdicts
    .slice(0, plans.length)
    .filter((verdict) => verdict !== undefined && verdict !== null);
  return settleDocket(docket, { iteration: currentIteration(state), answers }, verdicts);
}

/** Returns the issues that are to be repaired: those that a person waived or a second look did not uphold are not among them. */
export function issuesToRepair({ docket }: { docket?: Docket }, issues: Issue[]): Issue[] {
  if (!docket) return issues;
  const dismissed = new Set(
    docket.findings.filter(({ state }) => state === 'waived' || state === 'contested').map(({ id }) => id),
  );
  return issues.filter(({ finding }) => finding === undefined || !dismissed.has(finding));
}
