import { combineCriteria, type CriterionResult } from '../../loop/evaluation/combine-criteria';
import { criteriaOf, resolveCriterion, type ResolvedCriterion } from '../../loop/spec/criteria';
import { type Answer, type Judgement, QUESTION_TYPE } from '../../loop/state/evaluation';
import type { Issue } from '../../loop/contract/evaluation';
import type { CriteriaEvaluator } from '../../loop/contract/evaluators';
import { judgeToolProblems } from '../../actions/tool';
import { modelProblems } from '../../lib/models/model-names';
import type { ReplyContext } from '../replies/candidates';
import { isProblem, type JudgeProblem } from '../replies/words';
import type { EvaluationInput, EvaluatorKind } from '../types';
import {
  CHECKLIST_REPLY,
  checklistText,
  type NumberedQuestion,
  numberedQuestions,
  questionsText,
} from './checklist-contract';
import { type Checklist, readChecklist } from './checklist-reply';
import { makeJudge } from './judge-call';
import { severest } from './judge-fields';
import { promptOf } from './judge-prompt';
import { templateProblemsAsync } from '../../lib/templates';
import { renderCount, renderCountAre } from '../../lib/text/counted';
import { DEFAULT_CONFIDENCE, unsurePass } from './judge-reply';

const DEFAULT_PROMPT = [
  'Answer the questions about the output below, each by itself.',
  'Do not reward length, confidence or politeness, and do not ask for more than the task does.',
].join('\n');

/** The share of its answers that may be unclear for a criterion to pass. */
const MOST_UNCLEAR = 1 / 3;

/** All questions in one call. Criteria with an evaluator of another kind are parts of their own (`loop/spec/evaluator-parts.ts`). */
export const criteriaEvaluator: EvaluatorKind<CriteriaEvaluator> = {
  type: 'criteria',
  async problems({ set, taskType, source, model, tools }, { models, actions }) {
    const [mistakes = []] = await templateProblemsAsync(source === undefined ? [] : [source]);
    const isBoth = set !== undefined && taskType !== undefined;
    return [
      ...(isBoth
        ? [{ path: '/taskType', message: 'is not used with `set`, which brings its own criteria; remove one' }]
        : []),
      ...mistakes.map((message) => ({ path: '/source', message })),
      ...modelProblems(model, models),
      ...judgeToolProblems(tools, actions),
    ];
  },

  ...makeJudge({
    form: CHECKLIST_REPLY,
    question: 'Now answer the questions.',
    contract: (config, input) =>
      `${checklistText(input.structured)}\n\n${questionsText(resolveCriteria(config, input))}`,
    prompt: (config, input) =>
      promptOf(
        input.judgePrompt ?? DEFAULT_PROMPT,
        [questionsText(resolveCriteria(config, input), input.answers)],
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

/** A judgement with open questions is no pass, and has the answers: the judge can be asked the others alone. */
function judgementOf(
  text: string,
  asked: ReplyContext,
  config: CriteriaEvaluator,
  input: EvaluationInput,
): Judgement | JudgeProblem {
  const evaluator = config.name ?? config.type;
  const criteria = resolveCriteria(config, input);
  const questions = numberedQuestions(criteria);
  const { answers: before } = input;
  const join = (checklist: Checklist): Checklist => ({
    ...checklist,
    answers: new Map([...Object.entries(before ?? {}), ...checklist.answers]),
  });
  const judge = (checklist: Checklist): Judgement => {
    const results = criteria.map((criterion) => resultOf(criterion, questions, checklist, evaluator));
    return combineCriteria(results, input.qualityThreshold, evaluator);
  };
  const ids = questions.flatMap(({ id }) => (before && Object.hasOwn(before, id) ? [] : [id]));
  const read = readChecklist(text, ids, asked, (checklist) => judge(join(checklist)).outcome !== 'fail');
  if (isProblem(read) && !before) return read;
  // Without a second reply that can be read, the first answers are all that there is.
  const checklist = join(isProblem(read) ? { answers: new Map() } : read);
  const { answers } = checklist;
  const judgement = { ...judge(checklist), coverage: answers.size / questions.length };
  const left = ids.filter((id) => !answers.has(id));
  if (left.length > 0) {
    const problem = `it leaves out ${left.length} of ${renderCount(questions.length, 'question')}: ${left.join(', ')}`;
    return { ...judgement, unreadable: { reply: text, problem, answers: Object.fromEntries(answers) } };
  }
  // A question answered with yes, too: what it says beside it may be the opposite.
  const isTorn = judgement.outcome === 'pass' && [...answers.values()].some(isGrave);
  return isTorn ? unsurePass(judgement, evaluator) : judgement;
}

function isGrave({ severity, finding }: Answer): boolean {
  return severity === undefined ? severest([finding ?? null]) !== undefined : severity !== 'minor';
}

/** The score is the share of yes among the clear answers; there is none while open or unclear answers could decide. */
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
  const denied = answered.filter(({ answer }) => answer.yes === false);
  const confirmed = answered.filter(({ answer }) => answer.yes === true);
  const decided = denied.length + confirmed.length;
  const unclear = answered.length - decided;
  const left = asked.length - answered.length;
  const isOpen = decided === 0 || left > 0 || unclear / asked.length > MOST_UNCLEAR;
  const isSureToFail = (asked.length - denied.length) / asked.length < threshold;
  const unjudged = isOpen && !isSureToFail;
  const score = unjudged ? null : confirmed.length / decided;
  const isWeak = score !== null && score < threshold;
  return {
    name,
    weight,
    threshold,
    score,
    unjudged,
    confidence: (confidence * decided) / asked.length,
    issues: denied.map(({ question, answer }) => issueOf(question, answer, isWeak, evaluator)),
    suggestions: [],
    ...(unjudged && { reason: describeOpen(name, asked.length, left, unclear) }),
  };
}

function describeOpen(name: string, asked: number, left: number, unclear: number): string {
  const of = `of ${renderCount(asked, 'question')} about ${name}`;
  const parts = [
    ...(left > 0 ? [`${renderCountAre(left, 'answer')} missing`] : []),
    ...(unclear > 0 ? [`${renderCountAre(unclear, 'answer')} unclear`] : []),
  ];
  return `${parts.join(' and ')} ${of}.`;
}

function issueOf({ text, criterion }: NumberedQuestion, answer: Answer, isWeak: boolean, evaluator: string): Issue {
  return {
    message: answer.finding ?? `The answer to this is no: ${text}`,
    path: answer.path,
    criterion,
    severity: answer.severity ?? (isWeak ? 'major' : 'minor'),
    suggestion: answer.suggestion ?? `Change the output so that the answer is yes: ${text}`,
    missingInformation: answer.missingInformation,
    blocker: answer.blocker,
    type: `${QUESTION_TYPE}${text}`,
    evaluator,
  };
}
