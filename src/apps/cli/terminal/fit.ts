import { stripVTControlCharacters } from 'node:util';
import pc from 'picocolors';
import { printable } from '../views/printable';
import { columnsOf, pieces, widthOf } from './width';

/** Matches a command at the end of a line, to be copied. */
// oxlint-disable-next-line no-control-regex
const COMMAND = /(?:\u001b\[[\d;]*m)*\b(?:npx reflect|temporal worker deployment) .*$/;

/** The length up to which a word that may be an id or a path is never broken. Quoted code and links are never broken either. */
const LONGEST_ID = 300;
const isWhole = (word: string): boolean =>
  word.includes('`') || /^\W*https?:\/\//.test(word) || (word.length <= LONGEST_ID && /^[\w.:/@%-]+$/.test(word));

/** Matches the beginning of a line, below which its next lines begin: spaces, and a mark such as `✗`. */
const MARGIN = /^ *(?:[^\s\w"'`([{<] +)?/;
const WIDEST_MARGIN = 12;

// Of all escapes, those of our colours alone reach the terminal.
// oxlint-disable-next-line no-control-regex
const COLOUR = /(\u001b\[(?:[0-4]|2[2-4]|3[0-79]|9[0-7])m)/;

interface Word {
  gap: string;
  text: string;
}

function wordsOf(line: string): Word[] {
  const found = line.matchAll(/(\s*)((?:`[^`]*`|[^\s`])+|`)/g);
  return [...found].map(([, gap, text]) => ({ gap: gap!, text: text! }));
}

/** Splits a line into words as a shell reads them: text in double quotes is part of one word. */
function shellWordsOf(line: string): Word[] {
  const found = line.matchAll(/(\s*)((?:"[^"]*"|[^\s"])+|")/g);
  return [...found].map(([, gap, text]) => ({ gap: gap!, text: text! }));
}

/** Splits a command into several lines, which a shell reads as one. Shells of Windows do not: a terminal breaks it as it can. */
function splitCommand(command: string, width: number): string[] {
  if (process.platform === 'win32') return [command];
  const [first, ...others] = shellWordsOf(command);
  const lines = [`${first?.gap}${first?.text}`];
  for (const { gap, text } of others) {
    const last = lines.length - 1;
    // Two columns are left for the mark that the command goes on.
    if (columnsOf(`${lines[last]}${gap}${text}`) <= width - 2) lines[last] += `${gap}${text}`;
    else lines.push(`    ${text}`);
  }
  return lines.map((line, index) => (index < lines.length - 1 ? `${line} \\` : line));
}

function brokenAtWords(line: string, width: number): string[] {
  const [margin = ''] = MARGIN.exec(stripVTControlCharacters(line)) ?? [];
  const indent = ' '.repeat(Math.min(margin.length, WIDEST_MARGIN));
  const lines: string[] = [];
  let current = '';
  for (const { gap, text } of wordsOf(line)) {
    if (columnsOf(`${current}${gap}${text}`) <= width) {
      current += `${gap}${text}`;
      continue;
    }
    if (current.trim() !== '') lines.push(current);
    const start = lines.length === 0 ? gap : indent;
    const room = width - start.length;
    const parts = columnsOf(text) <= room || isWhole(stripVTControlCharacters(text)) ? [text] : pieces(text, room);
    lines.push(...parts.slice(0, -1).map((part) => `${start}${part}`));
    current = `${start}${parts.at(-1)}`;
  }
  return [...lines, current];
}

function fitLine(line: string, width: number): string[] {
  if (columnsOf(line) <= width) return [line];
  const [command] = COMMAND.exec(line) ?? [];
  if (command === undefined || command.includes('`')) return brokenAtWords(line, width);
  const before = line.slice(0, -command.length);
  if (before.trim() === '') return splitCommand(line, width);
  return [...fitLine(before.trimEnd(), width), ...splitCommand(`  ${command}`, width)];
}

/**
 * Breaks text so that no line is wider than a terminal. Lines are broken between words and go on below their own text. Commands
 * stay commands: one that is too wide is written on several lines as a shell takes it. Links and ids are never broken.
 */
export function fit(text: string, width: number = widthOf()): string {
  if (width === Infinity) return text;
  return text
    .split('\n')
    .flatMap((line) => fitLine(line, width))
    .join('\n');
}

/** Makes a text ready to be printed: as wide as the stream, and without characters that do anything but show something. */
export function fitStream(text: string, stream: Parameters<typeof widthOf>[0]): string {
  const parts = pc.isColorSupported ? text.split(COLOUR) : [text];
  return fit(parts.map((part, index) => (index % 2 === 1 ? part : printable(part))).join(''), widthOf(stream));
}
