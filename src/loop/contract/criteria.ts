import { z } from 'zod';
import { SENTENCE_CHARACTERS } from '../../lib/base/maxima';
import { CRITERION_EVALUATOR } from '../base/defaults';
import { HIGHEST_WEIGHT, MOST_CRITERIA } from '../base/maxima';
import type { Infer } from '../../lib/contract/infer';
import { addJsonSchemaHints } from '../../lib/contract/json-schema-hints';
import { OWN_WORDS } from '../../lib/contract/issue-sentence';
import { jsonObject, optional, passIssuesOn, passOn, protocolText, share } from '../../lib/contract/values';
import { proof } from './required-calls';

/** Undefined for a type that is not built yet. */
type FormOf = (type: string, config: object) => z.ZodSafeParseResult<unknown> | undefined;

/** The fields of an evaluator beside its kind's own settings; a criterion has its own words for these. */
const OF_THE_CRITERION = ['type', 'name', 'weight', 'gate'];

const questions = z.strictObject({
  questions: z
    .array(z.string().min(1).max(SENTENCE_CHARACTERS))
    .min(1, 'must have at least one question')
    .max(20)
    .describe('The yes-or-no questions that a judge answers. Yes is in favour of the output.'),
});

const criterionEvaluator = z.enum(['llm', 'regex', 'function', 'schema', 'custom', 'external', 'comparison']);
export type CriterionEvaluator = z.infer<typeof criterionEvaluator>;

const EVALUATOR = 'Type of the evaluator that evaluates the output by this criterion.';
const EVALUATOR_CONFIG =
  'Configuration of the evaluator: the fields of its type, as in `evaluator` of a spec, without `type`. For `llm` also `questions`.';

const PROOF =
  'The call that proves the criterion, instead of an evaluator: with a record of it the criterion is met, without one it is not. No judge is asked.';

const criterionName = protocolText(z.string().min(1).max(200));

export const criterionForm = z.strictObject({
  name: criterionName.describe('Name of the criterion, by which its score is reported. Unique in the list.'),
  description: optional(
    z.string().min(1).max(SENTENCE_CHARACTERS),
    'What the criterion measures; the judge is asked about it. Default: the description of this name in the default criteria.',
  ),
  weight: optional(
    z.number().min(0).max(HIGHEST_WEIGHT),
    'Weight in the mean of the criteria. With 0 only its threshold counts; if all weights are 0, all criteria count alike.',
    1,
  ),
  threshold: optional(share, 'Minimum score, 0 to 1, for this criterion, whatever the mean is.', 0.7),
  evaluator: optional(criterionEvaluator, EVALUATOR, CRITERION_EVALUATOR),
  evaluatorConfig: optional(jsonObject, EVALUATOR_CONFIG),
  proof: optional(proof, PROOF),
});

const HOW = { evaluator: true, evaluatorConfig: true, proof: true } as const;

/** One criterion that an output is judged by. */
export interface QualityCriterion extends Infer<typeof criterionForm> {}

function formOfCriterion(type: CriterionEvaluator, evaluatorForm: z.ZodObject): z.ZodType {
  const own = z.strictObject(
    Object.fromEntries(Object.entries(evaluatorForm.shape).filter(([key]) => !OF_THE_CRITERION.includes(key))),
  );
  // A missing `evaluatorConfig` means no fields at all, which is enough for some kinds.
  const isOptional = evaluatorForm.safeParse({ type }).success;
  const config = type === CRITERION_EVALUATOR ? z.union([questions, own]) : own;
  return criterionForm.omit(HOW).extend({
    evaluator:
      type === CRITERION_EVALUATOR ? optional(z.literal(type), EVALUATOR, type) : z.literal(type).describe(EVALUATOR),
    evaluatorConfig: isOptional ? optional(config, EVALUATOR_CONFIG) : config.describe(EVALUATOR_CONFIG),
  });
}

function checkEvaluator(criterion: QualityCriterion, context: z.RefinementCtx, formOf: FormOf): void {
  const { evaluator: type = CRITERION_EVALUATOR, evaluatorConfig: config } = criterion;
  const tell = (path: string[], message: string): void => context.addIssue({ code: 'custom', message, path });
  if (criterion.proof) {
    const others = (['evaluator', 'evaluatorConfig'] as const).filter((key) => criterion[key] !== undefined);
    for (const key of others) tell([key], 'is not used with `proof`, which needs no evaluator; remove one of them');
    return;
  }
  if (type === CRITERION_EVALUATOR && config === undefined) return;
  if (config && type === CRITERION_EVALUATOR && 'questions' in config) {
    passIssuesOn(questions.safeParse(config, OWN_WORDS), context, ['evaluatorConfig']);
    return;
  }
  const foreign = OF_THE_CRITERION.filter((key) => config && Object.hasOwn(config, key));
  for (const key of foreign) tell(['evaluatorConfig', key], `belongs to the criterion, not to its evaluator`);
  if (foreign.length > 0) return;
  const result = formOf(type, config ?? {});
  if (!result) return tell(['evaluator'], `evaluator type "${type}" is not supported yet`);
  passIssuesOn(result, context, ['evaluatorConfig']);
}

/** The form of a criterion of an evaluator: a name, or a criterion in full. */
export function criterionOf(
  formOf: FormOf,
  evaluatorForm: (type: CriterionEvaluator) => z.ZodObject,
): z.ZodType<string | QualityCriterion> {
  const criterion = z.unknown().transform((value, context): string | QualityCriterion => {
    if (typeof value === 'string') return passOn(criterionName, value, context);
    const read = passOn(criterionForm, value, context);
    if (read !== z.NEVER) checkEvaluator(read, context, formOf);
    return read;
  });
  addJsonSchemaHints(criterion, {
    forms: () => [
      criterionName,
      ...criterionEvaluator.options.map((type) => formOfCriterion(type, evaluatorForm(type))),
      criterionForm.omit(HOW).extend({ proof: proof.describe(PROOF) }),
    ],
  });
  return criterion;
}

/** The form of the criteria of an evaluator. Names must differ, because scores are listed by them. */
export function criterionList(criterion: ReturnType<typeof criterionOf>) {
  return z
    .array(criterion)
    .min(1, 'must have at least one criterion')
    .max(MOST_CRITERIA)
    .check((context) => {
      const names = context.value.map((each) => (typeof each === 'string' ? each : each?.name));
      for (const [index, name] of names.entries()) {
        if (name === undefined || names.indexOf(name) === index) continue;
        context.issues.push({
          code: 'custom',
          input: context.value,
          path: [index],
          message: `there is another criterion "${name}"`,
        });
      }
    });
}
