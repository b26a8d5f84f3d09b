import { type Change, diffLines, diffWordsWithSpace } from 'diff';

export interface DiffPart {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/** Changed words, and spaces between them, that are looked for in two texts; the work grows with the square. */
const MOST_WORDS = 1_000;
const MOST_LINES = 1_500;
/** Words or lines that are compared with each other for one page, after which no comparison is begun: about half a second. */
const MOST_WORK = 4_000_000;

/** The comparisons of a page. All of them together do a limited amount of work, however many and large the texts are. */
export class Comparisons {
  work = 0;

  /**
   * Returns the changes between two texts, word by word; line by line if there are too many changed words. Else the reason why
   * they are not known: the texts have too little in common, or the page has no more room for work.
   */
  between(before: string, after: string): DiffPart[] | 'too_different' | 'left_out' {
    if (this.work >= MOST_WORK) return 'left_out';
    const comparator = (one: string, other: string): boolean => {
      this.work += 1;
      return one === other;
    };
    const words = { maxEditLength: MOST_WORDS, comparator };
    const lines = { maxEditLength: MOST_LINES, comparator };
    // The types of the library do not show that a bounded search may give up.
    const changes = (diffWordsWithSpace(before, after, words) ?? diffLines(before, after, lines)) as
      Change[] | undefined;
    if (!changes) return 'too_different';
    return changes.map(({ value, added, removed }) => ({
      kind: added ? 'added' : removed ? 'removed' : 'same',
      text: value,
    }));
  }
}
