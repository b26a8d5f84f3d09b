import type { CriterionEvaluator } from '../contract/criteria';
import type { Evaluator, EvaluatorType } from '../contract/evaluators';

/**
 * The place where an evaluator judges. `locally`: cheap, deterministic and free of charge, as a local activity before the others. `as_step`:
 * on the queue of ordinary steps, within `timeouts.step`, free of charge. `as_workflow`: a child workflow, which may ask models. `as_judge`:
 * a model judges, so that it is paid for and votes make sense.
 */
type Place = 'locally' | 'as_step' | 'as_workflow' | 'as_judge';

interface EvaluatorTraits<Type extends EvaluatorType> {
  place: Place | ((evaluator: Extract<Evaluator, { type: Type }>) => Place);
  forCriteria: Type extends CriterionEvaluator ? true : false;
  /** The division into parts, each of which makes at most one call. */
  parts: 'one' | 'both_orders' | 'criteria';
  /** The calls that were made for an output: shown unless the spec hides them from judges, shown always, checked, or not needed. */
  evidence: 'unless_hidden' | 'always' | 'checked' | 'none';
  judgesUnfinished: boolean;
  asksForIssues: boolean;
  acts: boolean;
  isOfOthers: boolean;
  readsWholeState: boolean;
  /** Whether the `type` of its issues names the rule that they break, so that place and type identify them. */
  namesRules: boolean;
  hasSchema: boolean;
}

const USUAL = {
  place: 'as_step',
  forCriteria: true,
  parts: 'one',
  evidence: 'none',
  judgesUnfinished: true,
  asksForIssues: false,
  acts: false,
  isOfOthers: false,
  readsWholeState: false,
  namesRules: false,
  hasSchema: false,
} as const;
const OF_JUDGES = { ...USUAL, place: 'as_judge', evidence: 'unless_hidden', asksForIssues: true } as const;
const NOT_FOR_CRITERIA = { forCriteria: false } as const;

const EVALUATOR_TRAITS = {
  schema: { ...USUAL, place: 'locally', judgesUnfinished: false, namesRules: true, hasSchema: true },
  llm: OF_JUDGES,
  regex: { ...USUAL, place: 'locally', namesRules: true },
  function: { ...USUAL, acts: true },
  external: { ...USUAL, acts: true, evidence: 'always', isOfOthers: true, readsWholeState: true },
  criteria: { ...OF_JUDGES, ...NOT_FOR_CRITERIA, parts: 'criteria' },
  comparison: {
    ...USUAL,
    place: ({ method = 'llm' }) => (method === 'llm' ? 'as_judge' : 'locally'),
    parts: 'both_orders',
  },
  custom: { ...USUAL, acts: true },
  workflow: { ...USUAL, ...NOT_FOR_CRITERIA, place: 'as_workflow', evidence: 'always', acts: true, isOfOthers: true },
  calls: {
    ...USUAL,
    ...NOT_FOR_CRITERIA,
    place: 'locally',
    evidence: 'checked',
    judgesUnfinished: false,
    namesRules: true,
  },
} as const satisfies { [Type in EvaluatorType]: EvaluatorTraits<Type> };

type Traits = Omit<EvaluatorTraits<EvaluatorType>, 'place'>;

/** The traits by the name of a type; those of an unknown one, which results and templates may have, are the usual ones. */
export function evaluatorTraits(type: string): Traits {
  return Object.hasOwn(EVALUATOR_TRAITS, type) ? EVALUATOR_TRAITS[type as EvaluatorType] : USUAL;
}

export function evaluatorPlace(evaluator: Evaluator): Place {
  const { place } = evaluatorTraits(evaluator.type) as EvaluatorTraits<never>;
  return typeof place === 'function' ? place(evaluator as never) : place;
}

/** Whether a model judges, so that it is paid for, and votes make sense. */
export function isJudge(evaluator: Evaluator): boolean {
  return evaluatorPlace(evaluator) === 'as_judge';
}

/** Whether it judges at once, before the others: it is cheap, deterministic and free of charge. */
export function runsLocally(evaluator: Evaluator): boolean {
  return evaluatorPlace(evaluator) === 'locally';
}
