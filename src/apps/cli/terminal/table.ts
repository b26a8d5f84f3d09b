import pc from 'picocolors';
import { columnsOf, cut, cutMiddle, widthOf } from './width';

type Cell = string | number;

interface TableOptions {
  whole?: readonly string[];
  ids?: readonly string[];
  /** Columns that are left out where there is no room, the first of them first. */
  spare?: readonly string[];
  width?: number;
}

const GAP = 2;
const NARROWEST_TEXT = 12;
/** A column of ids is not made narrower than this: ids that the command line makes stay whole. */
const NARROWEST_ID = 29;

interface Column {
  name: string;
  cells: Cell[];
  width: number;
}

const total = (columns: readonly Column[]): number =>
  columns.reduce((sum, { width }) => sum + width, 0) + GAP * (columns.length - 1);

function narrowColumns(columns: readonly Column[], width: number, { whole = [], ids = [] }: TableOptions): Column[] {
  const result = columns.map((column) => ({ ...column }));
  while (total(result) > width) {
    const widest = result
      .filter(
        ({ name, width: now }) => !whole.includes(name) && now > (ids.includes(name) ? NARROWEST_ID : NARROWEST_TEXT),
      )
      .sort((one, other) => other.width - one.width)[0];
    if (!widest) break;
    widest.width -= 1;
  }
  return result;
}

function fitColumns(columns: Column[], options: TableOptions): Column[] {
  const { spare = [], width = widthOf() } = options;
  if (width === Infinity) return columns;
  for (let left = 0; ; left += 1) {
    const there = columns.filter(({ name }) => !spare.slice(0, left).includes(name));
    const found = narrowColumns(there, width, options);
    if (total(found) <= width || left >= spare.length) return found;
  }
}

/** Renders a table without lines: rows stay readable when they are copied into a ticket. No wider than the terminal. */
export function plainTable(head: readonly string[], rows: readonly Cell[][], options: TableOptions = {}): string {
  const columns = head.map((name, index) => {
    const cells = rows.map((row) => row[index] ?? '');
    return { name, cells, width: Math.max(columnsOf(name), ...cells.map((cell) => columnsOf(String(cell)))) };
  });
  const shown = fitColumns(columns, options);
  const line = (texts: readonly string[]): string =>
    shown.map(({ width }, index) => texts[index]! + ' '.repeat(width - columnsOf(texts[index]!))).join(' '.repeat(GAP));
  const cell = ({ name, cells, width }: Column, index: number): string =>
    (options.ids?.includes(name) ? cutMiddle : cut)(String(cells[index]), width);
  const lines = [
    line(shown.map(({ name, width }) => pc.bold(cut(name, width)))),
    ...rows.map((_row, index) => line(shown.map((column) => cell(column, index)))),
  ];
  const left = columns.filter(({ name }) => !shown.some((column) => column.name === name)).map(({ name }) => name);
  const isIdCut = shown.some(
    ({ name, width, cells }) => options.ids?.includes(name) && cells.some((each) => columnsOf(String(each)) > width),
  );
  const notes = [
    ...(left.length === 0 ? [] : [`No room for: ${left.join(', ')} (--json has all)`]),
    ...(isIdCut ? ['Long ids are cut in the middle (--json has all of them)'] : []),
  ];
  return [...lines, ...notes.map((note) => pc.dim(note))].join('\n');
}
