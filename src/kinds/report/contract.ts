import { z } from 'zod';
import { batchCounts, batchLine, batchProgress, batchResult } from '../batch/contract/batch-results';
import { issueStory, iterationReport } from '../../loop/contract/report';
import { history, phase, result, version } from '../../loop/contract/results';
import { waitingFor } from '../../loop/contract/waiting';
import { failurePattern, planPhase, taskProgress, judgedPlans } from '../plan/contract/plan-results';
import type { Infer } from '../../lib/contract/infer';
import { count, optional, tokenUsage } from '../../lib/contract/values';

// Reports of `reflect report`. They may gain fields and kinds.

export const reportAction = z.object({
  name: z.string().describe('Name of the command.'),
  by: optional(z.string(), 'The sender, as stated in the command; not verified.'),
  at: z.iso.datetime().describe('When it arrived, ISO 8601.'),
  via: z.enum(['signal', 'update']).describe('How it was sent.'),
  iteration: optional(z.int(), 'The version that the sender had looked at.'),
  words: optional(z.string(), 'The text of a guide, or the reason that was given.'),
  applied: optional(
    z.boolean(),
    'Whether it was applied; absent for a signal to a run that has not ended, which tells only at its end.',
  ),
  why: optional(z.string(), 'Why it was refused, or had no effect.'),
});

/** An action of a person on a run. */
export interface ReportAction extends Infer<typeof reportAction> {}

export const roleUsage = z.object({
  role: z
    .string()
    .describe(
      'Who used it: `generator`, `corrector`, `evaluators`, `planner`, `memory`, `tools`, `child runs`, the name of another activity, or ' +
        '`other`: what the rest of the run used, such as failed calls.',
    ),
  activities: count.describe('Number of completed activities or child runs; 0 for `other`.'),
  tokenUsage: tokenUsage.describe('Tokens and cost.'),
});

/** The tokens and calls that one role of a run used. */
export interface RoleUsage extends Infer<typeof roleUsage> {}

const about = {
  workflowId: z.string().describe('Id of the run.'),
  runId: z.string().describe('Run id of the latest run of the chain.'),
  type: z.string().describe('Workflow type.'),
  status: z.string().describe('Status in Temporal, such as `RUNNING` or `COMPLETED`.'),
  startedAt: z.iso.datetime().describe('When the first run of the chain that is kept began, ISO 8601.'),
  endedAt: optional(z.iso.datetime(), 'When it ended, ISO 8601; absent while it is under way.'),
  runs: z.int().min(1).describe('Number of runs in the chain, as far as the server keeps them.'),
  failure: optional(
    z.object({ type: z.string().describe('Type of the failure.'), message: z.string().describe('What went wrong.') }),
    'How it failed; absent if it did not.',
  ),
  tokenUsage: optional(tokenUsage, 'Tokens and cost of the whole run; absent if nobody answers for it.'),
  roles: z
    .array(roleUsage)
    .describe(
      'Tokens and cost by role, from the histories of the chain. Empty if the histories can not be read. They add up to `tokenUsage`, with `other`.',
    ),
};

export const loopReport = z.object({
  kind: z.literal('loop').describe('A loop.'),
  ...about,
  name: optional(z.string(), "The spec's name."),
  task: optional(z.string(), "The spec's task, as it was written: templates are not rendered."),
  phase: optional(phase, 'What the loop is doing; absent once it has ended.'),
  waitingFor: optional(waitingFor, 'Present while the run waits for a person.'),
  success: optional(result.shape.success, 'Whether it succeeded; absent while it is under way or if it failed.'),
  convergenceReason: optional(result.shape.convergenceReason, 'Why the loop ended; absent if it did not.'),
  versions: z.array(version).describe('Every version, in order.'),
  bestIteration: history.shape.bestIteration,
  finalIteration: history.shape.finalIteration,
  issues: z.array(issueStory).describe('What became of each issue.'),
  issuesOmitted: count.describe('Number of issues left out of the list because there are too many.'),
  iterations: z.array(iterationReport).describe('What each iteration brought.'),
  actions: z.array(reportAction).describe('What people sent, the oldest first.'),
});

/** The report of a loop. */
export interface LoopReport extends Infer<typeof loopReport> {}

export const planReport = z.object({
  kind: z.literal('plan').describe('A plan.'),
  ...about,
  goal: optional(z.string(), 'The goal; absent if nobody answers for the run.'),
  phase: optional(planPhase, 'What the run is doing; absent once it has ended.'),
  success: optional(z.boolean(), 'Whether the goal was reached; absent before the end.'),
  plans: count.describe('Number of plans so far.'),
  tasks: z.array(taskProgress).describe('Each task of the latest plan.'),
  judged: judgedPlans,
  patterns: z.array(failurePattern).describe('Patterns in the failures of all plans; empty before the end.'),
  insights: z.array(z.string()).describe('The insights of the run; empty before the end.'),
});

/** The report of a plan. */
export interface PlanReport extends Infer<typeof planReport> {}

export const batchReport = z.object({
  kind: z.literal('batch').describe('A batch.'),
  ...about,
  name: optional(z.string(), "The batch's name."),
  task: optional(z.string(), "The loop's task, as it was written: templates are not rendered."),
  phase: optional(batchProgress.shape.phase, 'What the batch is doing; absent once it has ended.'),
  items: count.describe('Number of items.'),
  ...batchCounts.omit({ tokenUsage: true }).shape,
  notStarted: count.describe('Items that were not started, or not yet.'),
  running: optional(batchProgress.shape.running, 'Items whose loop runs now; absent once the batch has ended.'),
  passRate: batchResult.shape.passRate,
  budgetSpent: z.boolean().describe('Whether the budget was spent.'),
  reasons: z.record(z.string(), count).describe('Number of loops that ended for each reason.'),
  passedAt: z
    .record(z.string(), count)
    .describe('Number of items that passed, by the number of versions of their loop.'),
  scores: z
    .array(count)
    .describe(
      'Number of final scores in ten ranges of equal width: 0 to 0.1, …, 0.9 to 1. A score at a limit is in the upper one.',
    ),
  lines: z
    .array(batchLine.omit({ output: true, outputOmitted: true }))
    .describe(
      'Items without their outputs: first those that failed, then those that did not pass, then the others; at most 500.',
    ),
  linesOmitted: count.describe('Number of items that are left out of `lines`.'),
});

/** The report of a batch. */
export interface BatchReport extends Infer<typeof batchReport> {}

// To give another kind of run a report, add a shape here, and an entry to `REPORTS` in `src/client/report`.
export const runReport = z.discriminatedUnion('kind', [loopReport, planReport, batchReport]);

/** A summary of a run so far. */
export type RunReport = LoopReport | PlanReport | BatchReport;
