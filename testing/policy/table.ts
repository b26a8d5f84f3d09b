import Table from 'cli-table3';
import pc from 'picocolors';
import type { Measures } from './measures';

type Column = [string, (measures: Measures) => string];

const COLUMNS: Column[] = [
  ['quality', ({ quality }) => quality?.toFixed(3) ?? '–'],
  ['truly good', ({ good }) => good.toFixed(3)],
  ['calls', ({ calls }) => calls.toFixed(2)],
  ['tokens', ({ tokens }) => tokens.toFixed(0)],
  ['improved', ({ improved }) => share(improved)],
  ['good in 3', ({ soon }) => share(soon)],
  ['resolved', ({ resolved }) => share(resolved)],
  ['of revised', ({ revised }) => share(revised)],
  ['agreement', ({ agreed }) => share(agreed)],
  ['efficient', ({ efficient }) => share(efficient)],
];

function share(value: number | undefined): string {
  return value === undefined ? '–' : `${(value * 100).toFixed(0)} %`;
}

/**
 * A table of measures.
 *
 * @param truth whether it is known what is truly good
 */
export function tableOf(title: string, rows: Record<string, Measures>, truth = true): string {
  const columns = COLUMNS.filter(([name]) => truth || name !== 'truly good');
  const table = new Table({
    head: [title, ...columns.map(([name]) => name)],
    colAligns: ['left', ...columns.map(() => 'right' as const)],
    style: { head: ['bold'] },
  });
  for (const [name, measures] of Object.entries(rows)) {
    const cells = [name, ...columns.map(([, cell]) => cell(measures))];
    table.push(name === 'ours' ? cells.map((cell) => pc.cyan(cell)) : cells);
  }
  return table.toString();
}
