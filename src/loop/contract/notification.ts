import { z } from 'zod';
import { CONVERGENCE_REASONS } from '../base/convergence';
import type { Infer } from '../../lib/contract/infer';
import { count, optional } from '../../lib/contract/values';
import { outcome, score } from './evaluation';
import { personWait, waitingFor } from './waiting';

// Notifications may gain fields, so none of these shapes refuses a field that it does not know.

const { what, kind, until, failedChecks, needs, commands } = waitingFor.shape;

const reviewedText = z.object({
  sha256: z
    .string()
    .describe('SHA-256 of the text in UTF-8, hexadecimal; for an output that is no text, of its JSON without spaces.'),
  bytes: count.describe('Size of the text in bytes.'),
  value: optional(z.string(), 'The text, if the worker is configured with `include: text`; never in a batch.'),
  truncated: optional(z.literal(true), 'Only the beginning of the text is in `value`.'),
});

const waitLinks = z.object({
  webUi: optional(z.string(), 'The run in the Temporal Web UI.'),
  review: optional(z.string(), 'The review page of the run.'),
});

export const waitNotice = z.object({
  id: z.string().describe('Id of the wait; its reminder has the same.'),
  reminder: z.boolean().describe('Whether half of the time is over.'),
  workflowId: z.string().describe('Id of the run that waits, to which commands are sent.'),
  runId: z.string().describe('Run id of it.'),
  name: optional(z.string(), 'Name of the spec.'),
  what,
  kind,
  asked: optional(
    z.array(personWait),
    'Open questions, and calls that wait for approval, if the worker is configured with `include: text`; never in a batch.',
  ),
  version: optional(
    z.int().min(1),
    'The version under review. Absent if the run waits for answers, as are the next two.',
  ),
  outcome: optional(outcome, 'Its outcome.'),
  score: optional(score, 'Its score, 0 to 1; null when inconclusive.'),
  failedChecks,
  reason: optional(z.enum(CONVERGENCE_REASONS), 'Why the loop would end without a review; left out if it would go on.'),
  needs,
  since: z.iso.datetime().describe('When the wait began, ISO 8601.'),
  until,
  unanswered: optional(z.string(), 'What happens without an answer by then.'),
  commands: optional(commands, 'Commands that the run accepts now, each with a valid payload; not in a batch.'),
  text: optional(reviewedText, 'The text under review. Absent if the run waits for answers.'),
  links: waitLinks.describe('Links, as the worker is configured.'),
});

/** A wait of a run for a person, as a notification has it. */
export interface WaitNotice extends Infer<typeof waitNotice> {}

export const waitNotification = z.object({
  id: z.string().describe('Id of the message, which is also its `webhook-id` and `Idempotency-Key`.'),
  type: z
    .enum(['wait.began', 'wait.reminder', 'batch.waits'])
    .describe('A wait began, half of its time is over, or what happened in a batch since its last message.'),
  timestamp: z.iso.datetime().describe('When it was written, ISO 8601.'),
  data: z
    .object({
      namespace: z.string().describe('The namespace of the runs.'),
      batch: optional(z.string(), 'Id of the batch.'),
      waits: z.array(waitNotice).min(1).describe('The waits: one, or in a batch up to 50.'),
      more: optional(count, 'Number of further waits of the batch that have no entry.'),
    })
    .describe('What it is about.'),
});

/** The body of a notification that a worker posts when runs wait for a person. */
export interface WaitNotification extends Infer<typeof waitNotification> {}
