import { z } from 'zod';
import { MOST_PARTS } from '../base/maxima';
import { partsOf, partTree } from '../spec/evaluator-parts';
import { type Evaluator, evaluator, evaluatorList } from './evaluators';
import { addJsonSchemaHints } from '../../lib/contract/json-schema-hints';
import { passOn } from '../../lib/contract/values';

/** Counts the calls that one evaluation with these evaluators makes. */
export function callsOf(evaluators: Evaluator | Evaluator[], votes = 1): number {
  return [evaluators].flat().reduce((sum, each) => sum + partsOf(partTree(each, votes)).length, 0);
}

/** Describes the problem of too many calls; undefined when there is none. */
export function describeTooManyCalls(calls: number): string | undefined {
  if (calls <= MOST_PARTS) return undefined;
  return `one evaluation would make ${calls} calls (evaluators, their parts, votes and orders); at most ${MOST_PARTS}`;
}

/** One evaluator or several. */
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
