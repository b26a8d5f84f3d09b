import { z } from 'zod';
import { CODE_FIELD, replySchema } from './judgement-code';

/** The rule that says when an issue is beyond every revision. */
export const MISSING_INFORMATION =
  'True only when a repair needs a fact that stands nowhere in this prompt; else false.';

/*
 * Every field is required and may be null, because that is what strict structured output accepts. Ranges stand in the
 * descriptions: a reply outside of them must reach us, so that it can be called inconclusive.
 */
const judgeReply = z.object({
  reason: z.string().describe('The most important findings, in one to three sentences.'),
  issues: z
    .array(
      z.object({
        message: z.string().describe('What is wrong, concretely.'),
        path: z.string().nullable().describe('JSON Pointer to the place in a JSON output; null otherwise.'),
        criterion: z.string().nullable().describe('The requirement that is not met; null if none was named.'),
        severity: z.enum(['minor', 'major', 'critical']).nullable(),
        suggestion: z.string().nullable().describe('How to repair it.'),
        missingInformation: z.boolean().nullable().describe(MISSING_INFORMATION),
      }),
    )
    .describe('Every fault of the output; empty when there is none.'),
  suggestions: z.array(z.string()).describe('Improvements beyond the issues.'),
  score: z.number().nullable().describe('Quality from 0 (useless) to 1 (flawless).'),
  valid: z.boolean().nullable().describe('True when the output is good enough as it is, false when it is not.'),
  confidence: z.number().nullable().describe('How sure you are, from 0 to 1.'),
});

/** The schema of a judge's reply, for models with structured output; each call adds its code. */
export const JUDGE_REPLY = replySchema('judgement', judgeReply);

/**
 * Returns the contract of the reply in words: models without structured output, and judges that may write freely, read
 * it in the prompt.
 */
export function contractText(structured: boolean, qualityThreshold: number): string {
  const threshold = `A score of ${qualityThreshold} or more means good enough.`;
  if (structured) {
    const { properties } = JUDGE_REPLY.schema as { properties: Record<string, { description?: string }> };
    const fields = Object.entries(properties).map(([name, { description }]) => `- ${name}: ${description ?? ''}`);
    return [
      'Reply with one JSON object and nothing else. Its fields, in this order:',
      `- ${CODE_FIELD}`,
      ...fields,
      'An issue has message, path, criterion, severity (minor, major or critical), suggestion and missingInformation.',
      `missingInformation: ${MISSING_INFORMATION}`,
      threshold,
    ].join('\n');
  }
  return [
    'Explain your judgement, then end your reply with these lines:',
    CODE_FIELD,
    'Verdict: the word pass, or the word fail',
    'Score: a number between 0 and 1',
    'Reason: one sentence',
    'Issues: below it one line for each fault, each beginning with a hyphen',
    'Suggestions: below it one line for each improvement, each beginning with a hyphen',
    threshold,
  ].join('\n');
}
