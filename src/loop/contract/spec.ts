import { z } from 'zod';
import { LOOP_DEFAULTS } from '../base/defaults';
import { evaluators } from './evaluator-list';
import type { Infer } from '../../lib/contract/infer';
import { judge } from './judge';
import {
  bestVersionSelection,
  budget,
  convergence,
  failurePolicy,
  hooks,
  questions,
  review,
  revision,
  timeouts,
  triggers,
} from './loop-options';
import { memory } from './memory';
import { corrector, step } from './steps';
import { jsonObject, nameText, optional, share, stateKeys } from '../../lib/contract/values';

export const loopSpec = z.strictObject({
  name: optional(nameText, 'Shown in the Web UI.'),
  task: optional(z.string(), 'Task for generator, judges and corrector; may be a template.'),
  state: optional(jsonObject, 'State for templates, actions and inline code.', {}),
  material: optional(
    stateKeys,
    'Keys of `state` whose texts are not from the author: in prompts they stand between markers, as outputs do. `*`: all. Default: none.',
  ),
  generator: step.describe('The step that writes the draft.'),
  evaluator: evaluators.describe('One evaluator or several. If one fails, the version fails.'),
  corrector: optional(
    corrector,
    'The step that makes the next version after one that failed. Default: a model call gets the built-in revision prompt; any other generator runs again and sees `state.reflection_errors`.',
  ),
  maxIterations: optional(z.int().min(1).max(10_000), 'Maximum number of versions.', LOOP_DEFAULTS.maxIterations),
  qualityThreshold: optional(
    share,
    'Minimum score, 0 to 1, for verdicts that only give a score.',
    LOOP_DEFAULTS.qualityThreshold,
  ),
  onFailure: optional(
    failurePolicy,
    'What a loop without a passing version returns: the best version, the last one, or the failure `ReflectionFailedError`.',
    LOOP_DEFAULTS.onFailure,
  ),
  bestVersionSelection: optional(
    bestVersionSelection,
    'Which version is the best. `highest_score`: the one that failed the fewest gates and checks, then by outcome and score; `weighted_recency`: the same, by score × 0.9^(iterations since); `first_satisfactory`: the first that passed, else as `highest_score`; `latest`: the latest that failed no gate, or the latest if all failed one.',
    LOOP_DEFAULTS.bestVersionSelection,
  ),
  revision: optional(revision, 'How the built-in revision works. It does not apply to a corrector.'),
  convergence: optional(
    z.union([z.literal(false), convergence]),
    'When a loop without a passing version gives up before its limits. `false`: never.',
  ),
  budget: optional(
    budget,
    'Limits of tokens, cost, calls and time, checked before each model call: the loop ends when one of them is reached.',
  ),
  triggers: optional(
    triggers,
    'When unfinished work of a step is evaluated, in addition to every finished version. Such evaluations do not count towards `maxIterations`.',
  ),
  review: optional(review, 'When the loop waits for a person, and what happens if nobody answers.'),
  judge: optional(judge, 'Settings of judges (evaluators that ask a model).'),
  model: optional(nameText, "Model of every `llm.call` that names none. Default: the worker's."),
  reflectionModel: optional(nameText, 'Model of judges if neither they nor `judge` name one. Default: `model`.'),
  reflectionPrompt: optional(z.string().min(1), "Template of the judges' prompt. Default: the built-in prompt."),
  structuredReflection: optional(
    z.boolean(),
    'Whether judges answer in structured output; false: in free text, which is parsed.',
    LOOP_DEFAULTS.structuredReflection,
  ),
  preserveAllVersions: optional(
    z.boolean(),
    'Whether the result contains all versions; false: only the best and the final one.',
    LOOP_DEFAULTS.preserveAllVersions,
  ),
  stream: optional(
    z.boolean(),
    'Whether the text of drafts and revisions can be read while a model writes it: `client.stream` and `reflect run` show it. Costs a heartbeat a second of each such call, and nothing in the history.',
    LOOP_DEFAULTS.stream,
  ),
  questions: optional(
    questions,
    'Questions of steps that have the tool `ask_person`, and approvals of calls: how many, how long the loop waits, and what holds without an answer.',
  ),
  memory: optional(
    memory,
    'Insights of earlier runs are recalled for the generator, and those of this run are stored.',
  ),
  hooks: optional(hooks, 'Registered actions, or inline code, that are called when something happens.'),
  timeouts: optional(timeouts, 'How long one attempt of a call may take, and how long it is retried.'),
});

/** The JSON that describes a loop: the argument of `reflectionLoop`. */
export interface ReflectionSpec extends Infer<typeof loopSpec> {}
