import { LOOP_DEFAULTS } from '../base/defaults';
import { defined } from '../base/defined';
import { spendingText } from '../limits/budget';
import { describePhase, type Phase } from './progress';
import type { Outcome, ReflectionEvaluation } from '../state/evaluation';
import { extendedBudget, iterationLimit } from '../limits/limits';
import type { LoopSettings } from '../state/loop-settings';
import { bestSoFar, currentIteration, type LoopState, type ReflectionVersion } from '../state/loop-state';
import { fateOf, wordsOf } from '../state/command-log';
import { reviewLines } from '../commands/review-lines';
import { scoreText, summaryText } from '../text/summary-text';

/** Rows of the page's table at most; the latest stay. */
const ROWS = 30;
const NOTES = 5;
const ISSUE_LENGTH = 80;

/** An outcome at a glance. */
export const MARK: Record<Outcome, string> = { pass: '✅', fail: '❌', inconclusive: '❔' };

/** Text from outside, made safe for one line of a Markdown list. */
export function plain(text: string, limit: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const short = line.length > limit ? `${line.slice(0, limit - 1)}…` : line;
  return short
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*_{}[\]()#|!~]/g, '\\$&');
}

function changeText(score: number | null, before: number | null | undefined): string {
  if (score === null || before === null || before === undefined) return '';
  const change = score - before;
  if (Math.abs(change) < 0.005) return ' (±0)';
  return ` (${change > 0 ? '+' : '−'}${Math.abs(change).toFixed(2)})`;
}

function checksText({ evaluators }: ReflectionEvaluation): string {
  const count = (outcome: Outcome): number => evaluators.filter((evaluator) => evaluator.outcome === outcome).length;
  const shares = evaluators.flatMap((evaluator) => evaluator.checksPassed ?? []);
  const share = shares.reduce((sum, each) => sum + each, 0) / shares.length;
  return `${count('pass')} ✓ ${count('fail')} ✗${shares.length > 0 ? ` (${Math.round(share * 100)}%)` : ''}`;
}

function row(version: ReflectionVersion, before: ReflectionVersion | undefined, isBest: boolean): string {
  const { evaluation } = version;
  const issue = evaluation.issues[0];
  const cells = [
    `${version.iteration}${isBest ? ' ★' : ''}`,
    `${MARK[evaluation.outcome]} ${scoreText(evaluation.overallScore)}${changeText(evaluation.overallScore, before?.evaluation.overallScore)}`,
    checksText(evaluation),
    issue
      ? `${plain(issue.message, ISSUE_LENGTH)}${evaluation.issues.length > 1 ? ` (+${evaluation.issues.length - 1})` : ''}`
      : plain(evaluation.reason ?? '', ISSUE_LENGTH),
    String(version.tokenUsage.totalTokens),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** What a run is doing, as the beginning of a line. */
function begun(phase: Phase, iteration: number): string {
  const text = describePhase(phase, iteration);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** The line that says where a run stands. */
export function statusLine(state: LoopState, settings: LoopSettings | undefined, phase: Phase): string {
  const best = bestSoFar(state);
  const bestText = best ? ` · best: #${best.iteration} with ${scoreText(best.evaluation.overallScore)}` : '';
  const limit = settings ? ` · at most ${iterationLimit(settings, state)} versions` : '';
  if (state.stopped) {
    const made = state.versions.at(-1)?.iteration ?? 0;
    const end = phase === 'remembering' ? `${begun('remembering', 0)}. It ends with` : 'Ended:';
    return `${end} ${state.stopped.reason} after ${made} ${made === 1 ? 'version' : 'versions'}${bestText}`;
  }
  return `${begun(phase, currentIteration(state))}${limit}${bestText}`;
}

/** What can be sent to a run that is at work. */
function invitation({ commands }: LoopState): string {
  return commands.accept
    ? 'It was accepted, and ends with its draft. Send the signal `abort` to stop before.'
    : 'Send the signal `accept` to end with the best version, or `abort` to stop.';
}

/** The run's current details in Markdown, for the Temporal Web UI. */
export function runPage(state: LoopState, settings: LoopSettings | undefined, phase: Phase, summary?: string): string {
  const lines = [`**${statusLine(state, settings, phase)}**`];
  if (summary !== undefined) lines.push('', summary);
  if (phase === 'waiting' && !state.stopped && settings) lines.push('', ...reviewLines(state, settings));
  if (state.stopped?.unanswered) lines.push('', 'Nobody answered the review in time, so the run fails.');
  if (state.stopped?.message) lines.push('', plain(state.stopped.message, 400));
  if (state.versions.length > 0) {
    lines.push('', '| # | score | checks | top issue | tokens |', '|:--|:--|:--|:--|--:|');
    const first = Math.max(0, state.versions.length - ROWS);
    for (const [offset, version] of state.versions.slice(first).entries()) {
      lines.push(row(version, state.versions[first + offset - 1], version.iteration === state.bestIteration));
    }
    const hidden = (state.versions[first]?.iteration ?? 1) - 1;
    if (hidden > 0) lines.push('', `${hidden} earlier versions are not shown.`);
  }
  lines.push('', spendingText(state.tokenUsage, extendedBudget(settings?.budget, state.extended)));
  if (!state.stopped && phase !== 'waiting') {
    lines.push('', invitation(state));
  }
  if (phase === 'remembering') lines.push('', 'Send the signal `abort` to end without waiting for that.');
  for (const entry of state.people.slice(-NOTES)) {
    const who = entry.by ? ` by ${plain(entry.by, 40)}` : '';
    const words = wordsOf(entry);
    const said = words === undefined ? '' : `, “${plain(words, 100)}”`;
    lines.push(
      '',
      `- ${entry.at} \`${plain(entry.name, 20)}\`${who} (${entry.via}) ${plain(fateOf(entry), 180)}${said}`,
    );
  }
  return lines.join('\n');
}

/** One line about a run, as the run list shows it. */
export function summaryLine(spec: { name?: string; maxIterations?: number; qualityThreshold?: number }): string {
  const name = plain(spec.name ?? 'reflection', 60);
  const { maxIterations, qualityThreshold } = { ...LOOP_DEFAULTS, ...defined(spec) };
  return summaryText(`${name} · ≤${maxIterations} · ≥${qualityThreshold.toFixed(2)}`);
}
