import { z } from 'zod';
import { DEFAULT_VOTES } from '../base/defaults';
import { evaluator } from './evaluators';
import type { Infer } from '../../lib/contract/infer';
import { temperature } from './steps';
import { nameText, optional, share } from '../../lib/contract/values';

export const relaxation = z.strictObject({
  step: share.describe('How much the threshold falls each time, 0 to 1.'),
  floor: share.describe('The lowest threshold, 0 to `qualityThreshold`.'),
});

/**
 * The relaxation of a threshold: `qualityThreshold` falls by `step` after each iteration in which nothing but the score
 * failed, and never below `floor`.
 */
export interface RelaxationSpec extends Infer<typeof relaxation> {}

// The check that the floor is not above the threshold needs the whole spec, and is made there.
export const judge = z.strictObject({
  model: optional(
    nameText,
    'Model of evaluators that name none. It takes precedence over `reflectionModel`, which takes precedence over `model`.',
  ),
  votes: optional(
    z.int().min(1).max(9),
    'How often each judge is asked. The majority decides, and the confidence falls with the differences between the answers.',
    DEFAULT_VOTES,
  ),
  temperature: optional(
    temperature,
    'Sampling temperature of judges that have none of their own, 0 to 2. Default: 0 for a judge that is asked once; 0.7, with a seed ' +
      'for each call, for `votes` above 1, for a judge that is asked again because its reply could not be read, and for `second`. ' +
      '`extraBody.temperature` of a model takes precedence over the default.',
  ),
  second: optional(
    evaluator,
    'An evaluator that must confirm a doubtful pass: a judge reports a grave fault in what it passes; or only models ' +
      'judged, and the score is within 0.1 of the threshold, or their confidence is below 0.7, or it is a draft with a score ' +
      'of at least 0.95 and no issue; its verdict counts like that of a gate then. It is also asked whether a revision can repair what judges reject. Default: none.',
  ),
  blockers: optional(
    z.boolean(),
    'Whether judges with structured replies (`llm`, `criteria`) are asked what only a person can bring: `blocker` of an issue, in place of ' +
      '`missingInformation`.',
    false,
  ),
  showInputs: optional(
    z.boolean(),
    'Whether judges of a revised version are shown what the prompt of the generator shows of `state` and theirs does not, so that they ' +
      'can tell an invented value from a right one; and whether judges see the attachments of the generator.',
    true,
  ),
  showEvidence: optional(
    z.boolean(),
    'Whether judges see the calls that were made for the version and for those that it was made from: their arguments, results and outcomes, ' +
      'at most 16 KiB, the latest last. Judges that compare do not.',
    true,
  ),
  relaxation: optional(
    relaxation,
    'For judges that are never satisfied: the threshold falls after each iteration in which nothing but the score failed. ' +
      'Default: the threshold does not fall.',
  ),
});
