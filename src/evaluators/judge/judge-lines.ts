import { isProblem, type JudgeProblem } from '../replies/problem';
import { labelOf, type LineBlock, type LineRole } from '../replies/line-blocks';
import type { ReplyLine } from '../replies/reply-lines';
import { readScore } from '../replies/scores';
import { isVerdictWord, readVerdict } from '../replies/words';
import { words } from '../word-list';
import { type JudgeFields, readIssue, severest } from './judge-fields';

const PREFIX = /^(?:(?:final|overall|my|the|quality|your) )+(?=.)/;
const VERDICTS = words(
  `verdict outcome decision valid is valid isvalid pass passed satisfactory approved accepted acceptable urteil entscheidung gültig valide
   veredicto válido verdetto valido veredito`,
);
/** They name other things as well: only a verdict behind them makes them count. */
const LOOSE_VERDICTS = words(
  'result judgement judgment answer conclusion assessment evaluation ergebnis résultat resultado risultato',
);
const SCORES = words('score punktzahl puntuación punteggio pontuação');
const LOOSE_SCORES = words('rating grade mark note nota bewertung calificación');
const SECTIONS: readonly [string, ReadonlySet<string>][] = [
  ['reason', words('reason reasoning feedback explanation')],
  ['issues', words('issues problems errors')],
  ['suggestions', words('suggestions improvements')],
  ['other', words('confidence')],
];
/** A line that still offers the choice was copied from the instructions. */
const CHOICE = /^(?:(?:the word )?\w+,?\s*(?:\bor\b|\/|\|)\s*(?:the word )?\w+|(?:a number )?\S+ (?:to|and) \S+)\W*$/i;
const OFFERED = /\b(?:pass|valid|true|yes)\b.*\b(?:fail|invalid|false|no)\b|between|^0(?:\.0)? to 1/i;
const NOTHING = /^(?:none|no issues|no problems|nothing|n\/a|null|unknown|-)\.?$/i;
const MAX_REASON = 1_000;

/** What a line is to a reader of verdicts: only labelled lines count, prose that happens to say "approved" decides nothing. */
export function verdictRole(line: ReplyLine): LineRole | undefined {
  const label = labelOf(line);
  if (!label) return undefined;
  const name = label.name === 'is valid' ? 'valid' : label.name.replace(PREFIX, '');
  const { value } = label;
  const section = SECTIONS.find(([, names]) => names.has(name));
  if (section) return { kind: 'section', name: section[0], value };
  const key = keyOf(name, value);
  // Whose verdict such a line tells, "expected" or "of the draft", is open.
  if (key === undefined)
    return /\bverdict\b/.test(name) ? { kind: 'field', key: 'verdict', value: label.name } : undefined;
  const isOffer = (CHOICE.test(value) && OFFERED.test(value)) || (key === 'score' && NOTHING.test(value));
  return isOffer ? { kind: 'ignored' } : { kind: 'field', key, value };
}

function keyOf(name: string, value: string): string | undefined {
  if (VERDICTS.has(name)) return 'verdict';
  if (SCORES.has(name)) return 'score';
  if (LOOSE_SCORES.has(name)) return isProblem(readScore(value)) ? undefined : 'score';
  const [word = ''] = /\p{L}+/u.exec(value) ?? [];
  return LOOSE_VERDICTS.has(name) && isVerdictWord(word) ? 'verdict' : undefined;
}

/** What labelled lines say, such as `Verdict: fail` and `Score: 0.7`. */
export function fieldsOfLines({ fields, sections }: LineBlock): JudgeFields | JudgeProblem {
  const [verdict, number] = [fields.get('verdict'), fields.get('score')];
  const valid = verdict === undefined ? undefined : readVerdict(verdict);
  if (isProblem(valid)) return valid;
  const score = number === undefined ? undefined : readScore(number);
  if (isProblem(score)) return score;
  const issues = listed(sections.get('issues'));
  return {
    valid,
    score,
    reason: (sections.get('reason')?.join(' ') ?? '').slice(0, MAX_REASON),
    issues: issues.flatMap(readIssue),
    suggestions: listed(sections.get('suggestions')),
    severe: severest(issues),
  };
}

function listed(lines: readonly string[] = []): string[] {
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== '' && !NOTHING.test(line))
    .slice(0, 50);
}
