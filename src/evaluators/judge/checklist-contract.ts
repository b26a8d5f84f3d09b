import { z } from 'zod';
import type { ResolvedCriterion } from '../../loop/spec/criteria';
import { MISSING_INFORMATION } from './judge-contract';
import { CODE_FIELD, replySchema } from './judgement-code';

/* One form for every list of questions. No score is requested: it is counted from the answers. */
const checklistReply = z.object({
  answers: z
    .array(
      z.object({
        question: z.string().describe('The number of the question, such as q1.'),
        finding: z
          .string()
          .describe('What you found in the output that decides the answer. For a no: what is wrong, and where.'),
        answer: z.enum(['yes', 'no', 'unclear']).describe('unclear only where the material does not let anybody tell.'),
        severity: z.enum(['minor', 'major', 'critical']).nullable().describe('For a no; else null.'),
        path: z.string().nullable().describe('For a no: JSON Pointer to the place in a JSON output; else null.'),
        suggestion: z.string().nullable().describe('For a no: how to repair it; else null.'),
        missingInformation: z.boolean().nullable().describe(`For a no: ${MISSING_INFORMATION}`),
      }),
    )
    .describe('One for each question, in their order.'),
  confidence: z.number().nullable().describe('How sure you are, from 0 to 1.'),
});

/** The schema of a checklist judge's reply, for models with structured output; each call adds its code. */
export const CHECKLIST_REPLY = replySchema('checklist', checklistReply);

/** A question with the number that its answer goes by. */
export interface NumberedQuestion {
  /** `q1`, `q2`, … through all criteria. */
  id: string;
  text: string;
  criterion: string;
}

/** Returns all questions of some criteria, numbered. */
export function numberedQuestions(criteria: readonly ResolvedCriterion[]): NumberedQuestion[] {
  return criteria
    .flatMap(({ name, questions }) => questions.map((text) => ({ text, criterion: name })))
    .map((question, index) => ({ id: `q${index + 1}`, ...question }));
}

/**
 * Returns the questions as a judge reads them.
 *
 * @param answers those that were answered before, which are left out
 */
export function questionsText(
  criteria: readonly ResolvedCriterion[],
  answers: Readonly<Record<string, unknown>> = {},
): string {
  const open = numberedQuestions(criteria).filter(({ id }) => !Object.hasOwn(answers, id));
  const asked = criteria.filter(({ name }) => open.some(({ criterion }) => criterion === name));
  const lines = asked.flatMap(({ name, description }) => [
    '',
    `${name}${description === undefined ? '' : `: ${description}`}`,
    ...open.filter(({ criterion }) => criterion === name).map(({ id, text }) => `${id}. ${text}`),
  ]);
  return ['Questions about the output, by criterion:', ...lines].join('\n');
}

/** Returns the form in words: models without structured output, and judges that may write freely, read it in the prompt. */
export function checklistText(structured: boolean): string {
  if (structured) {
    return [
      'Reply with one JSON object and nothing else. Its fields, in this order:',
      `- ${CODE_FIELD}`,
      '- answers: a list with one object for each question, in their order. Each has question (its number, such as q1),',
      '  finding (what in the output decides the answer), answer (yes, no or unclear), severity (minor, major or critical),',
      '  path (JSON Pointer, or null), suggestion (how to repair it, or null) and missingInformation.',
      `  missingInformation: ${MISSING_INFORMATION}`,
      '- confidence: how sure you are, from 0 to 1, or null.',
      'Answer every question by itself: do not let one answer colour the others. Do not give a score.',
    ].join('\n');
  }
  return [
    'Reply with these lines, the second one for each question, in their order:',
    CODE_FIELD,
    'q and its number: the answer - what in the output decides it, and how to repair it',
    'The answer is the word yes, no or unclear. Answer every question by itself. Do not give a score.',
  ].join('\n');
}
