import type { JudgeFields, JudgeProblem } from './judge-fields';
import { isProblem, readIssue, readScore, readVerdict } from './judge-fields';

const VERDICT =
  /^(?:(?:final|overall) )?(?:verdict|outcome|decision|valid|pass|passed|satisfactory)\s{0,5}[:=]\s{0,5}(.+)$/i;
const SCORE = /^(?:(?:final|overall|quality) )?score\s{0,5}[:=]\s{0,5}(.+)$/i;
const SECTION =
  /^(reason|reasoning|feedback|explanation|issues|problems|errors|suggestions|improvements)\s{0,5}:\s*(.*)$/i;
/** A line that still offers the choice was copied from the instructions. */
const CHOICE = /^[\w.]+\s*(?:\bor\b|\bto\b|[|/–-]\s*(?!\d))/i;
const NOTHING = /^(?:none|no issues|no problems|nothing|n\/a|-)\.?$/i;
const MAX_REASON = 1_000;
/** What is longer is no line; patterns with several ways to read one would try them all. */
const MAX_LINE = 4_000;

type Section = 'reason' | 'issues' | 'suggestions';

/**
 * Reads a judgement that was written as lines, such as `Verdict: fail` and `Score: 0.7`. Only such lines count: prose that
 * happens to say "approved" decides nothing.
 */
export function readLines(text: string): JudgeFields | JudgeProblem {
  const verdicts = new Set<boolean>();
  const scores = new Set<number>();
  const sections: Record<Section, string[]> = { reason: [], issues: [], suggestions: [] };
  let section: Section | undefined;
  for (const raw of text.split('\n')) {
    const line = raw
      .slice(0, MAX_LINE)
      .replace(/[*_`#>]/g, '')
      .trim();
    const verdict = VERDICT.exec(line)?.[1];
    const score = SCORE.exec(line)?.[1];
    const heading = SECTION.exec(line);
    if (verdict !== undefined || score !== undefined) section = undefined;
    if (verdict !== undefined && !CHOICE.test(verdict)) {
      const read = readVerdict(/^\w+/.exec(verdict)?.[0] ?? '');
      if (isProblem(read)) return read;
      verdicts.add(read);
    } else if (score !== undefined && !CHOICE.test(score) && !NOTHING.test(score)) {
      const read = readScore(score);
      if (isProblem(read)) return read;
      scores.add(read);
    } else if (heading) {
      section = sectionNamed(heading[1]!);
      if (heading[2]) sections[section].push(heading[2]);
    } else if (section && line !== '') sections[section].push(line);
  }
  if (verdicts.size > 1 || scores.size > 1) return { problem: 'it has more than one verdict or score' };
  if (verdicts.size === 0 && scores.size === 0) return { problem: 'it has neither a verdict nor a score' };
  const [valid] = verdicts;
  const [score] = scores;
  return {
    valid,
    score,
    reason: (sections.reason.join(' ') || text.trim()).slice(0, MAX_REASON),
    issues: listed(sections.issues).flatMap(readIssue),
    suggestions: listed(sections.suggestions),
  };
}

function sectionNamed(heading: string): Section {
  const name = heading.toLowerCase();
  if (name === 'issues' || name === 'problems' || name === 'errors') return 'issues';
  return name === 'suggestions' || name === 'improvements' ? 'suggestions' : 'reason';
}

function listed(lines: string[]): string[] {
  return lines
    .map((line) => line.replace(/^(?:[-•+]|\d{1,3}[.)])\s+/, '').trim())
    .filter((line) => line !== '' && !NOTHING.test(line))
    .slice(0, 50);
}
