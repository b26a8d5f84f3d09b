import { foldText, roughSimilarity } from '../../lib/text/similarity';
import type { Issue } from '../contract/evaluation';
import type { Finding, Repair } from '../state/docket';
import { issueIdentity } from '../state/evaluation';

/** Marks around a quotation that are not part of it: quotation marks, and dots where words were left out. */
const AROUND = /^(?:["'“”„«»‘’`…]|\.{3}|\s)+|(?:["'“”„«»‘’`…]|\.{3}|\s)+$/g;

/** Returns a text with its white space normalized, so that a quotation is found in it across lines. */
export function plainText(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Returns the words of a quotation alone; empty if there are none. */
export function plainQuote(quote: string | undefined): string {
  return plainText(quote ?? '').replace(AROUND, '');
}

/**
 * Returns whether a text contains a quotation; false for one without words.
 *
 * @param plain the text as `plainText` returns it: large outputs are normalized once, and not for every finding
 */
export function isQuotedFrom(quote: string | undefined, plain: string): boolean {
  const words = plainQuote(quote);
  return words !== '' && plain.includes(words);
}

/** Similarities of two messages about the same words, and about words of which one contains the other, that make one finding. */
const SAME_WORDS = 0.15;
const WITHIN_WORDS = 0.3;
/** Similarity of two messages without a quotation that makes one finding. */
const WITHOUT_WORDS = 0.6;

/**
 * Returns whether an issue is a finding in other words: it is about the same place, and says something similar. What a person
 * waived or a second look did not uphold takes more: a new fault must not be taken for it.
 */
export function isReworded(issue: Issue, finding: Finding): boolean {
  if (issueIdentity(issue) === finding.identity) return true;
  const [one, other] = [plainQuote(issue.quote), plainQuote(finding.quote)];
  const similarity = roughSimilarity(issue.message, finding.message);
  if (one === '' || other === '') return one === other && similarity >= WITHOUT_WORDS;
  const isDismissed = finding.state === 'waived' || finding.state === 'contested';
  if (foldText(one) === foldText(other)) return similarity >= (isDismissed ? WITHIN_WORDS : SAME_WORDS);
  return (one.includes(other) || other.includes(one)) && similarity >= WITHIN_WORDS;
}

/** Characters of the words that a repair took out, and put in. */
const REPAIR_CHARACTERS = 1_000;
/** The share of a text above which a change is a new text, and no repair of a place. */
const MOST_OF_TEXT = 0.5;

/**
 * Returns the words between the first and the last that a revision changed; undefined if nothing changed, or too much to be the
 * repair of a place. Both texts are those that `plainText` returns.
 */
export function changedWords(before: string, after: string): Pick<Repair, 'took' | 'put'> | undefined {
  const [old, now] = [before.split(' '), after.split(' ')];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (
    end < old.length - start &&
    end < now.length - start &&
    old[old.length - 1 - end] === now[now.length - 1 - end]
  )
    end += 1;
  const took = old.slice(start, old.length - end).join(' ');
  const put = now.slice(start, now.length - end).join(' ');
  if (put === '' || put.length > after.length * MOST_OF_TEXT) return undefined;
  if (took.length > REPAIR_CHARACTERS || put.length > REPAIR_CHARACTERS) return undefined;
  return { took, put };
}

/** A longer quotation that contains a repair is about it if the repair has this share of it, or these characters: an article is in many. */
const TELLING_SHARE = 1 / 3;
const TELLING_CHARACTERS = 12;

function containsWords(text: string, words: string): boolean {
  return ` ${text} `.includes(` ${words} `);
}

/** Returns whether a quotation is of the words that a repair put in. */
export function isOfRepair(quote: string | undefined, { took, put }: Repair): boolean {
  const words = plainQuote(quote);
  if (words === '' || took.includes(words)) return false;
  const isTelling = put.length >= Math.min(TELLING_CHARACTERS, words.length * TELLING_SHARE);
  return containsWords(put, words) || (isTelling && containsWords(words, put));
}
