/** Finds the code blocks of the pages, and takes shell blocks apart. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from '@swc/core';

const PROJECT = path.join(__dirname, '..', '..');

export interface CodeBlock {
  /** The page and the line, such as `README.md:26`. */
  place: string;
  language: string;
  code: string;
}

/** Every page that people read, apart from the changelog and the generated reference. */
export function pages(): string[] {
  const below = (folder: string): string[] =>
    readdirSync(path.join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md') && !/(?:^|\/)(?:node_modules|dist|cache|\.vitepress)\//.test(file))
      .map((file) => `${folder}/${file}`);
  return ['README.md', 'CONTRIBUTING.md', ...below('examples'), ...below('docs')].toSorted();
}

/** The code blocks of a page, indented ones (in lists) as well. */
export function blocksOf(page: string): CodeBlock[] {
  const text = readFileSync(path.join(PROJECT, page), 'utf8');
  return [...text.matchAll(/^( *)```(.*)\n([^]*?)^\1```$/gm)].map(({ index, 1: indent, 2: language, 3: code }) => ({
    place: `${page}:${text.slice(0, index).split('\n').length}`,
    language: language!.trim(),
    code: code!.replaceAll(new RegExp(`^${indent!}`, 'gm'), ''),
  }));
}

/** Code for another package, which is not installed here. Throws where it is not TypeScript. */
export function checkSyntax({ code, place }: CodeBlock): void {
  if (parseSync(code, { syntax: 'typescript' }).body.length === 0) throw new Error(`${place} is empty`);
}

/** One command of a shell: its variables and words. */
export interface ShellCommand {
  variables: string[];
  words: string[];
}

/** Words of a shell: quoted, or without blanks; comments and operators apart. */
const TOKENS = /'([^']*)'|"((?:[^"\\]|\\.)*)"|(#.*)|(\n|&&|\|\||[;|&])|(\\\n|[ \t]+)|(\$\([^)]*\)|[^\s'"#;|&]+)/g;

/** The commands of a shell block. Substitutions are words like any other. */
export function shellCommands(code: string): ShellCommand[] {
  const commands: string[][] = [[]];
  let isNewWord = true;
  for (const [, single, double, comment, operator, blank, bare] of code.matchAll(TOKENS)) {
    if (comment !== undefined) continue;
    const words = commands.at(-1)!;
    if (operator !== undefined) {
      commands.push([]);
      isNewWord = true;
    } else if (blank !== undefined) isNewWord = true;
    else {
      const text = single ?? double ?? bare!;
      if (isNewWord) words.push(text);
      else words.push(`${words.pop() ?? ''}${text}`);
      isNewWord = false;
    }
  }
  return commands
    .filter((words) => words.length > 0)
    .map((words) => {
      const first = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
      const start = first < 0 ? words.length : first;
      return { variables: words.slice(0, start), words: words.slice(start) };
    });
}
