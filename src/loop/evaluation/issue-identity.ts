import { digest } from '../../lib/base/hash';
import { wellCut } from '../../lib/names/protocol-text';
import { foldText } from '../../lib/text/similarity';
import type { Issue } from '../contract/evaluation';
import { evaluatorTraits } from '../spec/evaluator-traits';
import { QUESTION_TYPE, SCORE_TYPE, type Verdict } from '../state/evaluation';

const LONGEST = 120;

/** The maximum number of characters of a message in which values are found; what follows counts as it is. */
const MOST_CHARACTERS = 2_000;
/** The maximum number of characters of a message that are compared; of the others, only the number counts. */
const MOST_COMPARED = 10_000;

/** Values in quotation marks. No part matches an opening mark, so that marks which are never closed take no time. */
const QUOTED = /"[^"]*"|`[^`]*`|“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»|(?<![\p{L}\p{N}])['‘][^'‘’]*['’](?!\p{L})/gu;
const NUMBER = /[-+]?\d[\d.,:/%]*/g;
const COUNTED = /0 (\p{L}{2,}?)s(?!\p{L})/gu;

/** Removes the values that a message names, which change: numbers, quotes, case and spacing. */
function withoutValues(message: string): string {
  const text = message.slice(0, MOST_CHARACTERS);
  const compared = message.slice(MOST_CHARACTERS, MOST_COMPARED);
  const more = message.length > MOST_COMPARED ? `+${message.length - MOST_COMPARED}` : '';
  const rest = compared === '' ? '' : ` ~${digest(compared)}${more}`;
  return foldText(text.replace(QUOTED, '""')).replace(NUMBER, '0').replace(COUNTED, '0 $1') + rest;
}

/** Place and rule, or the question; the message as well without a rule, and for code that names no place. */
function marksOf({ path = '', type, criterion = '', message }: Issue, evaluatorType: string): string[] {
  if (type?.startsWith(QUESTION_TYPE)) return [criterion, type];
  const isRule =
    type !== undefined && type !== SCORE_TYPE && (path !== '' || evaluatorTraits(evaluatorType).namesRules);
  return isRule ? [path, type] : [path, type ?? '', criterion, withoutValues(message)];
}

function shorten(identity: string): string {
  if (identity.length <= LONGEST) return identity;
  const end = `~${digest(identity)}`;
  return `${wellCut(identity.slice(0, LONGEST - end.length))}${end}`;
}

function joinMarks(marks: readonly string[]): string {
  const text = marks.filter((mark) => mark !== '').join(' · ');
  return shorten(text.replace(/\s+/g, ' '));
}

export function identifyIssue(issue: Issue, { name, type }: Pick<Verdict, 'name' | 'type'>): Issue {
  return { ...issue, identity: joinMarks([name, ...marksOf(issue, type)]) };
}

/** Assigns an issue of a part of a criteria evaluator to its criterion: all of these parts have the name of the evaluator. */
export function assignIssue(issue: Issue, criterion: string): Issue {
  const { identity } = issue;
  return { ...issue, criterion, ...(identity !== undefined && { identity: joinMarks([criterion, identity]) }) };
}

/** Numbers the issues of one version that share an identity, in their order. Issues without an identity stay as they are. */
export function separateIssues(issues: readonly Issue[]): Issue[] {
  const taken = new Set<string>();
  return issues.map((issue) => {
    if (issue.identity === undefined) return issue;
    let identity = issue.identity;
    for (let number = 2; taken.has(identity); number += 1) identity = `${issue.identity} #${number}`;
    taken.add(identity);
    return identity === issue.identity ? issue : { ...issue, identity };
  });
}
