import { z } from 'zod';
import { LOOP_DEFAULTS } from '../domain/base/defaults';
import { evaluators } from './evaluator-list';
import type { Infer } from './infer';
import { judge } from './judge';
import {
  bestVersionSelection,
  budget,
  convergence,
  failurePolicy,
  hooks,
  review,
  revision,
  timeouts,
  triggers,
} from './loop-options';
import { memory } from './memory';
import { corrector, step } from './steps';
import { jsonObject, nameText, optional, share, stateKeys } from './values';

export const loopSpec = z.strictObject({
  name: optional(z.string().min(1).max(200), 'Shown in the Web UI.'),
  task: optional(z.string(), 'Shown to generator, judges and corrector; may be a template.'),
  state: optional(jsonObject, 'Seen by templates, actions and inline code.', {}),
  material: optional(
    stateKeys,
    'Keys of `state` whose texts others wrote: in prompts these stand between markers, as outputs do. `*`: all. Default: none.',
  ),
  generator: step.describe('Makes the draft.'),
  evaluator: evaluators.describe('One evaluator or several. One that fails makes the version fail.'),
  corrector: optional(
    corrector,
    'Makes the next version of one that failed. Default: a model call gets the built-in revision prompt; any other generator runs again and sees `state.reflection_errors`.',
  ),
  maxIterations: optional(
    z.int().min(1).max(10_000),
    'Versions that are evaluated at most.',
    LOOP_DEFAULTS.maxIterations,
  ),
  qualityThreshold: optional(
    share,
    'The score, 0 to 1, that decides judgements which only carry a score.',
    LOOP_DEFAULTS.qualityThreshold,
  ),
  onFailure: optional(
    failurePolicy,
    'What a loop hands back that ends without a passing version: the best, the last, or the failure `ReflectionFailedError`.',
    LOOP_DEFAULTS.onFailure,
  ),
  bestVersionSelection: optional(
    bestVersionSelection,
    'Which version is the best, among those with the best outcome. `weighted_recency`: by score × 0.9^(iterations since).',
    LOOP_DEFAULTS.bestVersionSelection,
  ),
  revision: optional(revision, 'How the built-in revision works. A corrector says itself what it does.'),
  convergence: optional(
    z.union([z.literal(false), convergence]),
    'When a loop that is not satisfied gives up before its limits. `false`: never.',
  ),
  budget: optional(
    budget,
    'What the run may spend. Checked before each model call: the loop ends when one of these is spent.',
  ),
  triggers: optional(
    triggers,
    'When the work of a step that is not done yet is evaluated, beside every finished version. Such evaluations do not count towards `maxIterations`.',
  ),
  review: optional(review, 'When the loop waits for a person, and what follows when nobody answers.'),
  judge: optional(judge, 'How judges (evaluators that ask a model) judge.'),
  model: optional(nameText, "Model of every `llm.call` that names none. Default: the worker's."),
  reflectionModel: optional(
    nameText,
    'Model of the judges, where neither they nor `judge` name one. Default: `model`.',
  ),
  reflectionPrompt: optional(z.string().min(1), "Template of the judges' prompt. Default: a prompt of ours."),
  structuredReflection: optional(
    z.boolean(),
    'Whether judges answer in structured output; false: in free text that is read.',
    LOOP_DEFAULTS.structuredReflection,
  ),
  preserveAllVersions: optional(
    z.boolean(),
    'Whether the result has all versions; false: the best and the final one only.',
    LOOP_DEFAULTS.preserveAllVersions,
  ),
  memory: optional(
    memory,
    'What earlier runs learned is recalled for the generator, and what this one learns is kept.',
  ),
  hooks: optional(hooks, 'Registered actions, or inline code, that are told what happens.'),
  timeouts: optional(timeouts, 'How long one attempt of a call may take, and for how long it is tried again.'),
});

/** The JSON that describes a loop: the argument of `reflectionLoop`. */
export interface ReflectionSpec extends Infer<typeof loopSpec> {}
