import { LOOP_DEFAULTS } from '../base/defaults';
import { markdownText, OUTCOME_MARK, paragraphs } from './markdown';
import { mean } from '../evaluation/scores';
import { spendingText } from '../limits/budget';
import { describePhase, type Phase } from './progress';
import type { Outcome, ReflectionEvaluation } from '../state/evaluation';
import { extendedBudget, iterationLimit } from '../limits/limits';
import type { LoopSettings } from '../state/loop-settings';
import { bestSoFar, currentIteration, type LoopState, type ReflectionVersion } from '../state/loop-state';
import { fateOf, type PersonEntry, wordsOf } from '../state/command-log';
import { reviewLines } from '../commands/review-lines';
import { scoreText, summaryText } from '../text/summary-text';

/** Rows of the page's table at most; the latest stay. */
const ROWS = 30;
const NOTES = 5;
const ISSUE_LENGTH = 80;

function changeText(score: number | null, before: number | null | undefined): string {
  if (score === null || before === null || before === undefined) return '';
  const change = score - before;
  if (Math.abs(change) < 0.005) return ' (±0)';
  return ` (${change > 0 ? '+' : '−'}${Math.abs(change).toFixed(2)})`;
}

function checksText({ evaluators }: ReflectionEvaluation): string {
  const count = (outcome: Outcome): number => evaluators.filter((evaluator) => evaluator.outcome === outcome).length;
  const shares = evaluators.flatMap((evaluator) => evaluator.checksPassed ?? []);
  return `${count('pass')} ✓ ${count('fail')} ✗${shares.length > 0 ? ` (${Math.round(mean(shares) * 100)}%)` : ''}`;
}

function row(version: ReflectionVersion, before: ReflectionVersion | undefined, isBest: boolean): string {
  const { evaluation } = version;
  const issue = evaluation.issues[0];
  const cells = [
    `${version.iteration}${isBest ? ' ★' : ''}`,
    `${OUTCOME_MARK[evaluation.outcome]} ${scoreText(evaluation.overallScore)}${changeText(evaluation.overallScore, before?.evaluation.overallScore)}`,
    checksText(evaluation),
    issue
      ? `${markdownText(issue.message, ISSUE_LENGTH)}${evaluation.issues.length > 1 ? ` (+${evaluation.issues.length - 1})` : ''}`
      : markdownText(evaluation.reason ?? '', ISSUE_LENGTH),
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

function versionTable({ versions, bestIteration }: LoopState): string[] {
  const first = Math.max(0, versions.length - ROWS);
  const rows = versions
    .slice(first)
    .map((version, offset) => row(version, versions[first + offset - 1], version.iteration === bestIteration));
  return ['| # | score | checks | top issue | tokens |', '|:--|:--|:--|:--|--:|', ...rows];
}

function hidden({ versions }: LoopState): string | undefined {
  const count = (versions.at(-ROWS) ?? versions[0])?.iteration ?? 1;
  return count > 1 ? `${count - 1} earlier versions are not shown.` : undefined;
}

function commandLine(entry: PersonEntry): string {
  const who = entry.by ? ` by ${markdownText(entry.by, 40)}` : '';
  const words = wordsOf(entry);
  const said = words === undefined ? '' : `, “${markdownText(words, 100)}”`;
  return `- ${entry.at} \`${markdownText(entry.name, 20)}\`${who} (${entry.via}) ${markdownText(fateOf(entry), 180)}${said}`;
}

/** The run's current details in Markdown, for the Temporal Web UI. */
export function runPage(state: LoopState, settings: LoopSettings | undefined, phase: Phase, summary?: string): string {
  const { stopped, versions } = state;
  const isWaiting = phase === 'waiting' && !stopped;
  return paragraphs([
    `**${statusLine(state, settings, phase)}**`,
    summary,
    isWaiting && settings && reviewLines(state, settings),
    stopped?.unanswered && 'Nobody answered the review in time, so the run fails.',
    stopped?.message && markdownText(stopped.message, 400),
    versions.length > 0 && versionTable(state),
    hidden(state),
    spendingText(state.tokenUsage, extendedBudget(settings?.budget, state.extended)),
    !stopped && !isWaiting && invitation(state),
    phase === 'remembering' && 'Send the signal `abort` to end without waiting for that.',
    ...state.people.slice(-NOTES).map(commandLine),
  ]);
}

/**
 * One line about a run, as the run list shows it.
 *
 * @param spec may be what templates of a pipeline gave, which the run itself is the first to check
 */
export function summaryLine(spec: { name?: unknown; maxIterations?: unknown; qualityThreshold?: unknown }): string {
  const numberOf = (key: 'maxIterations' | 'qualityThreshold'): number => {
    const value = spec[key];
    return typeof value === 'number' ? value : LOOP_DEFAULTS[key];
  };
  const name = markdownText(typeof spec.name === 'string' ? spec.name : 'reflection', 60);
  return summaryText(`${name} · ≤${numberOf('maxIterations')} · ≥${numberOf('qualityThreshold').toFixed(2)}`);
}
