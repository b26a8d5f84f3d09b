import type { Issue, Severity, Verdict } from '../../../src/domain/evaluation';
import type { Preparation } from '../../../src/domain/loop-settings';
import { initialState, type LoopState, type PendingOutput } from '../../../src/domain/loop-state';
import { nextMove, revisingOf } from '../../../src/domain/next-move';
import { finalOf } from '../../../src/domain/result';
import { planRevision } from '../../../src/domain/revision-plan';
import type { ReflectionSpec } from '../../../src/domain/spec';
import { evaluatorsToAsk, mayAskAgain, settleVersion, takeOutput, takeVerdict } from '../../../src/domain/transitions';
import { inconclusiveJudgement, judgementOfFields } from '../../../src/evaluators/judge-reply';
import { settingsOf } from '../../../src/schemas';
import type { Episode, Policy, PolicyOptions } from './policies';
import { type Flaws, type Opinion, SEVERITIES, type World } from './world';

const JUDGE = 'llm';
const EVALUATORS: Preparation['evaluators'] = [{ name: JUDGE, type: JUDGE, weight: 1, gate: false, local: false }];

function severityOf(flaw: number): Severity {
  const points = SEVERITIES[flaw]!;
  return points >= 5 ? 'critical' : points >= 3 ? 'major' : 'minor';
}

function issueOf(flaw: number): Issue {
  return { message: `flaw ${flaw}`, severity: severityOf(flaw), evaluator: JUDGE };
}

function flawOf({ message }: Issue): number {
  return Number(message.replace('flaw ', ''));
}

/** What the judge's reply amounts to, read as a real judge's is. */
function verdictOf(opinion: Opinion, threshold: number): Verdict {
  const judgement = opinion
    ? judgementOfFields(
        { score: opinion.score, issues: opinion.reported.map(issueOf), suggestions: [] },
        threshold,
        JUDGE,
      )
    : inconclusiveJudgement('out of order');
  const issues = judgement.issues
    .filter(({ message }) => message.startsWith('flaw '))
    .map((issue) => ({ ...issue, evaluator: JUDGE }));
  return { ...judgement, issues, name: JUDGE, type: JUDGE, ms: 0 };
}

function evaluate(state: LoopState, pending: PendingOutput, judge: () => Verdict): void {
  do {
    pending.rounds += 1;
    if (evaluatorsToAsk(pending, EVALUATORS).length > 0) takeVerdict(state, pending, 0, judge());
  } while (mayAskAgain(pending, EVALUATORS));
}

/** The loop of this package: its own decisions, with the world's writer and judge in the place of activities. */
export function ours(spec: Partial<ReflectionSpec> = {}): Policy {
  return (world: World, { maxIterations, qualityThreshold }: PolicyOptions): Episode => {
    const whole: ReflectionSpec = {
      generator: { action: 'llm.call', prompt: 'write' },
      evaluator: { type: 'llm' },
      maxIterations,
      qualityThreshold,
      ...spec,
    };
    const common = settingsOf(whole);
    // As `prepare` makes them.
    const settings = { ...common, revising: revisingOf(whole, common) };
    const state = initialState(0);
    const versions: Flaws[] = [];
    const write = (flaws: Flaws): { output: string; warnings: string[] } => {
      versions.push(flaws);
      return { output: `text ${versions.length} ${versions.length * 7919}`, warnings: [] };
    };
    for (;;) {
      const move = nextMove(whole, settings, state, 0);
      switch (move.kind) {
        case 'draft':
          takeOutput(state, write(world.draft()), 'draft');
          break;
        case 'evaluate':
          evaluate(state, state.pending!, () => verdictOf(world.judge(versions.at(-1)!), qualityThreshold));
          settleVersion(state, settings, EVALUATORS, '');
          break;
        case 'revise': {
          const plan = planRevision(settings, state)!;
          const told = [...plan.issues, ...plan.earlierIssues].map(flawOf);
          const { strategy } = plan;
          const revised = world.revise(versions[plan.base.iteration - 1]!, told, strategy);
          const basedOn = plan.reverted ? { basedOn: plan.base.iteration } : {};
          takeOutput(state, write(revised), 'revision', { strategy, ...basedOn });
          break;
        }
        case 'stop':
          return { versions, returned: (finalOf(state, settings, move.reason)?.iteration ?? 1) - 1 };
        default:
          throw new Error(`the simulation has no ${move.kind}`);
      }
    }
  };
}
