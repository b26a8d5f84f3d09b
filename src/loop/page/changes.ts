import { type Json, textOf } from '../../lib/json/json';
import { jsonPointer, readablePath } from '../../lib/json/json-pointer';
import { jsonInText } from '../evaluation/output-reading';
import { withoutAttachments } from '../../lib/text/attachment-text';
import { oneLine } from '../../lib/text/summary-text';

const VALUE_LENGTH = 60;

/** Lists what changed from one output to the next, one line for each change; structured if both hold JSON. */
export function listChanges(earlier: Json, later: Json): string[] {
  const [before, after] = [withoutAttachments(earlier), withoutAttachments(later)];
  const [old, current] = [findStructure(before), findStructure(after)];
  if (old !== undefined && current !== undefined) {
    const changes = [...differences(old, current, [])];
    return changes.length > 0 || textOf(before) === textOf(after) ? changes : ['only how it is written'];
  }
  return lineDifferences(textOf(before), textOf(after));
}

function findStructure(output: Json): Json | undefined {
  if (typeof output === 'object' && output !== null) return output;
  if (typeof output !== 'string') return undefined;
  for (const { value } of jsonInText(output)) if (typeof value === 'object' && value !== null) return value;
  return undefined;
}

function renderJson(value: Json): string {
  return oneLine(JSON.stringify(value), VALUE_LENGTH);
}

function nameOf(path: string[]): string {
  return oneLine(readablePath(jsonPointer(path)), VALUE_LENGTH) || 'all of it';
}

function* differences(before: Json, after: Json, path: string[]): Generator<string> {
  if (isContainer(before) && isContainer(after) && Array.isArray(before) === Array.isArray(after)) {
    const [old, current] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
    for (const [key, value] of old) {
      const next = current.get(key);
      if (next !== undefined) yield* differences(value, next, [...path, key]);
      else yield `− ${nameOf([...path, key])}`;
    }
    for (const [key, value] of current) {
      if (!old.has(key)) yield `+ ${nameOf([...path, key])}: ${renderJson(value)}`;
    }
  } else if (JSON.stringify(before) !== JSON.stringify(after))
    yield `${nameOf(path)}: ${renderJson(before)} → ${renderJson(after)}`;
}

function isContainer(value: Json): value is Json[] | { [key: string]: Json } {
  return typeof value === 'object' && value !== null;
}

function lineDifferences(before: string, after: string): string[] {
  if (before === after) return [];
  const [old, current] = [linesOf(before), linesOf(after)];
  return [
    ...[...old].filter((line) => !current.has(line)).map((line) => `− ${oneLine(line, VALUE_LENGTH * 2)}`),
    ...[...current].filter((line) => !old.has(line)).map((line) => `+ ${oneLine(line, VALUE_LENGTH * 2)}`),
  ];
}

function linesOf(text: string): Set<string> {
  return new Set(text.split(/\r?\n/).filter((line) => line.trim() !== ''));
}
