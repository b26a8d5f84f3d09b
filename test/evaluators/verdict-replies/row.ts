/** The code that a reply of these tables is asked for. */
export const CODE = '5eed5eed5eed5eed';

/**
 * What a reply must be read as, the reply, and the draft that it judges. A reading is `pass`, `fail`, each with a score where it
 * matters, or `?` where a reader that is in doubt says so. The threshold is 0.8.
 */
export type Row = [expected: string, reply: string, draft?: string];

/** A reply in the form that was asked for. */
export function coded(fields: object): string {
  return JSON.stringify({ code: CODE, ...fields });
}

/** Lines in the form that was asked for. */
export function codedLines(...lines: string[]): string {
  return [`Code: ${CODE}`, ...lines].join('\n');
}
