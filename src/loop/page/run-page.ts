import { LOOP_DEFAULTS } from '../base/defaults';
import { renderFailureLine, renderKeptPage } from './kept-page';
import { escapeMarkdown, joinParagraphs, OUTCOME_MARK, renderCodeBlock } from './markdown';
import { needsOf } from '../evaluation/blockers';
import { callLine } from '../evidence/evidence-text';
import { mean } from '../evaluation/scores';
import { extendedBudget, iterationLimit, spendingText } from '../limits/budget';
import { describePhase } from './progress';
import type { PersonEntry, Phase } from '../contract/results';
import type { Outcome, ReflectionEvaluation } from '../contract/evaluation';
import type { LoopSettings } from '../state/loop-settings';
import { bestSoFar, currentIteration, type LoopState, type ReflectionVersion } from '../state/loop-state';
import { fateOf, wordsOf } from '../state/command-log';
import { openWaits } from '../state/parking';
import { renderAnswerCommands, renderAnswerDeadline, renderOpenWaits } from './open-wait-lines';
import { reviewedVersion } from '../commands/available';
import { reviewLines } from '../commands/review-lines';
import { hasSettled } from '../state/success';
import { scoreText, summaryText } from '../../lib/text/summary-text';
import {
  renderChangeLines,
  renderChangesTitle,
  type TextBounds,
  type TextToAccept,
  textToAccept,
} from './text-to-accept';
import { renderCount } from '../../lib/text/counted';
import { roundPercent } from '../../lib/text/percent';

const ROWS = 30;
const NOTES = 5;
const CALLS = 6;
const CALL_LENGTH = 120;
const ISSUE_LENGTH = 80;
const CHANGE_LENGTH = 200;
const NEED_LENGTH = 300;
const PAGE_BOUNDS: TextBounds = { lines: 24, lineCharacters: 400, characters: 2_400, changes: 12 };
const KEPT_BOUNDS: TextBounds = { lines: 10, lineCharacters: 120, characters: 700, changes: 4 };

function changeText(score: number | null, before: number | null | undefined): string {
  if (score === null || before === null || before === undefined) return '';
  const change = score - before;
  if (Math.abs(change) < 0.005) return ' (±0)';
  return ` (${change > 0 ? '+' : '−'}${Math.abs(change).toFixed(2)})`;
}

function checksText({ evaluators }: ReflectionEvaluation): string {
  const count = (outcome: Outcome): number => evaluators.filter((evaluator) => evaluator.outcome === outcome).length;
  const shares = evaluators.flatMap((evaluator) => evaluator.checksPassed ?? []);
  return `${count('pass')} ✓ ${count('fail')} ✗${shares.length > 0 ? ` (${roundPercent(mean(shares))}%)` : ''}`;
}

function row(version: ReflectionVersion, before: ReflectionVersion | undefined, isBest: boolean, needed?: number) {
  const { evaluation } = version;
  const issue = evaluation.issues[0];
  const cells = [
    `${version.iteration}${isBest ? ' ★' : ''}`,
    `${OUTCOME_MARK[evaluation.outcome]} ${scoreText(evaluation.overallScore, needed)}${changeText(evaluation.overallScore, before?.evaluation.overallScore)}`,
    checksText(evaluation),
    issue
      ? `${escapeMarkdown(issue.message, ISSUE_LENGTH)}${evaluation.issues.length > 1 ? ` (+${evaluation.issues.length - 1})` : ''}`
      : escapeMarkdown(evaluation.reason ?? '', ISSUE_LENGTH),
    String(version.tokenUsage.totalTokens),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Writes the threshold in the line about a run as scores are written that are near it. */
function summaryBeside(summary: string | undefined, { versions }: LoopState, needed: number | undefined) {
  const scores = versions.map(({ evaluation }) => evaluation.overallScore);
  const isNear = scores.some((score) => scoreText(score, needed) !== scoreText(score));
  return isNear ? summary?.replace(/≥[\d.]+$/, `≥${needed}`) : summary;
}

function renderPhase(phase: Phase, iteration: number, isAsking = false): string {
  const text = describePhase(phase, iteration, isAsking);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function renderStatusLine(state: LoopState, settings: LoopSettings | undefined, phase: Phase): string {
  const best = bestSoFar(state);
  const score = scoreText(best?.evaluation.overallScore ?? null, settings?.qualityThreshold);
  const bestText = best ? ` · best: #${best.iteration} with ${score}` : '';
  const limit = settings ? ` · at most ${renderCount(iterationLimit(settings, state), 'version')}` : '';
  if (state.stopped) {
    const made = state.versions.at(-1)?.iteration ?? 0;
    const end = phase === 'remembering' ? `${renderPhase('remembering', 0)}. It ends with` : 'Ended:';
    const why = settings && hasSettled(state, settings) ? ' (settled: only minor issues are left)' : '';
    return `${end} ${state.stopped.reason} after ${renderCount(made, 'version')}${why}${bestText}`;
  }
  const iteration = phase === 'waiting' && state.review ? reviewedVersion(state.review) : currentIteration(state);
  return `${renderPhase(phase, iteration, openWaits(state).length > 0)}${limit}${bestText}`;
}

function renderInvitation({ commands }: LoopState): string {
  return commands.accept
    ? 'It was accepted, and ends with its draft. Send the signal `abort` to stop before.'
    : 'Send the signal `accept` to end with the best version, or `abort` to stop.';
}

function versionTable({ versions, bestIteration }: LoopState, needed?: number): string[] {
  const first = Math.max(0, versions.length - ROWS);
  const rows = versions
    .slice(first)
    .map((version, offset) => row(version, versions[first + offset - 1], version.iteration === bestIteration, needed));
  return ['| # | score | checks | top issue | tokens |', '|:--|:--|:--|:--|--:|', ...rows];
}

function describeHiddenVersions({ versions }: LoopState): string | undefined {
  const count = (versions.at(-ROWS) ?? versions[0])?.iteration ?? 1;
  return count > 1 ? `${count - 1} earlier versions are not shown.` : undefined;
}

function commandLine(entry: PersonEntry): string {
  const who = entry.by ? ` by ${escapeMarkdown(entry.by, 40)}` : '';
  const words = wordsOf(entry);
  const said = words === undefined ? '' : `, “${escapeMarkdown(words, 100)}”`;
  return `- ${entry.at} \`${escapeMarkdown(entry.name, 20)}\`${who} (${entry.via}) ${escapeMarkdown(fateOf(entry), 180)}${said}`;
}

/** The ids that need no quotes, in a shell and in Markdown. */
const PLAIN_ID = /^[\w./:@-]{1,200}$/;

function describeWholeText({ iteration }: TextToAccept, workflowId = ''): string {
  const id = PLAIN_ID.test(workflowId) ? workflowId : 'ID';
  return `The whole text: \`npx reflect show ${id} --output\`, or the query \`history\` with \`{"from":${iteration}}\`.`;
}

function textParagraphs(
  { versions, review }: LoopState,
  workflowId: string | undefined,
): (string | string[] | false)[] {
  const text = review && textToAccept(versions, reviewedVersion(review), PAGE_BOUNDS);
  if (!text) return [];
  const title = renderChangesTitle(text);
  return [
    `**The text of version ${text.iteration}:**`,
    text.head.length > 0 && renderCodeBlock(text.head),
    `${text.missing === undefined ? '' : `Not shown: ${text.missing}. `}${describeWholeText(text, workflowId)}`,
    title ?? false,
    renderChangeLines(text).map((line) => `- ${escapeMarkdown(line, CHANGE_LENGTH)}`),
  ];
}

function needLines(state: LoopState): string[] {
  return needsOf(state).map(({ sentence }) => `- ${escapeMarkdown(sentence, NEED_LENGTH)}`);
}

function waitLines(state: LoopState, settings: LoopSettings): string[] {
  if (openWaits(state).length === 0) return reviewLines(state, settings);
  return [renderAnswerDeadline(state, settings), '', ...renderAnswerCommands(state)];
}

function callParagraphs(version: ReflectionVersion | undefined): (string | string[])[] {
  const { calls = [], iteration } = version ?? {};
  if (calls.length === 0) return [];
  const shown = calls.slice(-CALLS);
  const of = shown.length < calls.length ? `, the latest ${shown.length} of ${calls.length}` : '';
  const lines = shown.map(
    (call) => `- ${call.outcome === 'ok' ? '✓' : '✗'} ${escapeMarkdown(callLine(call), CALL_LENGTH)}`,
  );
  return [`Calls of version ${iteration}${of}:`, lines];
}

/** The page that the server keeps says least about signals: a person who decides needs a worker's page anyway. */
export function renderKeptRunPage(
  state: LoopState,
  settings: LoopSettings | undefined,
  phase: Phase,
  { summary, failure }: { summary?: string; failure?: string } = {},
): string[] {
  const { stopped, versions, review } = state;
  const isWaiting = phase === 'waiting' && !stopped && failure === undefined;
  const text = isWaiting && review ? textToAccept(versions, reviewedVersion(review), KEPT_BOUNDS) : undefined;
  const page = joinParagraphs([
    failure === undefined ? `**${renderStatusLine(state, settings, phase)}**` : renderFailureLine(failure),
    summaryBeside(summary, state, settings?.qualityThreshold),
    isWaiting && settings && waitLines(state, settings)[0],
    needLines(state),
    stopped?.unanswered && 'Nobody answered the review in time, so the run fails.',
    stopped?.message && escapeMarkdown(stopped.message, 400),
    versions.length > 0 && versionTable(state, settings?.qualityThreshold),
    describeHiddenVersions(state),
    spendingText(state.tokenUsage, extendedBudget(settings?.budget, state.extended)),
    ...(isWaiting ? renderOpenWaits(state) : []),
    ...state.people.slice(-NOTES).map(commandLine),
  ]);
  if (!text) return renderKeptPage(page);
  const title = renderChangesTitle(text);
  const missing = text.missing === undefined ? [] : [`(not shown: ${text.missing})`];
  return renderKeptPage(page, [
    `The text of version ${text.iteration}:`,
    ...text.head,
    ...missing,
    ...(title === undefined ? [] : ['', title]),
    ...renderChangeLines(text),
  ]);
}

interface AboutRun {
  summary?: string;
  workflowId?: string;
}

export function renderRunPage(
  state: LoopState,
  settings: LoopSettings | undefined,
  phase: Phase,
  { summary, workflowId }: AboutRun = {},
): string {
  const { stopped, versions } = state;
  const isWaiting = phase === 'waiting' && !stopped;
  // The lines are: when the review ends, an empty line, and the commands. The text to decide on goes between them.
  const review = isWaiting && settings ? waitLines(state, settings) : [];
  return joinParagraphs([
    `**${renderStatusLine(state, settings, phase)}**`,
    summaryBeside(summary, state, settings?.qualityThreshold),
    review[0],
    needLines(state),
    ...(isWaiting ? [...renderOpenWaits(state), ...textParagraphs(state, workflowId)] : []),
    review.slice(2),
    stopped?.unanswered && 'Nobody answered the review in time, so the run fails.',
    stopped?.message && escapeMarkdown(stopped.message, 400),
    versions.length > 0 && versionTable(state, settings?.qualityThreshold),
    describeHiddenVersions(state),
    ...callParagraphs(versions.at(-1)),
    spendingText(state.tokenUsage, extendedBudget(settings?.budget, state.extended)),
    !stopped && !isWaiting && renderInvitation(state),
    phase === 'remembering' && 'Send the signal `abort` to end without waiting for that.',
    ...state.people.slice(-NOTES).map(commandLine),
  ]);
}

/** @param spec may be a result of a pipeline's templates, which the run itself is the first to check */
export function renderSummaryLine(spec: {
  name?: unknown;
  maxIterations?: unknown;
  qualityThreshold?: unknown;
}): string {
  const numberOf = (key: 'maxIterations' | 'qualityThreshold'): number => {
    const value = spec[key];
    return typeof value === 'number' ? value : LOOP_DEFAULTS[key];
  };
  const name = escapeMarkdown(typeof spec.name === 'string' ? spec.name : 'reflection', 60);
  return summaryText(`${name} · ≤${numberOf('maxIterations')} · ≥${numberOf('qualityThreshold').toFixed(2)}`);
}
