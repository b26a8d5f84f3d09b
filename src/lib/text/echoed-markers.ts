import { CODE_LENGTH } from './fence';

interface ShownText {
  label: string;
  code: string;
  text: string;
}

export interface WithoutMarkers {
  text: string;
  warning: string;
  /** The reason for which the text is of no use all the same. */
  fault?: string;
}

interface Mark {
  kind: 'open' | 'close' | 'line';
  label: string;
  code: string;
  start: number;
  end: number;
}

interface Block {
  label: string;
  code: string;
  start: number;
  end: number;
  inside: string;
}

const MOST_SHOWN = 100;

const INSTRUCTIVE =
  /^(?:REQUEST|TASK|ISSUES|EARLIER ISSUES|SUGGESTIONS|REVIEWER|REVIEW|ATTEMPTS|ADVICE|INSIGHTS|ERRORS|HISTORY|VERSION \d+)$/;
const TAKEN_OFF = 'the reply copied markers of its prompt, which were taken off';
const CODE_LEFT = 'The reply holds a code of its prompt: it is not the text alone that was asked for.';
const NOTHING_LEFT = 'The reply holds nothing but markers of its prompt.';
/** Edits hold copies of what is between markers, and are read as a whole. */
const EDITS = /^[ \t]{0,20}<{5,9} ?SEARCH\b/im;

function codesIn(text: string): Set<string> {
  const codes = text.matchAll(new RegExp(`(?<![\\da-f])[\\da-f]{${CODE_LENGTH}}(?![\\da-f])`, 'gi'));
  return new Set(Array.from(codes, ([code]) => code.toLowerCase()));
}

/**
 * Finds the texts that a prompt showed between markers whose codes a reply holds.
 * @param isOurs distinguishes a fence of this product from one that a user wrote into a text
 */
export function shownTexts(
  reply: string,
  prompt: readonly string[],
  isOurs: (label: string, text: string, code: string) => boolean,
): ShownText[] {
  const codes = codesIn(reply);
  if (codes.size === 0) return [];
  const found: ShownText[] = [];
  let left = MOST_SHOWN;
  const opening = new RegExp(`<<<([^\\n<>]{1,100}) ([\\da-f]{${CODE_LENGTH}})\\n`, 'g');
  for (const shown of prompt) {
    for (const { 0: marker, 1: label = '', 2: code = '', index } of shown.matchAll(opening)) {
      if (!codes.has(code)) continue;
      if (--left < 0) return found;
      const start = index + marker.length;
      const end = shown.indexOf(`\n${code} ${label}>>>`, start - 1);
      const text = end < 0 ? undefined : shown.slice(start, Math.max(start, end));
      if (text !== undefined && isOurs(label, text, code)) found.push({ label, code, text });
    }
  }
  return found;
}

function marksIn(reply: string, shown: readonly ShownText[]): Mark[] {
  const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const code = `(${[...new Set(shown.map((each) => each.code))].join('|')})`;
  const label = '([^\\n<>]{0,80}?)';
  const names = [...new Set(shown.map((each) => escapePattern(each.label)))].join('|');
  const blank = '[^\\p{L}\\p{N}\\n]{0,12}';
  const word = `(?:(?:begin|start|end|of|code) ?)?(?:${names})?`;
  // A line break may stand in JSON, as two characters.
  const forms = [
    `<{1,5}${label}[ \\t]{0,20}${code}[ \\t]*>{0,5}(?:(?=[ \\t]*\\n)|\\\\n)?`,
    `^${blank}${word}${blank}${code}${blank}${word}${blank}$`,
    `(?:\\\\n)?(?<![\\da-f])${code}${label}[ \\t]{0,20}>{2,5}`,
  ];
  return Array.from(reply.matchAll(new RegExp(forms.join('|'), 'gimu')), ({ 0: text, index, ...groups }): Mark => {
    const [opening, ofOpening, ofLine, ofClosing, closing = ''] = [
      groups[1],
      groups[2],
      groups[3],
      groups[4],
      groups[5],
    ];
    const place = { start: index, end: index + text.length };
    if (ofOpening !== undefined)
      return { kind: 'open', label: opening!.trim(), code: ofOpening.toLowerCase(), ...place };
    if (ofLine !== undefined) return { kind: 'line', label: '', code: ofLine.toLowerCase(), ...place };
    return { kind: 'close', label: closing.trim(), code: ofClosing!.toLowerCase(), ...place };
  });
}

/** Returns the outermost blocks that markers make, and the markers that make none. A second opening of a code closes it. */
function blocksOf(reply: string, marks: readonly Mark[]): { blocks: Block[]; halves: Mark[] } {
  const blocks: Block[] = [];
  const halves: Mark[] = [];
  for (let index = 0; index < marks.length; index++) {
    const open = marks[index]!;
    let closing = open.kind === 'close' ? marks.length : index + 1;
    while (closing < marks.length && marks[closing]!.code !== open.code) closing++;
    if (closing >= marks.length) {
      halves.push(open);
      continue;
    }
    const close = marks[closing]!;
    const { label, code, start } = open;
    blocks.push({ label, code, start, end: close.end, inside: unbroken(reply.slice(open.end, close.start)) });
    index = closing;
  }
  return { blocks, halves };
}

function unbroken(text: string): string {
  return text.replace(/^[ \t]*\r?\n/, '').replace(/\r?\n[ \t]*$/, '');
}

function beginsLine(reply: string, { start }: { start: number }): boolean {
  return /(?:^|\n)[^\p{L}\p{N}\n"]*$/u.test(reply.slice(Math.max(0, start - 40), start));
}

function without(reply: string, stretches: readonly { start: number; end: number }[]): string {
  let kept = '';
  let from = 0;
  for (const { start, end } of stretches) {
    kept += reply.slice(from, start);
    from = end;
    const isOwnLine = (kept === '' || kept.endsWith('\n')) && /^[ \t]*(?:\r?\n|$)/.test(reply.slice(end, end + 40));
    if (isOwnLine) from += /^[ \t]*(?:\r?\n)?/.exec(reply.slice(end, end + 40))![0].length;
    if (isOwnLine && from === reply.length) kept = kept.replace(/\r?\n$/, '');
  }
  return kept + reply.slice(from);
}

function outputIn(reply: string, marks: readonly Mark[], shown: readonly ShownText[]): string | undefined {
  const { blocks, halves } = blocksOf(reply, marks);
  const rest = without(
    reply,
    [...blocks, ...halves].sort((one, other) => one.start - other.start),
  ).trim();
  const isOutput = ({ label }: { label: string }): boolean =>
    label.toUpperCase() === 'OUTPUT' || !shown.some((each) => each.label === label);
  const isQuote = ({ code, inside }: Block): boolean =>
    shown.some((each) => each.code === code && each.text.trim() === inside.trim());
  if (EDITS.test(rest)) return undefined;
  // A block that quotes the old text beside other text is not a new text.
  const written = blocks.filter((block) => beginsLine(reply, block) && isOutput(block));
  const last = written.findLast((block) => rest === '' || !isQuote(block));
  if (last) return last.inside;
  const [only, ...others] = blocks;
  if (
    only &&
    others.length === 0 &&
    halves.length === 0 &&
    /^[`~\w \t\n]{0,40}$/.test(rest) &&
    /^\W*\w*\W*$/.test(rest)
  )
    return only.inside;
  const [half, more] = halves;
  if (blocks.length > 0 || !half || more || !isOutput(half)) return undefined;
  if (half.kind === 'open' && beginsLine(reply, half)) return unbroken(reply.slice(half.end));
  const isEnd = half.kind === 'close' && /^\W*$/.test(reply.slice(half.end));
  return isEnd ? unbroken(reply.slice(0, half.start)) : undefined;
}

/**
 * Takes the markers of its prompt off a reply: the text between those of an output, or of a text that the prompt does not
 * have, is the reply. Undefined for a reply without any.
 */
export function withoutMarkers(reply: string, shown: readonly ShownText[]): WithoutMarkers | undefined {
  if (shown.length === 0) return undefined;
  const output = outputIn(reply, marksIn(reply, shown), shown);
  const chosen = output ?? reply;
  const marks = marksIn(chosen, shown);
  const copies = output === undefined ? instructionsIn(chosen, marks, shown) : [];
  const stretches = [
    ...copies,
    ...marks.filter(({ start }) => !copies.some((copy) => start >= copy.start && start < copy.end)),
  ];
  const text = without(
    chosen,
    stretches.sort((one, other) => one.start - other.start),
  );
  const isCut =
    copies.length > 0 || (output !== undefined && without(reply, marksIn(reply, shown)).trim() !== text.trim());
  const warning = isCut ? `${TAKEN_OFF}, with what stood outside of them` : TAKEN_OFF;
  const held = text.toLowerCase();
  const fault = shown.some(({ code }) => held.includes(code))
    ? CODE_LEFT
    : text.trim() === ''
      ? NOTHING_LEFT
      : undefined;
  return { text, warning, ...(fault !== undefined && { fault }) };
}

function instructionsIn(reply: string, marks: readonly Mark[], shown: readonly ShownText[]): Block[] {
  const copies = blocksOf(reply, marks).blocks.filter(({ label, code, inside }) => {
    const isCopy = shown.some((each) => each.code === code && each.text.trim() === inside.trim());
    return isCopy && (INSTRUCTIVE.test(label) || label === 'OUTPUT');
  });
  return without(reply, copies).trim() === '' ? [] : copies;
}
