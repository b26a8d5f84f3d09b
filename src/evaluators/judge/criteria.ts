import { combineCriteria, type CriterionResult } from '../../loop/evaluation/combine-criteria';
import { criteriaOf, resolveCriterion, type ResolvedCriterion } from '../../loop/spec/criteria';
import { type Judgement, QUESTION_TYPE } from '../../loop/state/evaluation';
import type { Issue } from '../../loop/contract/evaluation';
import type { CriteriaEvaluator } from '../../loop/contract/evaluators';
import { modelProblems } from '../../lib/models/model-names';
import type { ReplyContext } from '../replies/candidates';
import { isProblem, type JudgeProblem } from '../replies/problem';
import type { EvaluationInput, EvaluatorKind } from '../types';
import {
  type NumberedQuestion,
  CHECKLIST_REPLY,
  checklistText,
  numberedQuestions,
  questionsText,
} from './checklist-contract';
import { type Answer, type Checklist, readChecklist } from './checklist-reply';
import { makeJudge } from './judge-call';
import { severest } from './judge-fields';
import { promptOf } from './judge-prompt';
import { templateProblemsAsync } from '../../lib/templates';
import { DEFAULT_CONFIDENCE, unsurePass } from './judge-reply';

const DEFAULT_PROMPT = [
  'Answer the questions about the output below. Look at the output itself for each one before you answer.',
  'Do not reward length, confidence or politeness, and do not ask for more than the task does.',
].join('\n');

/** Share of its questions that must be answered for a criterion to have a score. */
const ENOUGH_ANSWERS = 0.5;

/**
 * Judges by criteria that a model answers yes/no questions about, all in one call. Criteria with an evaluator of another
 * kind are parts of their own (`loop/spec/evaluator-parts.ts`) and never come here.
 */
export const criteriaEvaluator: EvaluatorKind<CriteriaEvaluator> = {
  type: 'criteria',
  local: false,
  async problems({ set, taskType, source, model }, { models }) {
    const [mistakes = []] = await templateProblemsAsync(source === undefined ? [] : [source]);
    const isBoth = set !== undefined && taskType !== undefined;
    return [
      ...(isBoth
        ? [{ path: '/taskType', message: 'is not used with `set`, which brings its own criteria; remove one' }]
        : []),
      ...mistakes.map((message) => ({ path: '/source', message })),
      ...modelProblems(model, models),
    ];
  },

  ...makeJudge({
    form: CHECKLIST_REPLY,
    contract: (config, input) =>
      `${checklistText(input.structured)}\n\n${questionsText(resolveCriteria(config, input))}`,
    prompt: (config, input) =>
      promptOf(
        input.judgePrompt ?? DEFAULT_PROMPT,
        [questionsText(resolveCriteria(config, input))],
        checklistText(input.structured),
        input,
        config.source,
      ),
    read: judgementOf,
  }),
};

function resolveCriteria(config: CriteriaEvaluator, { task }: EvaluationInput): ResolvedCriterion[] {
  return criteriaOf(config, task).map((criterion) => resolveCriterion(criterion, config, task));
}

/** Counts the answers. Without enough of them for any criterion the reply is not readable, and may be repaired. */
function judgementOf(
  text: string,
  asked: ReplyContext,
  config: CriteriaEvaluator,
  input: EvaluationInput,
): Judgement | JudgeProblem {
  const evaluator = config.name ?? config.type;
  const criteria = resolveCriteria(config, input);
  const questions = numberedQuestions(criteria);
  const ids = questions.map(({ id }) => id);
  const resultsOf = (checklist: Checklist): CriterionResult[] =>
    criteria.map((criterion) => resultOf(criterion, questions, checklist, evaluator));
  const judgeChecklist = (checklist: Checklist): Judgement =>
    combineCriteria(resultsOf(checklist), input.qualityThreshold, evaluator);
  const checklist = readChecklist(text, ids, asked, (given) => judgeChecklist(given).outcome !== 'fail');
  if (isProblem(checklist)) return checklist;
  const results = resultsOf(checklist);
  const judgement = judgeChecklist(checklist);
  if (judgement.outcome === 'inconclusive') {
    const unjudged = results.filter((result) => result.unjudged).map(({ name }) => name);
    return { problem: `it answers too few of the questions about ${unjudged.join(', ')}` };
  }
  // A question answered with yes, too: what it says beside it may be the opposite.
  const isTorn = judgement.outcome === 'pass' && [...checklist.answers.values()].some(isGrave);
  return isTorn ? unsurePass(judgement, evaluator) : judgement;
}

function isGrave({ severity, finding }: Answer): boolean {
  return severity === undefined ? severest([finding ?? null]) !== undefined : severity !== 'minor';
}

/**
 * Returns the result of a criterion. Its score is the share of yes among the questions that were answered; the others
 * count for neither side.
 */
function resultOf(
  { name, weight, threshold }: ResolvedCriterion,
  questions: NumberedQuestion[],
  { answers, confidence = DEFAULT_CONFIDENCE }: Checklist,
  evaluator: string,
): CriterionResult {
  const asked = questions.filter(({ criterion }) => criterion === name);
  const answered = asked.flatMap((question) => {
    const answer = answers.get(question.id);
    return answer ? [{ question, answer }] : [];
  });
  const share = answered.length / asked.length;
  const unjudged = answered.length === 0 || share < ENOUGH_ANSWERS;
  const score = unjudged ? null : answered.filter(({ answer }) => answer.yes).length / answered.length;
  const isWeak = score !== null && score < threshold;
  const denied = answered.filter(({ answer }) => !answer.yes);
  return {
    name,
    weight,
    threshold,
    score,
    unjudged,
    confidence: confidence * share,
    issues: denied.map(({ question, answer }) => issueOf(question, answer, isWeak, evaluator)),
    suggestions: [],
  };
}

function issueOf({ text, criterion }: NumberedQuestion, answer: Answer, isWeak: boolean, evaluator: string): Issue {
  return {
    message: answer.finding ?? `The answer to this is no: ${text}`,
    path: answer.path,
    criterion,
    severity: answer.severity ?? (isWeak ? 'major' : 'minor'),
    suggestion: answer.suggestion ?? `Change the output so that the answer is yes: ${text}`,
    missingInformation: answer.missingInformation,
    type: `${QUESTION_TYPE}${text}`,
    evaluator,
  };
}
