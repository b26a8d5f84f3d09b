import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type HistoryFile, historyText, type Recording } from '../../src/apps/testing/replay/history-file';
import { RECORDED_IN } from './folders';

/** Where recorded histories are. */
export const HISTORIES = join(__dirname, '..', '..', RECORDED_IN.at(-1)!.folder);

/** Workflows of an owner whose worker has `ReflectionPlugin`. */
export const OWN_WORKFLOWS = require.resolve('./own-workflows');

/** All recordings, sorted by name. */
export function readRecordings(): Recording[] {
  const files = existsSync(HISTORIES) ? readdirSync(HISTORIES) : [];
  const names = files.filter((file) => file.endsWith('.json')).map((file) => file.slice(0, -'.json'.length));
  return names.toSorted().map((name) => ({
    name,
    history: JSON.parse(readFileSync(join(HISTORIES, `${name}.json`), 'utf8')) as HistoryFile,
  }));
}

/** The names of the recordings of a scenario. */
export function recordingsOf(scenario: string, names: readonly string[]): string[] {
  return names.filter(
    (name) => name === scenario || (name.startsWith(`${scenario}-`) && /^\d+$/.test(name.slice(scenario.length + 1))),
  );
}

/** Replaces the recordings of a scenario. */
export function writeRecordings(scenario: string, histories: readonly HistoryFile[]): void {
  mkdirSync(HISTORIES, { recursive: true });
  const names = readRecordings().map(({ name }) => name);
  for (const name of recordingsOf(scenario, names)) rmSync(join(HISTORIES, `${name}.json`));
  for (const [index, history] of histories.entries()) {
    const name = histories.length === 1 ? scenario : `${scenario}-${index + 1}`;
    writeFileSync(join(HISTORIES, `${name}.json`), historyText(history));
  }
}
