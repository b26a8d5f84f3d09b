import { isJsonObject, type Json, textOf } from '../../lib/json/json';
import { jsonPointer, pointerSegments, valueAt } from '../../lib/json/json-pointer';
import { REPAIR_METHODS } from '../base/choices';
import { decidesBy, type Rules } from '../base/rules';
import { dateOf } from '../evaluation/written-dates';
import { soleJsonIn } from '../evaluation/output-reading';
import type { PendingOutput, ReflectionVersion } from '../state/loop-state';
import { differences } from '../../lib/text/json-difference';
import { lineageIssues } from './attempts';
import { foldText } from '../../lib/text/similarity';

/** Characters of a text in which values are looked for. */
const MOST_CHARACTERS = 256 * 1024;

/** Differences that are looked at, and those that are named. */
const MOST_DIFFERENCES = 200;
const MOST_NAMED = 5;

/** Returns the values of an output; undefined for prose. */
function valuesOf(output: Json): Json | undefined {
  const value = typeof output === 'string' && output.length <= MOST_CHARACTERS ? soleJsonIn(output) : output;
  return typeof value === 'object' && value !== null ? value : undefined;
}

/** Converts all values to texts: a number that a schema made of a text is the same value. */
function asWritten(value: Json): Json {
  if (Array.isArray(value)) return value.map(asWritten);
  if (!isJsonObject(value)) return value === null ? value : String(value);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, asWritten(each)]));
}

/** Returns the path that an issue is about: for one inside of a list that of the list, whose other entries move if one goes. */
function placeOf(path: string, values: Json): string {
  const segments = pointerSegments(path);
  let at: Json | undefined = values;
  for (const [depth, segment] of segments.entries()) {
    if (Array.isArray(at)) return jsonPointer(segments.slice(0, depth));
    at = typeof at === 'object' && at !== null && Object.hasOwn(at, segment) ? at[segment] : undefined;
  }
  return path;
}

function isWithin(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}

/** Returns whether an issue is about one path of an output: code may have its own way to name places. */
function isPlace(path: string | undefined): path is string {
  return path !== undefined && path.startsWith('/');
}

/** Normalizes a value that may be written in several ways: a date, digits in groups, letter case and white space. */
function normalizeValue(value: Json | undefined): string | undefined {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return undefined;
  const text = foldText(value.normalize('NFKC'));
  const isGrouped = /^-?\d{1,3}(?:[, ]\d{3})+(?:\.\d+)?$/.test(text);
  return dateOf(text) ?? (isGrouped ? text.replace(/[, ]/g, '') : text);
}

/**
 * Lists the changes of a repair that no issue is about, by JSON Pointers. None if an issue is about all of the output, or any
 * place. By rules 2, another way of writing the same value does not count as a change.
 */
export function unaskedChanges(
  before: Json,
  after: Json,
  issuePaths: readonly (string | undefined)[],
  rules?: Rules,
): string[] {
  const [old, now] = [valuesOf(before), valuesOf(after)];
  if (old === undefined || now === undefined || !issuePaths.every(isPlace)) return [];
  const places = issuePaths.map((path) => placeOf(path, old));
  const changed = differences(asWritten(now), asWritten(old), MOST_DIFFERENCES).map(({ path }) => path);
  const unasked = changed.filter((path) => !places.some((place) => isWithin(path, place) || isWithin(place, path)));
  if (!decidesBy(rules, 2)) return unasked;
  return unasked.filter((path) => {
    const value = normalizeValue(valueAt(now, path));
    return value === undefined || value !== normalizeValue(valueAt(old, path));
  });
}

/** Warns of the changes that the revision of a version made without an issue; no warning if there are none. */
function unaskedChangeWarning(
  { output, origin, strategy }: Pick<PendingOutput, 'output' | 'origin' | 'strategy'>,
  base: ReflectionVersion | undefined,
  versions: readonly ReflectionVersion[],
  rules?: Rules,
): string[] {
  const isRepair = origin === 'revision' && (REPAIR_METHODS as readonly (string | undefined)[]).includes(strategy);
  if (!isRepair || !base || base.omittedBytes !== undefined) return [];
  const paths = lineageIssues(base, versions).map(({ path }) => path);
  if (paths.length === 0) return [];
  const changed = unaskedChanges(base.output, output, paths, rules);
  if (changed.length === 0) return [];
  const more = changed.length > MOST_NAMED ? `, and ${changed.length - MOST_NAMED} more` : '';
  return [`the revision changed what no issue is about: ${changed.slice(0, MOST_NAMED).join(', ')}${more}`];
}

/**
 * Warns of a revision that gave the same output again: its author sees nothing to repair, and a check does. Older rules have no
 * such warning.
 */
function unchangedWarning(
  { origin, output }: Pick<PendingOutput, 'origin' | 'output'>,
  base: ReflectionVersion | undefined,
  rules: Rules,
): string[] {
  const isSame =
    decidesBy(rules, 3) &&
    origin === 'revision' &&
    base !== undefined &&
    base.omittedBytes === undefined &&
    textOf(base.output) === textOf(output);
  return isSame ? [`the revision is version ${base.iteration} unchanged: its author and its checks disagree`] : [];
}

/** Warns of a revision that changes what no issue is about, or nothing at all. A reviewer may ask for any change. */
export function changeWarnings(
  pending: Pick<PendingOutput, 'output' | 'origin' | 'strategy' | 'isGuided'>,
  base: ReflectionVersion | undefined,
  versions: readonly ReflectionVersion[],
  rules?: Rules,
): string[] {
  const unasked = pending.isGuided ? [] : unaskedChangeWarning(pending, base, versions, rules);
  return [...unasked, ...unchangedWarning(pending, base, rules)];
}
