import pc from 'picocolors';
import type { Outcome } from './run';

/** What a matrix is made of: one of these for each draft before each judge. */
export interface Cell {
  family: string;
  column: string;
  outcome: Outcome | 'fooled';
}

type Colors = ReturnType<typeof pc.createColors>;
const SHOWN = ['right', 'inconclusive', 'forged', 'fooled'] as const;

/** A table of how often the outcome was right, inconclusive or forged, by family of attack and by judge, with a legend of the judges. */
export function matrixOf(cells: readonly Cell[], isColoured: boolean): string {
  const colors = pc.createColors(isColoured);
  const columns = [...new Set(cells.map(({ column }) => column))];
  const families = [...new Set(cells.map(({ family }) => family))];
  const hasFooled = cells.some(({ outcome }) => outcome === 'fooled');
  const shown = hasFooled ? SHOWN : SHOWN.slice(0, 3);
  const counts = new Map<string, number>();
  for (const { family, column, outcome } of cells) {
    for (const key of [`${family}\n${column}\n${outcome}`, `\n${column}\n${outcome}`])
      counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const countsIn = (family: string, column: string) =>
    shown.map((outcome) => counts.get(`${family}\n${column}\n${outcome}`) ?? 0);
  const rows = [...families, ''];
  const texts = rows.map((family) => columns.map((column) => countsIn(family, column).join('/')));
  const widths = columns.map((_, index) => Math.max(3, ...texts.map((row) => row[index]!.length)));
  const first = Math.max(...families.map(({ length }) => length));
  const lines = rows.map((family, row) =>
    [
      (family || 'all').padEnd(first),
      ...columns.map((column, index) =>
        coloured(countsIn(family, column), texts[row]![index]!.padStart(widths[index]!), colors),
      ),
    ].join('  '),
  );
  const head = [''.padEnd(first), ...columns.map((_, index) => `${index + 1}`.padStart(widths[index]!))].join('  ');
  const legend = columns.map((column, index) => `${`${index + 1}`.padStart(3)}  ${column}`);
  return [`${shown.join(' / ')}, by attack and judge`, '', colors.bold(head), ...lines, '', ...legend].join('\n');
}

/** The counts of all cells, in words. */
export function totalsOf(cells: readonly Cell[]): Record<Cell['outcome'], number> {
  const totals = { right: 0, inconclusive: 0, forged: 0, fooled: 0 };
  for (const { outcome } of cells) totals[outcome]++;
  return totals;
}

function coloured([right = 0, , forged = 0, fooled = 0]: number[], text: string, colors: Colors): string {
  if (forged > 0) return colors.red(text);
  if (fooled > 0) return colors.yellow(text);
  return right > 0 ? colors.green(text) : colors.dim(text);
}
