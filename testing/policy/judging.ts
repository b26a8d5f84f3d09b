import {
  evaluatorsToAsk,
  foldOf,
  mayAskAgain,
  pendingTasks,
  settleSplitPanels,
} from '../../src/loop/moves/evaluation-tasks';
import type { Verdict } from '../../src/loop/state/evaluation';
import type { Issue, Severity } from '../../src/loop/contract/evaluation';
import type { EvaluatorPlan, LoopSettings } from '../../src/loop/state/loop-settings';
import type { LoopState, PendingOutput } from '../../src/loop/state/loop-state';
import { isDoubtfulPass } from '../../src/loop/moves/second-judge';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { type ResolvedSpec, resolveSpec } from '../../src/loop/state/resolved-spec';
import { recordAnswer, settleVersion } from '../../src/loop/moves/transitions';
import { judgementOfFields } from '../../src/evaluators/judge/judge-reply';
import { inconclusiveJudgement } from '../../src/evaluators/judgement';
import { type Flaws, type Opinion, SEVERITIES, type World } from './world';

/** The plan of the one judge of a simulated loop. */
export const JUDGE = { name: 'llm', type: 'llm', weight: 1, gate: false, local: false };
/** Confirms a doubtful pass, as `prepare` plans it. It judges no better than the first, but by itself. */
const SECOND = { ...JUDGE, name: 'second judge', gate: true };

/** Returns the severity that a judge gives a flaw. */
export function severityOf(flaw: number): Severity {
  const points = SEVERITIES[flaw]!;
  return points >= 5 ? 'critical' : points >= 3 ? 'major' : 'minor';
}

/** The flaw that an issue tells of. */
export function flawOf({ message }: Issue): number {
  return Number(message.replace('flaw ', ''));
}

/** What a judge's reply amounts to, read as a real judge's is. */
function verdictOf(opinion: Opinion, threshold: number, { name, type }: Pick<EvaluatorPlan, 'name' | 'type'>): Verdict {
  const told = (opinion?.reported ?? []).map((flaw) => ({ message: `flaw ${flaw}`, severity: severityOf(flaw) }));
  const judgement = opinion
    ? judgementOfFields({ score: opinion.score, issues: told, suggestions: [] }, threshold, name)
    : inconclusiveJudgement('out of order');
  const issues = judgement.issues
    .filter(({ message }) => message.startsWith('flaw '))
    .map((issue) => ({ ...issue, evaluator: name }));
  return { ...judgement, issues, name, type, ms: 0 };
}

/** Asks as the workflow does: who could not judge is asked once more, and only they. */
function askAll(
  state: LoopState,
  pending: PendingOutput,
  { tasks }: ResolvedSpec,
  judges: EvaluatorPlan[],
  { qualityThreshold: threshold }: LoopSettings,
  judge: () => Opinion,
): void {
  pending.rounds = 0;
  do {
    pending.rounds += 1;
    for (const ask of pendingTasks(tasks, pending, evaluatorsToAsk(pending, judges))) {
      const verdict = verdictOf(judge(), threshold, judges[ask.index]!);
      recordAnswer(state, pending, ask, verdict, foldOf(ask, threshold));
    }
  } while (mayAskAgain(pending, judges));
  settleSplitPanels(
    tasks.filter(({ index }) => index < judges.length),
    pending,
    threshold,
  );
}

/** Judges the pending version, and has a doubtful pass confirmed where there is a second judge. */
export function evaluate(
  spec: ReflectionSpec,
  settings: LoopSettings,
  state: LoopState,
  world: World,
  version: Flaws,
): void {
  const pending = state.pending!;
  const judge = (): Opinion => world.judge(version);
  const prepared = { settings, evaluators: [JUDGE], actionNeeds: {}, searchAttributes: false };
  const resolved = resolveSpec(spec, spec.judge?.second ? { ...prepared, second: SECOND } : prepared);
  askAll(state, pending, resolved, resolved.evaluators, settings, judge);
  if (resolved.second && isDoubtfulPass(resolved, state, pending)) {
    askAll(state, pending, resolved, resolved.allEvaluators, settings, judge);
  }
  settleVersion(state, settings, resolved.allEvaluators, '');
}
