import { type Change, diffLines, diffWordsWithSpace } from 'diff';

/** A part of two texts: in both, only in the first, or only in the second. */
export interface DiffPart {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/** Changes that are looked for at most: the time grows with their square. */
const MOST_EDITS = 3_000;

/**
 * What changed between two texts, word by word; line by line where there are too many changed words. Undefined: they have
 * too little in common.
 */
export function wordDiff(before: string, after: string): DiffPart[] | undefined {
  const bounded = { maxEditLength: MOST_EDITS };
  // The types of the library do not tell that a bounded search may give up.
  const changes = (diffWordsWithSpace(before, after, bounded) ?? diffLines(before, after, bounded)) as
    Change[] | undefined;
  return changes?.map(({ value, added, removed }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: value,
  }));
}
