import { z } from 'zod';
import { type Json, textOf } from '../../lib/json/json';
import { withoutAttachments } from '../../lib/text/attachment-text';
import type { ChatMessage } from '../../lib/models/types';
import { fenceText } from '../../lib/templates/fence';
import { CONFIDENCE_WORDS } from './judge-contract';
import { judgeMessages, inputsPart, taskPart } from './judge-prompt';
import { CODE_FIELD, replySchema } from './judgement-code';
import type { EvaluationInput } from '../types';

const QUESTION = [
  'Two outputs were made for the same task.',
  'Their order means nothing, and neither do length, confidence or politeness. If you would not notice the difference in use,',
  'neither is better.',
].join('\n');

const comparisonReply = z.object({
  reason: z.string(),
  faults_first: z.array(z.string()),
  faults_second: z.array(z.string()),
  better: z.enum(['first', 'second', 'neither']),
  margin: z.enum(['slight', 'clear']).nullable(),
  confidence: z.number().nullable(),
});

/** The schema of a comparing judge's reply, for models with structured output; each call adds its code. */
export const COMPARISON_REPLY = replySchema('comparison', comparisonReply);

/** The prompt of a judge that compares. Neither text is marked as the candidate. */
export function comparisonPrompt(other: Json, input: EvaluationInput): ChatMessage[] {
  const shown = [input.output, other].map((each) => textOf(withoutAttachments(each)));
  const [first = '', second = ''] = input.candidate === 'second' ? shown.toReversed() : shown;
  return judgeMessages(comparisonText(input.structured), [
    QUESTION,
    ...taskPart(input),
    ...inputsPart(input),
    `FIRST:\n${fenceText('FIRST', first)}`,
    `SECOND:\n${fenceText('SECOND', second)}`,
  ]);
}

export function comparisonText(structured: boolean): string {
  if (structured) {
    return [
      'Reply with one JSON object and nothing else. Its fields, in this order:',
      `- ${CODE_FIELD}`,
      '- reason: what decides it, in one to three sentences',
      '- faults_first, faults_second: lists of what is wrong with each, which may be empty',
      '- better: first, second or neither',
      '- margin: slight or clear; null for neither',
      CONFIDENCE_WORDS,
    ].join('\n');
  }
  return [
    'Explain your judgement, then end your reply with these lines:',
    CODE_FIELD,
    'Better: the word first, second or neither',
    'Margin: the word slight or clear',
  ].join('\n');
}
