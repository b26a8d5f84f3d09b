import { z } from 'zod';
import { CODE_FIELD, replySchema } from './judgement-code';

/*
 * The prompt says what fields mean, once, for models whose endpoint shows them no schema; the schema has the form. Every
 * field is required and may be null, because that is what strict structured output accepts. Ranges are not in the schema: a
 * reply outside of them must reach us, so that it can be called inconclusive.
 */

export const FAULT_FIELDS = {
  severity: z.enum(['minor', 'major', 'critical']).nullable(),
  suggestion: z.string().nullable(),
  missingInformation: z.boolean().nullable(),
};

export const MISSING_WORDS =
  'missingInformation (true only if its repair needs a fact that stands nowhere in this prompt; else false)';

export const FAULT_WORDS = [
  'severity (critical: useless or harmful; major: a requirement is not met; minor: good enough with it)',
  'suggestion (how to repair it, or null)',
  MISSING_WORDS,
].join(', ');

export const PATH_WORDS = 'path (JSON Pointer to the place in a JSON output, or null)';

export const CONFIDENCE_WORDS = '- confidence: how sure you are, from 0 to 1, or null';

const judgeIssue = z.object({
  message: z.string(),
  path: z.string().nullable(),
  criterion: z.string().nullable(),
  ...FAULT_FIELDS,
});

const judgeReply = z.object({
  reason: z.string(),
  issues: z.array(judgeIssue),
  suggestions: z.array(z.string()),
  score: z.number().nullable(),
  valid: z.boolean().nullable(),
  confidence: z.number().nullable(),
});

/** The schema of a judge's reply, for models with structured output; each call adds its code. */
export const JUDGE_REPLY = replySchema('judgement', judgeReply);

export function contractText(structured: boolean, qualityThreshold: number): string {
  const score = `1 is flawless, ${qualityThreshold} just good enough, 0 useless`;
  if (structured) {
    return [
      'Reply with one JSON object and nothing else. Its fields, in this order:',
      `- ${CODE_FIELD}`,
      '- reason: what decides, in one to three sentences',
      `- issues: each fault of the output once, or an empty list. An issue has message (what is wrong), ${PATH_WORDS}, criterion (the requirement that is not met, or null), ${FAULT_WORDS}`,
      '- suggestions: a list of texts, which may be empty',
      `- score: ${score}`,
      '- valid: true if the output is good enough as it is, else false',
      CONFIDENCE_WORDS,
    ].join('\n');
  }
  return [
    'Explain your judgement, then end your reply with these lines:',
    CODE_FIELD,
    'Verdict: the word pass, or the word fail',
    `Score: a number; ${score}`,
    'Reason: one sentence',
    'Issues: below it one line for each fault, each beginning with a hyphen',
    'Suggestions: below it one line for each, beginning with a hyphen; or leave this out',
  ].join('\n');
}
