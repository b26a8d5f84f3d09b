import { evaluatorTraits } from '../../../loop/spec/evaluator-traits';
import pc from 'picocolors';
import type { Issue, Outcome, ReflectionEvaluation } from '../../../loop/contract/evaluation';
import { blockerOf } from '../../../loop/evaluation/blockers';
import { readablePath } from '../../../lib/json/json-pointer';
import { scoreText } from '../../../lib/text/summary-text';
import type { ReflectionVersion } from '../../../loop/state/loop-state';
import { listChanges } from '../../../loop/page/changes';
import { count, oneLine, printable } from './printable';
import { floorPercent } from '../../../lib/text/percent';

const SHOWN_ISSUES = 5;
const SHOWN_CHANGES = 5;
const FIXED_LENGTH = 100;

export const OUTCOME: Record<Outcome, string> = {
  pass: pc.green('✓ pass'),
  fail: pc.red('✗ fail'),
  inconclusive: pc.yellow('? inconclusive'),
};

export function issueText(
  issue: Pick<Issue, 'path' | 'message' | 'blocker' | 'missingInformation'>,
  limit = 160,
): string {
  const { path, message } = issue;
  const place = path === undefined ? '' : readablePath(path);
  const blocker = blockerOf(issue);
  const needed = blocker === undefined ? '' : `[${blocker}] `;
  // Evaluators that know the place mostly say it.
  const text = place === '' || message.includes(place) ? message : `${place}: ${message}`;
  return oneLine(`${needed}${text}`, limit);
}

export function versionLines(version: ReflectionVersion, before: ReflectionVersion | undefined): string[] {
  const { evaluation, tokenUsage } = version;
  const score = evaluation.overallScore;
  const head = [
    pc.bold(`#${version.iteration}`),
    OUTCOME[evaluation.outcome],
    `score ${scoreText(score)}${change(score, before?.evaluation.overallScore)}`,
    ...checksText(evaluation),
    pc.dim(version.origin),
    ...(tokenUsage.totalTokens > 0 ? [pc.dim(count(tokenUsage.totalTokens, 'token'))] : []),
  ];
  return [
    head.join('  '),
    ...limitLines(
      evaluation.issues.map((issue) => `${pc.red('✗')} ${issueText(issue)}`),
      SHOWN_ISSUES,
      'more failed',
    ),
    ...(evaluation.issues.length === 0 && evaluation.reason ? [`  ${oneLine(evaluation.reason)}`] : []),
    ...version.warnings.map((warning) => `  ${pc.yellow('!')} ${oneLine(warning)}`),
    ...changeLines(version, before),
  ];
}

/** Share of the checks of schemas and of rules about calls that passed; empty where all hold. */
function checksText({ evaluators }: ReflectionEvaluation): string[] {
  return [true, false].flatMap((ofCalls) => {
    const some = evaluators.filter(({ type }) => (evaluatorTraits(type).evidence === 'checked') === ofCalls);
    const shares = some.flatMap(({ checksPassed }) => checksPassed ?? []);
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
    const what = ofCalls ? 'the rules about calls hold' : 'the schema holds';
    return mean < 1 ? [`${floorPercent(mean)}% of ${what}`] : [];
  });
}

function change(score: number | null, before: number | null | undefined): string {
  if (score === null || before === null || before === undefined || Math.abs(score - before) < 0.005) return '';
  return score > before ? pc.green(` (+${(score - before).toFixed(2)})`) : pc.red(` (−${(before - score).toFixed(2)})`);
}

function changeLines(version: ReflectionVersion, before: ReflectionVersion | undefined): string[] {
  if (!before) return [];
  const fixed = version.improvementsApplied.map((issue) => `${pc.green('fixed')} ${oneLine(issue, FIXED_LENGTH)}`);
  const outputsKept = version.omittedBytes === undefined && before.omittedBytes === undefined;
  const changes = outputsKept ? listChanges(before.output, version.output) : [];
  const unchanged = outputsKept && changes.length === 0 ? [`  ${pc.yellow('nothing changed')}`] : [];
  return [
    ...limitLines(fixed, SHOWN_ISSUES, 'more fixed'),
    ...limitLines(
      changes.map((text) => `${pc.dim('changed')} ${printable(text)}`),
      SHOWN_CHANGES,
      'more changes',
    ),
    ...unchanged,
  ];
}

function limitLines(lines: string[], limit: number, rest: string): string[] {
  const shown = lines.slice(0, limit).map((line) => `  ${line}`);
  return lines.length > limit ? [...shown, pc.dim(`    ${lines.length - limit} ${rest}`)] : shown;
}
