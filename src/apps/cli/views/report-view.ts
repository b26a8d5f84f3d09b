import pc from 'picocolors';
import type { IssueStory, ReflectionReport } from '../../../loop/contract/report';
import type { ReflectionResult } from '../../../loop/contract/results';
import { count, oneLine } from './printable';

const MOST_LISTED = 5;
const WIDTH = 100;

const FATES: [IssueStory['fate'], string][] = [
  ['unresolved', 'never moved'],
  ['returned', 'came back'],
  ['left_behind', 'only in versions that were given up'],
  ['resolved', 'resolved'],
];

const FLAGS: Record<ReflectionResult['flags'][number], string> = {
  overcritical:
    'the judge may be too strict: no version satisfied it, although it found little, or something new each time',
  undercritical:
    'the judge may see too little: the draft passed at once with full marks, and no other check looked at it',
};

function fateLine(fate: IssueStory['fate'], words: string, issues: readonly IssueStory[]): string[] {
  const of = issues.filter((issue) => issue.fate === fate);
  if (of.length === 0) return [];
  const named = of.slice(0, MOST_LISTED).map(({ message, firstSeen, lastSeen }) => {
    const seen = firstSeen === lastSeen ? `#${firstSeen}` : `#${firstSeen}–#${lastSeen}`;
    return `    ${oneLine(message, WIDTH)} ${pc.dim(`(${seen})`)}`;
  });
  const more = of.length > MOST_LISTED ? [pc.dim(`    and ${of.length - MOST_LISTED} more`)] : [];
  return [`  ${count(of.length, 'issue')} ${words}:`, ...named, ...more];
}

function boughtLines({ iterations }: ReflectionReport): string[] {
  return iterations.slice(1).map(({ iteration, basedOn, scoreChange, issuesResolved, issuesNew, totalTokens }) => {
    const change =
      scoreChange === null ? 'no score' : `${scoreChange < 0 ? '−' : '+'}${Math.abs(scoreChange).toFixed(2)}`;
    const from = basedOn === undefined ? '' : ` from #${basedOn}`;
    return `  #${iteration}${from}: ${change}, ${count(issuesResolved, 'issue')} resolved, ${issuesNew} new, for ${count(totalTokens, 'token')}`;
  });
}

/** Renders the report of a result: what the run bought, and its judge. Empty if there was nothing to do. */
export function reportText({ report, flags }: Pick<ReflectionResult, 'report' | 'flags'>): string[] {
  const bought = boughtLines(report);
  const fates = FATES.flatMap(([fate, words]) => fateLine(fate, words, report.issues));
  const omitted = report.issuesOmitted > 0 ? [pc.dim(`  ${count(report.issuesOmitted, 'issue')} not told of`)] : [];
  return [
    ...(bought.length > 0 ? ['What each iteration bought:', ...bought] : []),
    ...(fates.length > 0 ? ['What became of the issues:', ...fates, ...omitted] : []),
    ...flags.map((flag) => pc.yellow(`${flag}: ${FLAGS[flag]}`)),
  ];
}
