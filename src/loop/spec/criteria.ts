import { CRITERIA_SETS, guessTaskType, type KnownCriterion } from './criteria-sets';
import { JUDGE_SETS } from './judge-sets';
import { omitUndefined } from '../../lib/base/defined';
import { isJsonObject } from '../../lib/json/json';
import { TASK_TYPES } from '../base/choices';
import type { QualityCriterion } from '../contract/criteria';
import type { CriteriaEvaluator } from '../contract/evaluators';

export const DEFAULT_CRITERION_WEIGHT = 1;
export const DEFAULT_CRITERION_THRESHOLD = 0.7;

export interface ResolvedCriterion {
  name: string;
  description?: string;
  /** Relative to the other criteria. */
  weight: number;
  /** 0..1: the score that this criterion needs. */
  threshold: number;
  /** For a judge, when it is one that answers questions. */
  questions: readonly string[];
  /** The questions are those of its author, who may have put something into the description that they do not say. */
  hasOwnQuestions?: true;
}

/** Lists every criterion of an evaluator, in order; if it names none, those of its built-in set or of its kind of task. */
export function criteriaOf({ set, taskType, criteria }: CriteriaEvaluator, task?: string): QualityCriterion[] {
  const listed =
    criteria ?? Object.keys(set ? JUDGE_SETS[set].criteria : CRITERIA_SETS[taskType ?? guessTaskType(task)]);
  return listed.map((criterion) => {
    const listedOne = typeof criterion === 'string' ? { name: criterion } : criterion;
    const { weight, threshold } =
      (set && listedOne.description === undefined && ownOf(JUDGE_SETS[set].criteria, listedOne.name)) || {};
    return {
      ...(weight === undefined ? {} : { weight }),
      ...(threshold === undefined ? {} : { threshold }),
      ...listedOne,
    };
  });
}

function ownOf<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Whether a judge answers yes/no questions about a criterion, together with others in one call. */
export function asksQuestions({ evaluator = 'llm', evaluatorConfig, proof }: QualityCriterion): boolean {
  if (evaluator !== 'llm' || proof) return false;
  return evaluatorConfig === undefined || ownQuestions(evaluatorConfig) !== undefined;
}

function ownQuestions(config: QualityCriterion['evaluatorConfig']): string[] | undefined {
  return isJsonObject(config) && Array.isArray(config['questions']) ? (config['questions'] as string[]) : undefined;
}

function knownCriterion(
  name: string,
  { set, taskType }: Pick<CriteriaEvaluator, 'set' | 'taskType'>,
  task?: string,
): KnownCriterion | undefined {
  const first = set ? JUDGE_SETS[set].criteria : CRITERIA_SETS[taskType ?? guessTaskType(task)];
  const sets = [first, ...TASK_TYPES.map((type) => CRITERIA_SETS[type])];
  return sets.map((each) => ownOf(each, name)).find((each) => each !== undefined);
}

function generalQuestions(name: string, description: string | undefined): string[] {
  const words = name.replaceAll(/[_-]+/g, ' ');
  const what = description === undefined ? `"${words}"` : `"${words}" (${description})`;
  return [`Does the output do what ${what} asks for, as far as the task calls for it, without serious faults?`];
}

/** Questions are its own, else those known for its name, else general ones. With a description of its own, they are about that. */
export function resolveCriterion(
  criterion: QualityCriterion,
  evaluator: Pick<CriteriaEvaluator, 'set' | 'taskType'>,
  task: string | undefined,
): ResolvedCriterion {
  const { name, weight = DEFAULT_CRITERION_WEIGHT, threshold = DEFAULT_CRITERION_THRESHOLD } = criterion;
  const known = criterion.description === undefined ? knownCriterion(name, evaluator, task) : undefined;
  const description = criterion.description ?? known?.description;
  const own = ownQuestions(criterion.evaluatorConfig);
  const questions = own ?? known?.questions ?? generalQuestions(name, criterion.description);
  return omitUndefined({ name, description, weight, threshold, questions, hasOwnQuestions: own && (true as const) });
}
