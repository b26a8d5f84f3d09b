import pc from 'picocolors';
import type { Comparison } from '../../experiment/comparison';
import type { ArmRow } from '../../experiment/rows';
import { renderCounts, renderPassedWith, renderRate } from '../../experiment/number-text';
import type { Estimate } from '../../experiment/statistics';
import { plainTable } from '../terminal/table';
import { oneLine, seconds } from './printable';

const number = (estimate: Estimate | null | undefined, digits: number): string =>
  estimate ? estimate.value.toFixed(digits) : '–';

function cells(row: ArmRow): string[] {
  const { arm, passed, right, calls, tokens, usd, p50Ms, p95Ms, failed } = row;
  const time = p50Ms === undefined || p95Ms === undefined ? '–' : `${seconds(p50Ms)} / ${seconds(p95Ms)}`;
  const price = usd ? `$${usd.value.toFixed(4)}` : '–';
  return [
    oneLine(arm, 40),
    renderRate(passed),
    renderRate(right),
    number(calls, 2),
    number(tokens, 0),
    price,
    time,
    String(failed),
  ];
}

const HEAD = ['arm', 'passed (95 %)', 'right (95 %)', 'calls', 'tokens', 'USD', 'p50 / p95', 'failed'];

const COLOURS: Partial<Record<Comparison['conclusion'], (text: string) => string>> = {
  better: pc.green,
  worse: pc.red,
  not_worth_its_cost: pc.yellow,
};

/** Renders the findings of an experiment for the terminal. */
export function experimentText({
  arms,
  comparisons,
  conclusions,
  cautions,
}: {
  arms: readonly ArmRow[];
  comparisons: readonly Comparison[];
  conclusions: readonly string[];
  cautions: readonly string[];
}): string {
  const table = plainTable(HEAD, arms.map(cells), { spare: ['failed', 'USD', 'p50 / p95'] });
  const ended = arms.map((row) => {
    const passedWith = renderPassedWith(row);
    const open = row.unjudged === undefined ? '' : `; ${row.unjudged} could not be judged`;
    const passes = passedWith === undefined ? 'none passed' : `passed with ${passedWith}`;
    return `${oneLine(row.arm, 40)}: ended by ${renderCounts(row.reasons)}; ${passes}${open}`;
  });
  const said = conclusions.map((text, index) => (COLOURS[comparisons[index]!.conclusion] ?? String)(text));
  const notes = cautions.map((text) => pc.dim(text));
  return [
    table,
    '',
    ...ended,
    ...(said.length > 0 ? ['', ...said] : []),
    ...(notes.length > 0 ? ['', ...notes] : []),
  ].join('\n');
}
