import { isSaid } from '../replies/nothing';
import { isProblem, type JudgeProblem } from '../replies/problem';
import { labelOf, type LineBlock, type LineRole } from '../replies/line-blocks';
import type { ReplyLine } from '../replies/reply-lines';
import { readScore } from '../replies/scores';
import { readVerdict } from '../replies/words';
import { words } from '../word-list';
import { type JudgeFields, readIssue, severest } from './judge-fields';
import { shareOf } from './named-values';

const PREFIX = /^(?:(?:final|overall|my|the|quality|your) )+(?=.)/;
const VERDICTS = words('verdict valid pass passed');
const SECTIONS: Record<string, { name: string; isList: boolean }> = {
  reason: { name: 'reason', isList: false },
  issues: { name: 'issues', isList: true },
  suggestions: { name: 'suggestions', isList: true },
  confidence: { name: 'other', isList: false },
};
const MAX_REASON = 1_000;
const MAX_LISTED = 50;

/**
 * Returns the role of a line for a reader of verdicts: only labelled lines count, and prose that happens to say
 * "approved" decides nothing.
 */
export function verdictRole(line: ReplyLine): LineRole | undefined {
  const label = labelOf(line);
  if (!label) return undefined;
  const { value } = label;
  const name = label.name.replace(PREFIX, '');
  if (Object.hasOwn(SECTIONS, name) && (name !== 'confidence' || shareOf(value) !== undefined))
    return { kind: 'section', ...SECTIONS[name]!, value };
  if (VERDICTS.has(name)) return { kind: 'field', key: 'verdict', value };
  if (name === 'score') return { kind: 'field', key: 'score', value };
  // Another verdict: a label such as "expected" or "of the draft" leaves open which text it judges.
  const isOther = value !== '' && (/\bverdict\b/.test(name) || !isProblem(readVerdict(value)));
  return isOther ? { kind: 'field', key: 'verdict', value: label.name, isLoose: true } : undefined;
}

/** Reads the fields of labelled lines, such as `Verdict: fail` and `Score: 0.7`. */
export function fieldsOfLines({ fields, sections }: LineBlock): JudgeFields | JudgeProblem {
  const [verdict, number] = [fields.get('verdict'), fields.get('score')];
  const valid = verdict === undefined ? undefined : readVerdict(verdict);
  if (isProblem(valid)) return valid;
  const score = number === undefined || !isSaid(number) ? undefined : readScore(number);
  if (isProblem(score)) return score;
  const reason = sections.get('reason')?.join(' ').slice(0, MAX_REASON) || undefined;
  const issues = keepEntries(sections.get('issues'));
  const suggestions = keepEntries(sections.get('suggestions'));
  return { valid, score, reason, issues: issues.flatMap(readIssue), suggestions, severe: severest(issues) };
}

function keepEntries(lines: readonly string[] = []): string[] {
  return lines.filter(isSaid).slice(0, MAX_LISTED);
}
