import type { Ruled } from '../../../loop/base/rules';
import { omitUndefined } from '../../../lib/base/defined';
import { jsonBytes } from '../../../lib/json/json-bytes';
import type { TokenUsage } from '../../../lib/contract/values';
import type { ReflectionSpec } from '../../../loop/contract/spec';
import type { StepFailure } from '../../../loop/state/loop-state';
import { shortenText } from '../../../loop/step-state/tools';
import { isUnjudged } from '../../../loop/versions/result';
import type { ReflectionResult } from '../../../loop/contract/results';
import { type BatchItem, type BatchPage, type Grant, itemRunId, type PageReport } from './batch';
import type { BatchLine } from '../contract/batch-results';
import { countLine, NO_COUNTS, UNJUDGED } from './counts';

/** Bytes of outputs that a page keeps: together with its items they have to fit into its handover. */
const PAGE_OUTPUT_BYTES = 900_000;
const ITEM_OUTPUT_BYTES = 64_000;
const MESSAGE_CHARACTERS = 1_000;
const LINE_WARNINGS = { most: 3, characters: 300 };

export interface PageState extends Ruled {
  /** Items that have not started, in order. */
  waiting: BatchItem[];
  running: BatchItem[];
  lines: BatchLine[];
  outputBytes: number;
  counts: PageReport['counts'];
  slots: number;
  /** Number of the latest grant; 0: the batch has not begun the page. */
  grant: number;
  /** The state of the latest report to the batch: the number of the grant, and the number of lines. */
  reported: { grant: number; lines: number };
  /** Whether no further item is started, and the page ends. */
  finishing: boolean;
  /** Whether the page has to report to the batch even if nothing changed. */
  mustReport: boolean;
}

function outputBytesOf({ output }: BatchLine): number {
  return output === undefined ? 0 : jsonBytes(output);
}

export function initialPage({ items, done }: Pick<BatchPage, 'items' | 'done'>): PageState {
  return {
    waiting: [...items],
    running: [],
    lines: [...done],
    outputBytes: done.reduce((sum, line) => sum + outputBytesOf(line), 0),
    counts: done.reduce(countLine, NO_COUNTS),
    slots: 0,
    grant: 0,
    reported: { grant: 0, lines: done.length },
    finishing: false,
    mustReport: false,
  };
}

type PageMove = 'start' | 'report' | 'hand_over' | 'end' | 'wait';

interface PageCircumstances {
  isLong: boolean;
  reportEvery: number;
}

/** A page with nothing left to start reports each end: another page can use its slots. */
function isReportDue({ reported, grant, lines, waiting, running, mustReport }: PageState, every: number): boolean {
  if (mustReport || reported.grant !== grant) return true;
  const news = lines.length - reported.lines;
  if (news === 0) return false;
  return news >= every || waiting.length === 0 || running.length === 0;
}

/** Decides the next move of a page. Each move but `wait` changes the state or ends the run. */
export function nextPageMove(state: PageState, { isLong, reportEvery }: PageCircumstances): PageMove {
  const { waiting, running, slots, finishing } = state;
  const rest = isReportDue(state, reportEvery) ? 'report' : 'wait';
  if (finishing && running.length === 0) return rest === 'report' ? rest : 'end';
  if (!finishing && waiting.length > 0 && isLong) {
    if (running.length === 0) return 'hand_over';
  } else if (!finishing && waiting.length > 0 && running.length < slots) return 'start';
  return rest;
}

export function startItem(state: PageState): BatchItem {
  const [item, ...rest] = state.waiting;
  state.waiting = rest;
  state.running.push(item!);
  return item!;
}

/** Records the line of an ended item, with any output if large payloads are stored outside of histories. */
export function recordLine(state: PageState, line: BatchLine, keepsAll: boolean): void {
  state.running = state.running.filter(({ index }) => index !== line.index);
  const bytes = outputBytesOf(line);
  const fits = keepsAll || (bytes <= ITEM_OUTPUT_BYTES && state.outputBytes + bytes <= PAGE_OUTPUT_BYTES);
  if (fits) state.outputBytes += bytes;
  const { output: _output, ...rest } = line;
  state.lines.push(fits ? line : { ...rest, outputOmitted: true });
  state.counts = countLine(state.counts, line);
}

/** The report to the batch. The page has to note it as sent. */
export function reportOf(page: number, state: PageState): PageReport {
  const { waiting, running, grant, counts, finishing } = state;
  return { page, grant, waiting: finishing ? 0 : waiting.length, running: running.length, counts };
}

export function noteReported(state: PageState): void {
  state.reported = { grant: state.grant, lines: state.lines.length };
  state.mustReport = false;
}

/** A failure policy of `raise` becomes `return_best`: a loop that raises would not report its cost. */
export function loopOf(loop: ReflectionSpec, { state }: Pick<BatchItem, 'state'>): ReflectionSpec {
  const onFailure = loop.onFailure === 'raise' ? { onFailure: 'return_best' as const } : {};
  return { ...loop, ...onFailure, state: { ...loop.state, ...state } };
}

const failureOf = ({ type, message }: StepFailure): StepFailure => ({
  type,
  message: message.slice(0, MESSAGE_CHARACTERS),
});

function failureOfLoop(result: ReflectionResult): StepFailure | undefined {
  const { convergenceReason, failure = { type: 'StepFailed', message: 'A step failed.' }, finalEvaluation } = result;
  if (convergenceReason === 'error') return failure;
  if (!isUnjudged(result)) return undefined;
  const why = finalEvaluation?.reason ?? '';
  return { type: UNJUDGED, message: `Nobody could judge its output${why === '' ? '' : `: ${why}`}` };
}

function firstWarnings({ history }: ReflectionResult): string[] | undefined {
  const all = [...new Set(history.versions.flatMap(({ warnings }) => warnings))];
  const first = all.slice(0, LINE_WARNINGS.most).map((text) => shortenText(text, LINE_WARNINGS.characters));
  return first.length === 0 ? undefined : first;
}

export function makeEndedLine(page: BatchPage, { index, id }: BatchItem, result: ReflectionResult): BatchLine {
  const { success, convergenceReason: reason, finalOutput, finalEvaluation, iterationsUsed, tokenUsage } = result;
  const failure = failureOfLoop(result);
  return omitUndefined({
    index,
    id,
    status: success ? ('passed' as const) : failure ? ('failed' as const) : ('not_passed' as const),
    workflowId: itemRunId(page, id),
    output: finalOutput,
    score: finalEvaluation?.overallScore ?? null,
    reason,
    iterations: iterationsUsed,
    tokenUsage,
    warnings: firstWarnings(result),
    error: failure && failureOf(failure),
  });
}

/** Makes the line of an item whose run failed, without `tokenUsage` if the cost is unknown. */
export function makeFailedLine(
  page: BatchPage,
  { index, id }: BatchItem,
  failure: StepFailure,
  tokenUsage?: TokenUsage,
): BatchLine {
  const workflowId = itemRunId(page, id);
  return omitUndefined({ index, id, status: 'failed' as const, workflowId, tokenUsage, error: failureOf(failure) });
}

/** Lists all lines of a page in the order of the input; open items count as not started. */
export function listPageLines(page: Pick<BatchPage, 'batch' | 'attempt'>, state: PageState): BatchLine[] {
  const makeOpenLine = ({ index, id }: BatchItem): BatchLine => ({ index, id, status: 'not_started' });
  const running = state.running.map((item) => ({ ...makeOpenLine(item), workflowId: itemRunId(page, item.id) }));
  const lines = [...state.lines, ...state.waiting.map(makeOpenLine), ...running];
  return lines.sort((one, other) => one.index - other.index);
}

export function makeNextPage(page: BatchPage, { waiting, lines }: PageState): BatchPage {
  return { ...page, items: waiting, done: lines };
}

export function isGrant(value: unknown): value is Grant {
  const { number, slots, reportEvery, preparation } = (value ?? {}) as Partial<Grant>;
  return [number, slots].every(Number.isInteger) && typeof reportEvery === 'number' && typeof preparation === 'object';
}
