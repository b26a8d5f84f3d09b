import { type ReplyLine, replyLines } from './reply-lines';

/** What a labelled line is to those who look for it; undefined when they do not know it. */
export type LineRole =
  /** One of a verdict's fields. `key` tells fields apart: a second one of the same key begins another verdict. */
  | { kind: 'field'; key: string; value: string }
  /** The text below it belongs to it. */
  | { kind: 'section'; name: string; value: string }
  /** Copied from the instructions, or of no interest. */
  | { kind: 'ignored' };

/** Labelled lines that belong together. */
export interface LineBlock {
  fields: Map<string, string>;
  sections: Map<string, string[]>;
  codes: string[];
  /** A code stands behind fields, where it may belong to what the judge quotes last. */
  isCodeBehind: boolean;
  text: string;
  /** No prose stands between it and the block before it: which lines are quoted cannot be told. */
  isAttached: boolean;
  /** The line of prose that stands before it. */
  lead?: string;
}

const CODE = /^(?:the )?code\s{0,5}(?:[:=：]|is)\s{0,5}["']?([\w-]{1,64})["']?\W*$/i;
const LABEL = /^([\p{L}][\p{L}\d ]{0,30}?)\s{0,5}(?:[:=：]\s{0,5}|(?:[-–—]|→)\s{1,5})(.*)$/u;

/** The name and the value of a labelled line; a heading is a label whose value follows. */
export function labelOf({ text, isHeading }: ReplyLine): { name: string; value: string } | undefined {
  const [, name, value = ''] = LABEL.exec(text) ?? [];
  if (name !== undefined) return { name: name.toLowerCase(), value: value.trim() };
  return isHeading ? { name: text.toLowerCase(), value: '' } : undefined;
}

/** The verdicts, answers or preferences that stand in the lines of a text, each with the codes that stand among its lines. */
export function lineBlocks(text: string, roleOf: (line: ReplyLine) => LineRole | undefined): LineBlock[] {
  const lines = replyLines(text).filter(({ kind }) => kind !== 'blank');
  const blocks: LineBlock[] = [];
  let block = emptyBlock(false);
  let hasProse = false;
  let section: string[] | undefined;
  let pending: string | undefined;
  let wasQuoted = false;
  let prose: string | undefined;

  const begin = (isAttached: boolean): void => {
    if (block.fields.size > 0) blocks.push(block);
    block = emptyBlock(isAttached && !hasProse && block.fields.size > 0);
    hasProse = false;
    section = undefined;
  };
  const addField = (key: string, value: string, said: string): void => {
    if (block.fields.has(key)) begin(true);
    if (block.fields.size === 0) {
      const introduction = section?.at(-1);
      // What a reason introduces is no longer the judge's own, as far as anyone can tell.
      if (introduction?.endsWith(':')) block.codes = [];
      block.lead = introduction ?? prose;
    }
    block.fields.set(key, value);
    block.text += `${said}\n`;
    section = undefined;
  };

  for (const [index, line] of lines.entries()) {
    if (line.kind === 'fence' || line.isQuoted !== wasQuoted) {
      begin(false);
      pending = undefined;
      wasQuoted = line.isQuoted;
    }
    if (line.kind === 'fence') continue;
    const code = CODE.exec(line.text)?.[1]?.toLowerCase();
    const role = code === undefined ? roleOf(line) : undefined;
    if (code !== undefined) {
      const next = lines[index + 1];
      const leads = next?.kind === 'text' && roleOf(next)?.kind === 'field';
      // Behind prose it may belong to what was said there.
      if (block.fields.size > 0 && (leads || hasProse || block.codes.length > 0)) begin(false);
      block.codes.push(code);
      block.isCodeBehind ||= block.fields.size > 0;
      section = undefined;
      pending = undefined;
    } else if (pending !== undefined && (!role || role.kind === 'ignored')) {
      addField(pending, line.text, line.text);
      pending = undefined;
    } else if (role?.kind === 'field') {
      pending = role.value === '' ? role.key : undefined;
      if (pending === undefined) addField(role.key, role.value, line.text);
    } else if (role?.kind === 'section') {
      section = block.sections.get(role.name) ?? [];
      block.sections.set(role.name, section);
      if (role.value !== '') section.push(role.value);
    } else if (role === undefined) {
      prose = line.text;
      if (section) section.push(line.text);
      else if (block.fields.size > 0) hasProse = true;
      else block.codes = [];
    }
  }
  begin(false);
  return blocks;
}

function emptyBlock(isAttached: boolean): LineBlock {
  return { fields: new Map(), sections: new Map(), codes: [], isCodeBehind: false, text: '', isAttached };
}
