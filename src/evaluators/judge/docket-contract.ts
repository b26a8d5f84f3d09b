import { z } from 'zod';
import { fenceText } from '../../lib/templates/fence';
import type { ShownFinding } from '../../loop/state/docket';
import type { ReplySchema } from '../../lib/models/types';
import { type DocketWords, judgeIssue, judgeReply } from './judge-contract';
import { replySchema } from './judgement-code';

const QUOTE = 'quote (the exact words of the output that it is about, at most 20; null if there are none)';
const QUOTE_LINE = ', with the exact words of the output that it is about in quotation marks at its end';
const EARLIER =
  'finding (the id of the open finding that it is, such as F1; null for a new one), contradicts (the id of a fixed finding whose ' +
  'repair it asks to take back, or null)';

/** Returns the words of the form of a judge that has reported these findings before. */
export function docketWords(findings: readonly ShownFinding[]): DocketWords {
  if (findings.length === 0) return { ofIssue: QUOTE, ofLine: QUOTE_LINE };
  return {
    ofIssue: `${QUOTE}, ${EARLIER}`,
    ofLine: `${QUOTE_LINE}; an open finding that is still there begins with its id, such as F1`,
    fixed: 'the ids of the open findings that are no longer there',
  };
}

const withQuote = judgeIssue.extend({ quote: z.string().nullable() });
const FIRST = replySchema('judgement', judgeReply.extend({ issues: z.array(withQuote) }));
const LATER = replySchema(
  'judgement',
  judgeReply.extend({
    fixed_findings: z.array(z.string()),
    issues: z.array(withQuote.extend({ finding: z.string().nullable(), contradicts: z.string().nullable() })),
  }),
);

/** Returns the form of the reply of a judge that has reported these findings before. */
export function docketReply(findings: readonly ShownFinding[]): ReplySchema {
  return findings.length === 0 ? FIRST : LATER;
}

const INTRODUCTION = [
  'Findings of yours about earlier versions. Look for each open one first: if it is still there, it is an issue with its id; if not,',
  'its id is among the fixed findings. Then look for new faults. Do not report a waived one (a person lets it be) or one that does not',
  'hold (a second look said so), in other words either. A fixed one was repaired because you asked for it.',
].join('\n');

const STATES = { open: 'open', fixed: 'fixed', waived: 'waived', contested: 'does not hold' } as const;

/** Returns the part of a judge's prompt with its earlier findings. Models wrote them, so that they are material. */
export function findingsPart(findings: readonly ShownFinding[] | undefined): string[] {
  if (!findings || findings.length === 0) return [];
  const lines = findings.map(({ id, message, quote, severity, state }) => {
    const marks = [STATES[state], ...(severity ? [severity] : [])].join(', ');
    return `${id} (${marks}): ${message}${quote ? ` – “${quote}”` : ''}`.replace(/\s+/g, ' ');
  });
  return [`${INTRODUCTION}\n${fenceText('FINDINGS', lines.join('\n'))}`];
}
