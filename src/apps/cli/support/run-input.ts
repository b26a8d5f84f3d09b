import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import pc from 'picocolors';
import { readScalar } from '../../../lib/yaml/set-values';
import { decodeText } from '../../../lib/yaml/decode-text';
import { isJsonObject, type Json, type JsonObject } from '../../../lib/json/json';
import { largeInteger, largeIntegerText } from '../../../lib/json/large-integers';
import { renderCount } from '../../../lib/text/counted';
import {
  type FileProblem,
  parseDataFile,
  parseFile,
  problemLine,
  type ReflectionFile,
  SpecFileError,
} from '../../yaml';
import { printAside } from '../terminal/say';
import { CliError } from './cli-error';

/** Reads a file, or standard input for `-`, with values such as `max_iterations=5` in place of its own. */
export async function readRunFile(file: string, settings: readonly string[] = []): Promise<ReflectionFile> {
  const given = settings.map((setting) => {
    const [path, value] = readPair('--set', setting, 'max_iterations=5');
    return { path, value: settingOf(value, `--set ${path}`) };
  });
  return parseFile(...(await readText(file)), given);
}

function settingOf(text: string, place: string): Json {
  const json = jsonOrNone(text, place);
  return json === undefined ? readScalar(text) : json;
}

function readPair(option: string, pair: string, example: string): [key: string, value: string] {
  const equals = pair.indexOf('=');
  if (equals >= 1) return [pair.slice(0, equals), pair.slice(equals + 1)];
  const type = option === '--set' ? 'InvalidSetting' : 'InvalidState';
  throw new CliError(type, `${option} ${pair} is not key=value.`, `Write ${option} ${example}.`);
}

export type LoopFile = Extract<ReflectionFile, { kind: 'loop' }>;

/** Reads a loop from a file. Throws CliError `NoLoop` for anything else. */
export async function readLoopFile(file: string, why: string): Promise<LoopFile> {
  const read = await readRunFile(file);
  if (read.kind === 'loop') return read;
  throw new CliError('NoLoop', `${read.file} holds no loop.`, why);
}

/** Reads the text of a file, or of standard input for `-`, and the name it goes by in messages. */
export async function readText(file: string): Promise<[text: string, name: string]> {
  return file === '-' ? [decodeText(await buffer(process.stdin), '(stdin)'), '(stdin)'] : [await contents(file), file];
}

/** Reads the state that the command line adds to the file's own: files first, then single keys. */
export async function readState(files: readonly string[], pairs: readonly string[]): Promise<JsonObject> {
  const state: JsonObject = {};
  for (const file of files) {
    const value = parseDataFile(await contents(file), file);
    if (!isJsonObject(value)) throw new CliError('InvalidState', `${file} holds no object: state has keys.`);
    Object.assign(state, value);
  }
  for (const pair of pairs) {
    const [key, value] = readPair('--state', pair, 'name=value');
    const json = jsonOrNone(value, `--state ${key}`);
    state[key] = json === undefined ? value : json;
  }
  return state;
}

async function contents(file: string): Promise<string> {
  try {
    return decodeText(await readFile(file), file);
  } catch (error) {
    if (error instanceof SpecFileError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    const why: Record<string, string> = {
      ENOENT: 'there is no such file',
      EISDIR: 'it is a folder',
      EACCES: 'it may not be read',
    };
    throw new CliError('FileUnreadable', `Cannot read ${file}: ${why[code ?? ''] ?? message}.`, 'Check the path.');
  }
}

/**
 * Prints the warnings about a file. Standard output may hold JSON, so they go to standard error.
 * @param state of the run, beside that of the file; `isWhole`: nothing else adds to it
 * @throws SpecFileError with all of them where they do
 */
export function tellWarnings(
  { file, warnings }: Pick<ReflectionFile, 'file' | 'warnings'>,
  {
    state = {},
    strict = false,
    isWhole = false,
  }: { state?: JsonObject; strict?: boolean | undefined; isWhole?: boolean },
): void {
  const found = warnings(state, isWhole);
  if (strict && found.length > 0) throw new SpecFileError('InvalidSpec', file, found);
  for (const warning of found) printAside(pc.yellow(`Warning: ${problemLine(file, warning)}`));
}

/** Warns, as `tellWarnings` does, of keys of the state that a file prints and items lack, and returns the warnings. */
export function tellItemWarnings(
  { file, warnings }: Pick<ReflectionFile, 'file' | 'warnings'>,
  items: readonly JsonObject[],
  strict?: boolean,
): string[] {
  const own = new Set(warnings().map(({ message }) => message));
  const byKeys = new Map<string, FileProblem[]>();
  const counts = new Map<string, { warning: FileProblem; count: number }>();
  for (const item of items) {
    const keys = JSON.stringify(Object.keys(item ?? {}));
    const found = byKeys.get(keys) ?? warnings(item, true).filter(({ message }) => !own.has(message));
    byKeys.set(keys, found);
    for (const warning of found) {
      const line = problemLine(file, warning);
      counts.set(line, { warning, count: (counts.get(line)?.count ?? 0) + 1 });
    }
  }
  const found = [...counts.values()].map(({ warning, count }) => {
    return { ...warning, message: `${warning.message}, in ${count} of ${renderCount(items.length, 'item')}` };
  });
  tellWarnings({ file, warnings: () => found }, { strict });
  return found.map((warning) => problemLine(file, warning));
}

/**
 * Reads JSON that a user gave. Throws SyntaxError for a text that is not JSON; CliError `InvalidInput` for a whole number that
 * would become another one.
 */
export function exactJson(given: string, place: string): Json {
  const value = JSON.parse(given) as Json;
  const large = largeInteger(given);
  if (!large) return value;
  throw new CliError(
    'InvalidInput',
    `${place}  ${large.path === '' ? '' : `${large.path}: `}${largeIntegerText(large.source)}.`,
  );
}

export function jsonOrNone(given: string, place: string): Json | undefined {
  try {
    return exactJson(given, place);
  } catch (error) {
    if (error instanceof CliError) throw error;
    return undefined;
  }
}
