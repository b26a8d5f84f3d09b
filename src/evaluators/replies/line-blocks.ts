import { isSaid } from './words';
import { type ReplyLine, replyLines, saysMore } from './reply-lines';

/** The role of a labelled line for a reader; undefined if the reader does not know the label. */
export type LineRole =
  /** A second field of one `key` begins another verdict. A loose one does not count as a field where it is an item of a list. */
  | { kind: 'field'; key: string; value: string; isLoose?: true }
  /** The text below it belongs to it; to a list, only its items. */
  | { kind: 'section'; name: string; value: string; isList: boolean };

export interface LineBlock {
  fields: Map<string, string>;
  sections: Map<string, string[]>;
  codes: string[];
  /** A code follows fields, where it may belong to the judge's last quote. */
  isCodeBehind: boolean;
  text: string;
  /** All lines of the reply outside of fields and sections, and how many of them precede its first field. */
  prose: readonly string[];
  proseBefore: number;
}

const CODE = /^(?:the )?code\s{0,5}(?:[:=]|is)\s{0,5}["']?([\w-]{1,64})["']?\W*$/i;
const LABEL = /^([\p{L}][\p{L}\d ]{0,30}?)\s{0,5}(?:[:=]\s{0,5}|(?:[-–—]|→)\s{1,5})(.*)$/u;

export function labelOf({ text, isHeading }: ReplyLine): { name: string; value: string } | undefined {
  const [, name, value = ''] = LABEL.exec(text) ?? [];
  if (name !== undefined) return { name: name.toLowerCase(), value: value.trim() };
  return isHeading ? { name: text.toLowerCase(), value: '' } : undefined;
}

/** Finds the verdicts, answers or preferences in the lines of a text, each with the codes among its lines. */
export function lineBlocks(text: string, roleOf: (line: ReplyLine) => LineRole | undefined): LineBlock[] {
  const lines = replyLines(text).filter(({ kind }) => kind !== 'blank');
  const blocks: LineBlock[] = [];
  const prose: string[] = [];
  const emptyBlock = (): LineBlock => ({
    fields: new Map(),
    sections: new Map(),
    codes: [],
    isCodeBehind: false,
    text: '',
    prose,
    proseBefore: 0,
  });
  let block = emptyBlock();
  let from = 0;
  let section: string[] | undefined;
  let isList = false;
  let pending: string | undefined;
  let wasQuoted = false;

  const begin = (): void => {
    if (block.fields.size > 0) blocks.push(block);
    block = emptyBlock();
    section = undefined;
  };
  const addField = (key: string, value: string, said: string): void => {
    if (block.fields.has(key)) begin();
    if (block.fields.size === 0) {
      // The lines that a reason introduces may not be the judge's own.
      if (section?.at(-1)?.endsWith(':')) block.codes = [];
      block.proseBefore = prose.length;
    }
    block.fields.set(key, value);
    block.text += `${said}\n`;
    section = undefined;
    from = prose.length;
  };

  for (const [index, line] of lines.entries()) {
    if (line.kind === 'fence' || line.isQuoted !== wasQuoted) {
      begin();
      pending = undefined;
      wasQuoted = line.isQuoted;
    }
    if (line.kind === 'fence') continue;
    const isItem: boolean = isList && section !== undefined && (line.isItem || !isSaid(line.text));
    const code = CODE.exec(line.text)?.[1]?.toLowerCase();
    const said = code === undefined ? roleOf(line) : undefined;
    const role: LineRole | undefined = said?.kind === 'field' && said.isLoose && isItem ? undefined : said;
    if (code !== undefined) {
      const next = lines[index + 1];
      const leads = next?.kind === 'text' && roleOf(next)?.kind === 'field';
      // After prose it may belong to that prose.
      if (block.fields.size > 0 && (leads || prose.length > from || block.codes.length > 0)) begin();
      block.codes.push(code);
      block.isCodeBehind ||= block.fields.size > 0;
      section = undefined;
      pending = undefined;
    } else if (pending !== undefined && !role) {
      addField(pending, line.text, line.text);
      pending = undefined;
    } else if (role?.kind === 'field') {
      pending = role.value === '' ? role.key : undefined;
      if (pending === undefined) addField(role.key, role.value, line.text);
    } else if (role) {
      section = block.sections.get(role.name) ?? [];
      block.sections.set(role.name, section);
      ({ isList } = role);
      if (role.value !== '') section.push(role.value);
    } else {
      section?.push(line.text);
      if (!isItem && saysMore(line.text)) prose.push(line.text);
      if (!section && block.fields.size === 0) block.codes = [];
    }
  }
  begin();
  return blocks;
}
