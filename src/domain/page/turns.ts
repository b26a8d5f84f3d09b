import type { PopulationState } from '../agents/population-state';
import type { LoopState } from '../state/loop-state';
import type { PipelineState } from '../pipeline/pipeline-progress';
import type { PlanState } from '../plan/plan-run';

/** Turns of a loop of workflow code that may follow each other without progress. Each takes microseconds. */
export const MOST_IDLE_TURNS = 100;

/** What a state is by identity: two that are the same, part by part, mean that nothing was done in between. */
export type TurnMark = readonly unknown[];

/** The mark of the latest turn, and how many turns before it had the same one. */
export interface Turns {
  mark: TurnMark;
  idle: number;
}

/** Counts one turn more. */
export function countTurn(turns: Turns | undefined, mark: TurnMark): Turns {
  const before = turns?.mark;
  const isSame = before?.length === mark.length && before.every((part, index) => Object.is(part, mark[index]));
  return { mark, idle: turns && isSame ? turns.idle + 1 : 0 };
}

/** The mark of a loop. A review that is begun anew for the same version is no progress. */
export function markOfLoop({ commands, pending, review, versions, ...rest }: LoopState): TurnMark {
  const { accept, abort, overrides, reflect, decision } = commands;
  const asked = [accept, abort, overrides, reflect, decision];
  const judging = [pending, pending?.rounds, pending?.verdicts.length];
  const waiting = [review?.iteration, review?.until, review?.reason];
  const done = [
    rest.hint,
    rest.unappliedEdit,
    rest.underway,
    rest.tokenUsage,
    rest.timeIsUp,
    rest.recalled,
    rest.repeatsAfter,
  ];
  const ruled = [rest.ruling, rest.guidance, rest.extended, rest.failure, rest.stopped];
  return [versions, ...done, ...ruled, ...asked, ...judging, ...waiting];
}

/** The mark of a plan. */
export function markOfPlan({ phase, plan, results, running, ran, startedAt, givenUp, ...rest }: PlanState): TurnMark {
  const tasks = [results, running.length, ran.length, rest.tasksRun];
  return [phase, rest.attempt, plan, startedAt, givenUp, rest.evaluations.length, ...tasks];
}

/** The mark of a population. */
export function markOfPopulation({ taken, waiting, counts, finishing }: PopulationState): TurnMark {
  return [taken, waiting.length, counts.events, finishing];
}

/** The mark of a pipeline: nodes are changed where they stand. */
export function markOfPipeline({ phase, nodes, state }: PipelineState): TurnMark {
  return [phase, state, ...nodes.map(({ status }) => status)];
}
