import { omitUndefined } from '../../lib/base/defined';
import type { Dispute, Docket, Finding, ShownFinding } from '../state/docket';
import { isDisputed } from './advance';
import { plainText } from './quotes';

/** The most findings of a judge that it is shown: open ones, and others. */
const MOST_OPEN = 30;
const MOST_OTHERS = 15;

/** Returns the findings that a judge is shown: the open ones, and the latest of those that it is not to report again. */
export function shownFindings(docket: Docket | undefined, evaluator: string): ShownFinding[] {
  const own = (docket?.findings ?? []).filter((finding) => finding.evaluator === evaluator);
  const open = own.filter(({ state }) => state === 'open').slice(-MOST_OPEN);
  const others = own.filter(({ state }) => state !== 'open').slice(-MOST_OTHERS);
  return [...open, ...others].map(({ id, message, quote, severity, state }) =>
    omitUndefined({ id, message, quote, severity, state }),
  );
}

function describe({ message, quote }: Pick<Finding, 'message' | 'quote'>): string {
  return plainText(quote === undefined ? message : `${message} (about the words “${quote}”)`);
}

/** Returns the disputes of a docket that were not looked at yet. */
export function disputesIn({ findings, repairs = [] }: Docket): Dispute[] {
  return findings.filter(isDisputed).map((finding) => {
    const { against = {} } = finding;
    return {
      finding: finding.id,
      claim: `This is a fault, and must be repaired: ${describe(finding)}`,
      reply: replyOf(against),
    };
  });

  function replyOf({ finding: id, reason }: NonNullable<Finding['against']>): string {
    if (reason !== undefined) return `This is right as it is: ${plainText(reason)}`;
    const fixed = findings.find((each) => each.id === id);
    const repair = repairs.findLast(({ fixed: ids }) => id !== undefined && ids.includes(id));
    const words = repair ? ` The repair: “${repair.took}” became “${repair.put}”.` : '';
    return `This must stay as it is, because it was made so to repair an earlier fault: ${fixed ? describe(fixed) : ''}${words}`;
  }
}
