import { isScalar } from 'yaml';
import type { BuiltPart } from './spec-nodes';
import type { WrittenPart } from './written-parts';

/** A part of a file that nothing of its spec comes from. */
interface LeftOut {
  part: WrittenPart;
  /** The next part beside it that is not left out. */
  next?: WrittenPart;
}

/** The maximum number of left-out lines that a comment quotes. */
const QUOTED_LINES = 30;

/** Lists the parts of a file that are in its spec in no form: each part as a whole, without the parts in it. */
export function findLeftOut(parts: readonly WrittenPart[], built: ReadonlyMap<WrittenPart, BuiltPart>): LeftOut[] {
  const kept = new Set<WrittenPart>();
  for (const part of built.keys())
    for (let each: WrittenPart | undefined = part; each; each = each.parent) kept.add(each);
  return parts.flatMap((part) => {
    if (!part.parent || kept.has(part) || !kept.has(part.parent)) return [];
    const next = parts.find(
      (other) => other.parent === part.parent && other.offset > part.offset && hasItsName(other, built.get(other)),
    );
    return [next ? { part, next } : { part }];
  });
}

/** Returns whether a part still has its key, and was not moved into another object. */
function hasItsName({ key }: WrittenPart, built: BuiltPart | undefined): boolean {
  return key !== undefined && isScalar(built?.place) && built.place.value === key.value;
}

/** Returns the text of a part, as lines of a comment. */
export function writtenText(text: string, { offset, key, value }: WrittenPart): string {
  const end = Math.max(key?.range?.[1] ?? offset, ...(isAfter(value?.range, offset) ? [value!.range![1]] : []));
  const indent = offset - (text.lastIndexOf('\n', offset - 1) + 1);
  const lines = text.slice(offset, end).trimEnd().split('\n');
  const shown = lines
    .slice(0, QUOTED_LINES)
    .map((line, at) => (at === 0 ? line : line.replace(RegExp(`^ {0,${indent}}`), '')));
  const more = lines.length > QUOTED_LINES ? ['…'] : [];
  return [...shown, ...more].map((line) => `   ${line.replace(/\r$/, '')}`).join('\n');
}

/** Returns whether a node is after an offset: the value of an alias is written elsewhere. */
function isAfter(range: readonly number[] | null | undefined, offset: number): boolean {
  return (range?.[0] ?? -1) >= offset;
}
