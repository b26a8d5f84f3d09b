import { z } from 'zod';
import type { ResolvedCriterion } from '../../loop/spec/criteria';
import { CONFIDENCE_WORDS, FAULT_FIELDS, FAULT_WORDS, PATH_WORDS } from './judge-contract';
import { CODE_FIELD, replySchema } from './judgement-code';

const answered = { question: z.string(), finding: z.string() };

/* One form for every list of questions. No score is requested: it is counted from the answers. Only a no says more. */
const checklistReply = z.object({
  answers: z.array(
    z.union([
      z.object({ ...answered, answer: z.enum(['yes', 'unclear']) }),
      z.object({ ...answered, answer: z.enum(['no']), path: z.string().nullable(), ...FAULT_FIELDS }),
    ]),
  ),
  confidence: z.number().nullable(),
});

/** The schema of a checklist judge's reply, for models with structured output; each call adds its code. */
export const CHECKLIST_REPLY = replySchema('checklist', checklistReply);

export interface NumberedQuestion {
  /** `q1`, `q2`, … through all criteria. */
  id: string;
  text: string;
  criterion: string;
}

export function numberedQuestions(criteria: readonly ResolvedCriterion[]): NumberedQuestion[] {
  return criteria
    .flatMap(({ name, questions }) => questions.map((text) => ({ text, criterion: name })))
    .map((question, index) => ({ id: `q${index + 1}`, ...question }));
}

/** @param answers those that were answered before, which are left out */
export function questionsText(
  criteria: readonly ResolvedCriterion[],
  answers: Readonly<Record<string, unknown>> = {},
): string {
  const open = numberedQuestions(criteria).filter(({ id }) => !Object.hasOwn(answers, id));
  const asked = criteria.filter(({ name }) => open.some(({ criterion }) => criterion === name));
  const lines = asked.flatMap(({ name, description, questions, hasOwnQuestions }) => {
    // A single question that was made for the criterion says what the criterion is.
    const isHeaded = questions.length > 1 || hasOwnQuestions === true;
    const heading = `${name}${description === undefined ? '' : `: ${description}`}`;
    const own = open.filter(({ criterion }) => criterion === name).map(({ id, text }) => `${id}. ${text}`);
    return isHeaded ? ['', heading, ...own] : own;
  });
  return ['Questions about the output:', ...lines].join('\n');
}

const RULES =
  'Unclear only where nobody could tell from this prompt. A fault counts once: under the question that it fits best.';

export function checklistText(structured: boolean): string {
  if (structured) {
    return [
      'Reply with one JSON object and nothing else. Its fields, in this order:',
      `- ${CODE_FIELD}`,
      `- answers: one object for each question, in their order, with question (its number, such as q1), finding (what in the output decides it, in a few words) and answer (yes, no or unclear). A no also has ${PATH_WORDS}, ${FAULT_WORDS}`,
      CONFIDENCE_WORDS,
      RULES,
    ].join('\n');
  }
  return [
    'Reply with these lines, the second one for each question, in their order:',
    CODE_FIELD,
    'q and its number: yes, no or unclear - what in the output decides it, in a few words; for a no also how to repair it',
    RULES,
  ].join('\n');
}
