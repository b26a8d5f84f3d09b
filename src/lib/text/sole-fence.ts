const OPENING = /^[ \t]{0,3}(`{3,20}|~{3,20})[ \t]*([^`\n]{0,60})\r?\n/;

/** The inside of a fence that is all of a text; undefined with text around it, or an early end. */
export function soleFence(text: string): string | undefined {
  const whole = text.trim();
  const [opening, marks] = OPENING.exec(whole) ?? [];
  if (opening === undefined || marks === undefined) return undefined;
  const closing = /\r?\n?[ \t]{0,3}(`{3,20}|~{3,20})$/.exec(whole.slice(opening.length));
  if (closing?.[1] !== marks) return undefined;
  const inside = whole.slice(opening.length, opening.length + closing.index);
  // A line that begins with the marks ends the fence, or begins another one.
  return inside.split('\n').some((line) => line.trimStart().startsWith(marks)) ? undefined : inside;
}
