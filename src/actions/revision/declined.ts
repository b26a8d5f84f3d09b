/** The line by which an author declines a point: it comes after the text, and is no part of it. */
const LINE = /^[\W_]{0,6}DECLINED[\s:*_]{1,4}(F\d{1,5})[\s*_]{0,3}[:.–—-][\s*_]{0,3}(\S.*)$/;
const REASON_CHARACTERS = 400;
const MOST = 10;

/** The request to say why a point is not repaired. */
export const MAY_DECLINE =
  'If a point with an id such as F1 is wrong, leave its place as it is, and end your reply with a line such as this, one for each such point: ' +
  'DECLINED F1: the reason in a sentence.';

/**
 * Takes the lines off the end of a reply by which its author declines points; undefined if there are none.
 *
 * @param ids of the points that the author was given
 */
export function takeDeclined(
  reply: string,
  ids: ReadonlySet<string>,
): { reply: string; declined?: Record<string, string> } {
  const lines = reply.trimEnd().split('\n');
  const declined: Record<string, string> = {};
  let end = lines.length;
  for (; end > 0 && Object.keys(declined).length < MOST; end -= 1) {
    const line = lines[end - 1]!.trim();
    const [, id, reason] = line.length > 4_000 ? [] : (LINE.exec(line) ?? []);
    if (id !== undefined && reason !== undefined && ids.has(id))
      declined[id] ??= reason.trim().slice(0, REASON_CHARACTERS);
    else if (line !== '') break;
  }
  if (Object.keys(declined).length === 0) return { reply };
  return { reply: lines.slice(0, end).join('\n').trimEnd(), declined };
}
