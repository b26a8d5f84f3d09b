import { TASK_KINDS, type TaskKind } from '../task';
import { type Arm, ARMS, OURS } from './arms';
import type { Outcome } from './log';
import type { RevisionOutcome } from './revisions';
import { type Estimate, estimateMean, type Rate, estimateRate } from '../../../src/apps/experiment/statistics';
import { roundPercent } from '../../../src/lib/text/percent';

/** What an arm came to on the tasks of a kind, or on all. */
export interface Row {
  kind: TaskKind | 'all';
  arm: Arm;
  valid: Rate;
  right: Rate;
  /** Share of right outputs less that of ours on the same tasks; absent for ours, and where ours did none of them. */
  rightVersusOurs?: Estimate;
  /** Means over the tasks that did not fail; absent where all failed. */
  calls?: Estimate;
  promptTokens?: Estimate;
  completionTokens?: Estimate;
  tokens?: Estimate;
  seconds?: Estimate;
  /** Of loops: revisions after which the hidden check found fewer, as many or more faults; absent where there were none. */
  revisions?: Record<RevisionOutcome['change'], number>;
  /** Tasks without an output because calls failed; they count as neither valid nor right. */
  failed: number;
}

function rowOf(kind: Row['kind'], arm: Arm, own: readonly Outcome[], ours: readonly Outcome[], seed: number): Row {
  const answered = own.filter(({ error }) => error === undefined);
  const estimate = (value: (outcome: Outcome) => number): Estimate | undefined =>
    answered.length === 0 ? undefined : estimateMean(answered.map(value), seed);
  const byTask = new Map(ours.map((outcome) => [outcome.task, outcome]));
  const differences = own.flatMap((outcome) => {
    const beside = byTask.get(outcome.task);
    return beside ? [Number(outcome.right) - Number(beside.right)] : [];
  });
  const changes = own.flatMap(({ revisions = [] }) => revisions.map(({ change }) => change));
  const count = (change: RevisionOutcome['change']): number => changes.filter((each) => each === change).length;
  const revisions = { better: count('better'), same: count('same'), worse: count('worse') };
  return {
    kind,
    arm,
    valid: estimateRate(own.filter(({ valid }) => valid).length, own.length),
    right: estimateRate(own.filter(({ right }) => right).length, own.length),
    ...(arm !== OURS && differences.length > 0 && { rightVersusOurs: estimateMean(differences, seed) }),
    calls: estimate(({ calls }) => calls),
    promptTokens: estimate(({ promptTokens }) => promptTokens),
    completionTokens: estimate(({ completionTokens }) => completionTokens),
    tokens: estimate(({ promptTokens, completionTokens }) => promptTokens + completionTokens),
    seconds: estimate(({ seconds }) => seconds),
    ...(changes.length > 0 && { revisions }),
    failed: own.length - answered.length,
  };
}

/** A row for each arm and kind of task, then for all kinds together: of the arms that did tasks of every kind. */
export function rowsOf(outcomes: readonly Outcome[], seed: number): Row[] {
  const kinds = TASK_KINDS.filter((kind) => outcomes.some((each) => each.kind === kind));
  const rows = (kind: Row['kind'], among: readonly Outcome[], arms: readonly Arm[]): Row[] => {
    const of = (arm: Arm): Outcome[] => among.filter((each) => each.arm === arm);
    return arms.filter((arm) => of(arm).length > 0).map((arm) => rowOf(kind, arm, of(arm), of(OURS), seed));
  };
  const everywhere = ARMS.filter((arm) =>
    kinds.every((kind) => outcomes.some((each) => each.arm === arm && each.kind === kind)),
  );
  return [
    ...kinds.flatMap((kind) =>
      rows(
        kind,
        outcomes.filter((each) => each.kind === kind),
        ARMS,
      ),
    ),
    ...(kinds.length > 1 ? rows('all', outcomes, everywhere) : []),
  ];
}

type Column = [head: string, cell: (row: Row) => string];

const percent = (share: number): string => String(roundPercent(share));
const signed = (share: number): string => `${share > 0 ? '+' : share < 0 ? '−' : ''}${percent(Math.abs(share))}`;
const share = ({ count, of, low, high }: Rate): string => `${count}/${of} (${percent(low)}–${percent(high)} %)`;

function number(estimate: Estimate | undefined, digits: number): string {
  if (!estimate) return '–';
  const [value, low, high] = [estimate.value, estimate.low, estimate.high].map((each) => each.toFixed(digits));
  return `${value} (${low}–${high})`;
}

const COLUMNS: Column[] = [
  ['tasks', ({ kind }) => kind],
  ['arm', ({ arm }) => arm],
  ['valid', ({ valid }) => share(valid)],
  ['truly right', ({ right }) => share(right)],
  [
    'right, points against ours',
    ({ rightVersusOurs: each }) => (each ? `${signed(each.value)} (${signed(each.low)} to ${signed(each.high)})` : '–'),
  ],
  ['calls', ({ calls }) => number(calls, 2)],
  ['prompt tokens', ({ promptTokens }) => number(promptTokens, 0)],
  ['completion tokens', ({ completionTokens }) => number(completionTokens, 0)],
  ['seconds', ({ seconds }) => number(seconds, 1)],
  [
    'revisions: better, same, worse',
    ({ revisions: each }) => (each ? `${each.better}, ${each.same}, ${each.worse}` : '–'),
  ],
  ['failed', ({ failed }) => String(failed)],
];

/** The rows as a Markdown table, with 95 % intervals in brackets. */
export function markdownOf(rows: readonly Row[]): string {
  const lines = [
    COLUMNS.map(([head]) => head),
    COLUMNS.map((_, index) => (index < 2 ? '---' : '--:')),
    ...rows.map((row) => COLUMNS.map(([, cell]) => cell(row))),
  ];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
