import { z } from 'zod';
import { COMMAND_NAMES } from '../base/command-payloads';
import { need } from './blockers';
import type { Infer } from '../../lib/contract/infer';
import { json, optional } from '../../lib/contract/values';

// It is part of results, which may gain fields.

export const personWait = z.object({
  id: z.string().describe('Its id: `to` of the command `answer`.'),
  kind: z
    .enum(['question', 'approval'])
    .describe('`question`: a step asks a person. `approval`: a call waits for the approval of one.'),
  question: optional(z.string(), 'The text of the question.'),
  options: optional(z.array(z.string()), 'Answers that the model suggests; any other one is taken as well.'),
  action: optional(z.string(), 'Name of the action that is to be called.'),
  arguments: optional(
    json,
    'Arguments of the call after `input` of its action, as it would be made; a text if the model wrote no JSON. Absent in the answer to a command if those of all open calls have more than 4 KiB: `progress` has them.',
  ),
  problem: optional(z.string(), 'Why a changed or approved call waits again.'),
});

export interface PersonWait extends Infer<typeof personWait> {}

export const waitingFor = z.object({
  id: optional(z.string(), 'Id of the first of `waits`: `to` of the command `answer`. Absent for a review.'),
  kind: optional(
    z.enum(['review', 'question', 'approval']),
    'What a person is to do: review a version, answer a question, or decide about a call. That of the first of `waits`.',
  ),
  waits: optional(
    z.array(personWait),
    'Open questions, and calls that wait for approval, of one reply of the model. They may be answered in any order. Absent for a review.',
  ),
  since: optional(z.string(), 'When the wait began, ISO 8601. Absent for a review.'),
  what: z.string().describe('What it waits for.'),
  version: optional(
    z.int().min(1),
    'The version under review: the one to read. `accept` without `iteration` takes it, and so does an unanswered review with `onTimeout: accept`.',
  ),
  failedChecks: optional(z.array(z.string()), 'Names of the gates and checks that this version failed.'),
  needs: optional(z.array(need), 'If it would end as `blocked`: what a person has to do before a revision can help.'),
  until: z.string().describe('The deadline, ISO 8601.'),
  commands: z
    .array(
      z.object({
        name: z.enum(COMMAND_NAMES).describe('Name of the command.'),
        payload: z.record(z.string(), json).describe('A valid payload.'),
      }),
    )
    .describe('Commands that the run accepts now, each with a valid payload.'),
});

/** A person whom a run waits for. */
export interface WaitingFor extends Infer<typeof waitingFor> {}
