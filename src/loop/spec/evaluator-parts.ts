import { asksQuestions, criteriaOf, DEFAULT_CRITERION_THRESHOLD } from './criteria';
import type { QualityCriterion } from '../contract/criteria';
import type { CriteriaEvaluator, Evaluator } from '../contract/evaluators';
import { CRITERION_EVALUATOR, DEFAULT_VOTES, JUDGE_TOOL_ROUNDS } from '../base/defaults';
import { evaluatorTraits, isJudge } from './evaluator-traits';
import { omitUndefined } from '../../lib/base/defined';

/** An execution of the activity makes at most one call: an evaluator that needs several, or work of two kinds, is several parts. */
export interface EvaluatorPart {
  evaluator: Evaluator;
  /** The path of its configuration in the evaluator, as a JSON Pointer. */
  path: string;
  /** The place inside of the configuration that is at `path`. Default: the whole of it. */
  inner?: string;
  /** A label for users that distinguishes it from its siblings; empty if it has none. */
  label: string;
  /** The score that it needs, where that is not the spec's. */
  threshold?: number;
  /** For comparisons by a judge: which of the two the candidate is shown as. */
  candidate?: CandidatePlace;
  /** For judges that are asked several times: which time this is, from 1, and how often they are asked. */
  vote?: { number: number; of: number };
}

export type CandidatePlace = 'first' | 'second';

export type PartTree =
  | { kind: 'part'; part: EvaluatorPart }
  | { kind: 'panel'; of: PartTree[] }
  | { kind: 'both_orders'; of: PartTree[] }
  /** Criteria in groups: those that a judge answers questions about in one call, if there are any, then each other one. */
  | { kind: 'criteria'; of: PartTree[]; groups: QualityCriterion[][] };

export function toolsOfJudge(evaluator: Evaluator): string[] {
  return ('tools' in evaluator && evaluator.tools) || [];
}

/** How many model calls a judge may make with tools; 0 for one without any. */
export function judgeRounds(evaluator: Evaluator): number {
  if (toolsOfJudge(evaluator).length === 0) return 0;
  return ('maxToolRounds' in evaluator ? evaluator.maxToolRounds : undefined) ?? JUDGE_TOOL_ROUNDS;
}

export function comparesWithPrior(evaluator: Evaluator): boolean {
  return 'against' in evaluator && evaluator.against === 'prior';
}

/** @param votes how often each judge is asked */
export function partTree(evaluator: Evaluator, votes = DEFAULT_VOTES): PartTree {
  return evaluatorTraits(evaluator.type).parts === 'criteria'
    ? criteriaTree(evaluator as CriteriaEvaluator, votes)
    : votedTree({ evaluator, path: '', label: '' }, votes);
}

/** Lists the parts in the order in which they are asked, and in which `aggregateParts` takes their verdicts. */
export function partsOf(tree: PartTree): EvaluatorPart[] {
  return tree.kind === 'part' ? [tree.part] : tree.of.flatMap(partsOf);
}

function joinLabels(...labels: string[]): string {
  return labels.filter((label) => label !== '').join(' · ');
}

function votedTree(part: EvaluatorPart, votes: number): PartTree {
  if (votes <= 1 || !isJudge(part.evaluator)) return orderedTree(part);
  const numbers = Array.from({ length: votes }, (_, index) => index + 1);
  return {
    kind: 'panel',
    of: numbers.map((number) =>
      orderedTree({ ...part, label: joinLabels(part.label, `vote ${number}`), vote: { number, of: votes } }),
    ),
  };
}

function orderedTree(part: EvaluatorPart): PartTree {
  if (evaluatorTraits(part.evaluator.type).parts !== 'both_orders' || !isJudge(part.evaluator))
    return { kind: 'part', part };
  const places: CandidatePlace[] = ['first', 'second'];
  return {
    kind: 'both_orders',
    of: places.map((candidate) => ({
      kind: 'part',
      part: { ...part, candidate, label: joinLabels(part.label, `shown ${candidate}`) },
    })),
  };
}

function criteriaTree(evaluator: CriteriaEvaluator, votes: number): PartTree {
  // Without a list, they are the default sets', which are all questions; or a template makes one when its node is reached.
  const listed = Array.isArray(evaluator.criteria) ? criteriaOf(evaluator) : [];
  const others = listed.flatMap((criterion, index) => (asksQuestions(criterion) ? [] : [{ criterion, index }]));
  if (others.length === 0) return votedTree({ evaluator, path: '', label: '' }, votes);
  const questions = listed.filter(asksQuestions);
  // The mean of all criteria is for the whole to judge.
  const asked: EvaluatorPart = {
    evaluator: { ...evaluator, criteria: questions },
    path: '',
    label: 'questions',
    threshold: 0,
  };
  return {
    kind: 'criteria',
    groups: [...(questions.length > 0 ? [questions] : []), ...others.map(({ criterion }) => [criterion])],
    of: [
      ...(questions.length > 0 ? [votedTree(asked, votes)] : []),
      ...others.map(({ criterion, index }) => votedTree(criterionPart(evaluator, criterion, index), votes)),
    ],
  };
}

function criterionPart(
  { name, model, temperature, attachments, tools, maxToolRounds }: CriteriaEvaluator,
  criterion: QualityCriterion,
  index: number,
): EvaluatorPart {
  const {
    evaluator: type = CRITERION_EVALUATOR,
    evaluatorConfig = {},
    threshold = DEFAULT_CRITERION_THRESHOLD,
    proof,
  } = criterion;
  const part = { label: criterion.name, threshold };
  if (proof) {
    const { after, ...must } = proof;
    const evaluator: Evaluator = omitUndefined({ type: 'calls' as const, must: [must], after, name });
    return { ...part, evaluator, path: `/criteria/${index}/proof`, inner: '/must/0' };
  }
  const ofWhole = omitUndefined({ model, temperature, attachments, tools, maxToolRounds });
  const config = type === CRITERION_EVALUATOR ? { ...ofWhole, ...evaluatorConfig } : evaluatorConfig;
  return {
    ...part,
    // The form of the configuration was checked with the form of the type.
    evaluator: { ...config, type, ...(name === undefined ? {} : { name }) } as Evaluator,
    path: `/criteria/${index}/evaluatorConfig`,
  };
}
