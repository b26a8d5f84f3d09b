import { z } from 'zod';
import type { Infer } from '../../lib/contract/infer';
import { count, optional } from '../../lib/contract/values';

// Parts of results, which may gain fields: none of these shapes refuses a field that it does not know.

const iteration = z.int().min(1);

export const issueStory = z.object({
  message: z.string().describe('What was wrong.'),
  path: optional(z.string(), 'JSON Pointer into the output.'),
  firstSeen: iteration.describe('The first iteration whose evaluation reported it.'),
  lastSeen: iteration.describe('The last one.'),
  fate: z
    .enum(['resolved', 'returned', 'unresolved', 'left_behind'])
    .describe(
      'On the way to the returned version: gone (`resolved`), back after it was gone (`returned`), or never gone ' +
        '(`unresolved`). `left_behind`: it occurred only in discarded versions.',
    ),
});

export interface IssueStory extends Infer<typeof issueStory> {}

export const iterationReport = z.object({
  iteration: iteration.describe('From 1.'),
  basedOn: optional(iteration, 'The version from which it was made, if that is not the one before.'),
  scoreChange: z
    .number()
    .nullable()
    .describe('Change of the score compared with the version from which it was made; null without two scores.'),
  issuesResolved: count.describe('Number of issues that are gone, compared with the version from which it was made.'),
  issuesNew: count.describe('Number of new issues, compared with the version from which it was made.'),
  totalTokens: count.describe('Tokens of the iteration.'),
});

export interface IterationReport extends Infer<typeof iterationReport> {}

export const report = z.object({
  issues: z.array(issueStory).describe('What became of each issue.'),
  issuesOmitted: count.describe('Number of issues left out of the list because there are too many.'),
  iterations: z
    .array(iterationReport)
    .describe('The latest iterations. In long chains, iterations of which too little is known are left out.'),
});

/** The report on what the iterations achieved, computed from the versions, without a model. */
export interface ReflectionReport extends Infer<typeof report> {}
