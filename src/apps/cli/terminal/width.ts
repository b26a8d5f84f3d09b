import stringWidth from 'string-width';

const NARROWEST = 40;

type Output = Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>;

/** Returns the columns of a terminal; `Infinity` for a file or a pipe, whose lines are not broken. */
export function widthOf({ isTTY, columns }: Output = process.stdout): number {
  return isTTY && columns > 0 ? Math.max(NARROWEST, columns) : Infinity;
}

export function columnsOf(text: string): number {
  return stringWidth(text);
}

// oxlint-disable-next-line no-control-regex
const COLOUR = /^\u001b\[[\d;]*m/;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Splits a text into the characters that a reader sees. A colour code belongs to none of them and takes no column. */
function* charactersOf(text: string): Generator<string> {
  let rest = text;
  while (rest !== '') {
    const [colour] = COLOUR.exec(rest) ?? [];
    if (colour !== undefined) {
      yield colour;
      rest = rest.slice(colour.length);
      continue;
    }
    const next = rest.indexOf('\u001b', 1);
    const plain = next < 0 ? rest : rest.slice(0, next);
    for (const { segment } of graphemes.segment(plain)) yield segment;
    rest = rest.slice(plain.length);
  }
}

export function pieces(text: string, width: number): string[] {
  const found: string[] = [];
  let piece = '';
  let columns = 0;
  for (const character of charactersOf(text)) {
    const more = COLOUR.test(character) ? 0 : columnsOf(character);
    if (columns + more > width) {
      found.push(piece);
      piece = '';
      columns = 0;
    }
    piece += character;
    columns += more;
  }
  return [...found, piece];
}

/** Cuts a text to at most so many columns, and marks the cut with `…`. Colours after the cut are kept, so that they end. */
export function cut(text: string, width: number): string {
  if (columnsOf(text) <= width) return text;
  let kept = '';
  let columns = 0;
  let isCut = false;
  for (const character of charactersOf(text)) {
    if (COLOUR.test(character)) kept += character;
    else if (!isCut) {
      const more = columnsOf(character);
      isCut = columns + more > width - 1;
      kept += isCut ? '…' : character;
      columns += more;
    }
  }
  return kept;
}

/** Cuts a text without colours to so many columns, and marks the cut in its middle: both ends of an id are kept, by which it is recognised. */
export function cutMiddle(text: string, width: number): string {
  if (columnsOf(text) <= width) return text;
  const characters = [...charactersOf(text)];
  const end = characters.slice(-Math.floor((width - 1) / 2)).join('');
  return `${cut(text, width - columnsOf(end))}${end}`;
}
