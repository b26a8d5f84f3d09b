import { z } from 'zod';
import { MOST_PARTS } from '../base/maxima';
import { judgeRounds, partsOf, partTree } from '../spec/evaluator-parts';
import { type Evaluator, evaluator, evaluatorList } from './evaluators';
import { addJsonSchemaHints } from '../../lib/contract/json-schema-hints';
import { passOn } from '../../lib/contract/values';

/** Counts the calls that one evaluation with these evaluators makes; a judge with tools counts with all of its rounds. */
export function callsOf(evaluators: Evaluator | Evaluator[], votes = 1): number {
  const parts = [evaluators].flat().flatMap((each) => partsOf(partTree(each, votes)));
  return parts.reduce((sum, { evaluator: each }) => sum + Math.max(1, judgeRounds(each)), 0);
}

export function describeTooManyCalls(calls: number): string | undefined {
  if (calls <= MOST_PARTS) return undefined;
  return `one evaluation would make ${calls} calls (evaluators, their parts, votes, orders and rounds with tools); at most ${MOST_PARTS}`;
}

export const evaluators: z.ZodType<Evaluator | Evaluator[]> = z.unknown().transform((value, context) => {
  const read: Evaluator | Evaluator[] = Array.isArray(value)
    ? passOn<Evaluator[]>(evaluatorList, value, context)
    : passOn<Evaluator>(evaluator, value, context);
  if (read === z.NEVER) return read;
  const message = describeTooManyCalls(callsOf(read));
  if (message !== undefined) context.addIssue({ code: 'custom', message });
  return read;
});
addJsonSchemaHints(evaluators, { forms: () => [evaluator, evaluatorList] });
