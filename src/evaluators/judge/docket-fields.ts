import type { Json, JsonObject } from '../../lib/json/json';

/** The marks of a judge that keeps a docket, beside what an issue says. */
export interface DocketMarks {
  /** Id of the earlier finding that an issue is. */
  finding?: string;
  /** The words of the output that it is about. */
  quote?: string;
  /** Id of the fixed finding whose repair it asks to take back. */
  contradicts?: string;
}

const ID = /\bF\d{1,5}\b/gi;
const LEADING_ID = /^\W{0,3}(F\d{1,5})\b\W{0,3}/i;
const TRAILING_QUOTE = /["“„«]([^"“”„«»]{3,300})["”“»][\s.)\]]*$/;
const QUOTE_CHARACTERS = 300;

function idIn(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value.match(ID)?.[0].toUpperCase() : undefined;
}

/** Reads the marks of an issue. */
export function readMarks({ finding, quote, contradicts }: JsonObject): DocketMarks {
  const [id, other] = [idIn(finding), idIn(contradicts)];
  const words = typeof quote === 'string' ? quote.trim().slice(0, QUOTE_CHARACTERS) : '';
  return { ...(id && { finding: id }), ...(words && { quote: words }), ...(other && { contradicts: other }) };
}

/** Reads the ids of findings that are gone, from a list, a text or a map of them. */
export function readFixed(values: readonly Json[]): { fixedFindings?: string[] } {
  const ids = values.flatMap((value) => (JSON.stringify(value).match(ID) ?? []).map((id) => id.toUpperCase()));
  return ids.length === 0 ? {} : { fixedFindings: [...new Set(ids)] };
}

/**
 * Reads the marks in the words of an issue where its fields say nothing: the id that it begins with, if there is such a finding,
 * and the quotation at its end.
 */
export function withMarks<Issue extends DocketMarks & { message: string }>(
  issue: Issue,
  ids: ReadonlySet<string>,
): Issue {
  const [all = '', leading] = LEADING_ID.exec(issue.message) ?? [];
  const id = issue.finding ?? leading?.toUpperCase();
  const [, quoted] = TRAILING_QUOTE.exec(issue.message) ?? [];
  const quote = issue.quote ?? quoted?.trim();
  const { finding: _finding, quote: _quote, contradicts, ...rest } = issue;
  const isKnown = id !== undefined && ids.has(id);
  const message = isKnown && leading?.toUpperCase() === id ? issue.message.slice(all.length).trim() : issue.message;
  return {
    ...rest,
    message: message === '' ? issue.message : message,
    ...(isKnown && { finding: id }),
    ...(quote && { quote }),
    ...(contradicts !== undefined && ids.has(contradicts) && { contradicts }),
  } as Issue;
}

/** Leaves out the marks of an issue of a judge that keeps no docket. */
export function withoutMarks<Issue extends DocketMarks>(issue: Issue): Omit<Issue, keyof DocketMarks> {
  const { finding: _finding, quote: _quote, contradicts: _contradicts, ...rest } = issue;
  return rest;
}
