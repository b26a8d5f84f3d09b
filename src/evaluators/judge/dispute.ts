import { textOf } from '../../lib/json/json';
import { fenceText } from '../../lib/templates/fence';
import { withoutAttachments } from '../../lib/text/attachment-text';
import type { LlmEvaluator } from '../../loop/contract/evaluators';
import type { EvaluationInput } from '../types';
import { COMPARISON_REPLY, comparisonText } from './comparison-prompt';
import { readComparison } from './comparison-reply';
import { makeJudge } from './judge-call';
import { evidenceShown, inputsPart, judgeMessages, type JudgePrompt, taskPart } from './judge-prompt';

const QUESTION = [
  'Two people disagree about a place of the output. Which position is right about it, by what the task asks for: FIRST, SECOND or neither?',
  'The order of the two says nothing. A fault that has to be repaired is one that the reader of the output would be harmed or hindered by.',
].join('\n');

function disputePrompt(_config: LlmEvaluator, input: EvaluationInput): JudgePrompt {
  const { claim = '', reply = '' } = input.dispute ?? {};
  const [first, second] = input.candidate === 'second' ? [reply, claim] : [claim, reply];
  const shown = evidenceShown(input);
  const parts = [
    QUESTION,
    ...taskPart(input),
    ...inputsPart(input),
    ...(shown === undefined ? [] : [`Calls that were made for the output:\n${fenceText('EVIDENCE', shown)}`]),
    `The output:\n${fenceText('OUTPUT', textOf(withoutAttachments(input.output)))}`,
    `FIRST:\n${fenceText('FIRST', first)}`,
    `SECOND:\n${fenceText('SECOND', second)}`,
  ];
  return { messages: judgeMessages(comparisonText(input.structured), parts), warnings: [] };
}

/** Asks a model which of two positions about a finding is right; the score is that of the finding, above a half if it is right. */
export const disputeJudge = makeJudge<LlmEvaluator>({
  form: COMPARISON_REPLY,
  question: 'Which position is right: FIRST, SECOND or neither?',
  contract: (_config, { structured }) => comparisonText(structured),
  prompt: disputePrompt,
  read: (text, asked, { name, type }, { candidate = 'first' }) =>
    readComparison(text, candidate, 'the other position', name ?? type, asked),
});
