/** The lines by which an author declines points, up to an empty line; perhaps in a fence. They are no part of the text. */
const LINES =
  /(?:^|\n{1,2})(?:[ \t]*(?:`{3}|~{3})\w*\n)?(?:[^\w\n]|_){0,6}DECLINED[\s:*_([]{1,4}(F\d{1,5}(?:[\s,&]{1,3}(?:and )?F\d{1,5}){0,9})[\s*_)\]]{0,4}[:.–—-][\s*_]{0,3}([^]{1,4000}?)(?=\n[ \t]*\n|\n(?:[^\w\n]|_){0,6}DECLINED\b|\n[ \t]*(?:`{3}|~{3})|$)(?:\n[ \t]*(?:`{3}|~{3})[ \t]*(?=\n|$))?/gi;
/** Characters of words that may follow them. */
const MOST_BEHIND = 300;
const REASON_CHARACTERS = 400;
const MOST = 10;

/** The request to say why a point is not repaired. */
export const MAY_DECLINE =
  'If a point with an id such as F1 is wrong, leave its place as it is, and end your reply with a line such as this, one for each such point: ' +
  'DECLINED F1: the reason in a sentence.';

/**
 * Takes the lines off the end or the beginning of a reply by which its author declines points; undefined if there are none.
 *
 * @param ids of the points that the author was given
 */
export function takeDeclined(
  reply: string,
  ids: ReadonlySet<string>,
): { reply: string; declined?: Record<string, string> } {
  const text = reply.trimEnd();
  const declined: Record<string, string> = {};
  let seen = 0;
  const kept = text.replace(LINES, (lines: string, named: string, reason: string, at: number) => {
    if (++seen > MOST) return lines;
    const points = named.toUpperCase().match(/F\d+/g)!;
    const behind = text
      .slice(at + lines.length, at + lines.length + REASON_CHARACTERS * MOST)
      .replace(LINES, '')
      .trim();
    const isBeside = text.slice(0, at).replace(LINES, '').trim() === '' || behind.length <= MOST_BEHIND;
    if (!isBeside || !points.every((id) => ids.has(id))) return lines;
    for (const id of points) declined[id] = reason.replaceAll(/\s+/g, ' ').trim().slice(0, REASON_CHARACTERS);
    return '';
  });
  return Object.keys(declined).length === 0 ? { reply } : { reply: kept.replace(/^\n+/, '').trimEnd(), declined };
}
