import { linearPattern, MAX_STEPS, PatternTooLarge } from '../patterns';

const SPACES = String.raw`\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff`;
const LINE_ENDS = String.raw`\n\r\u2028\u2029`;

/** Linear time where the engine supports the pattern; JavaScript's own, for lookaheads and backreferences, is interrupted. */
export function standardPattern(pattern: string, flags: string): { test(text: string): boolean } {
  const same = withStandardClasses(pattern);
  if (same !== undefined) {
    try {
      return linearPattern(same);
    } catch {
      // Whether it is a pattern at all is for JavaScript to say.
    }
  }
  try {
    return new RegExp(pattern, flags);
  } catch {
    // In Unicode mode as the standard says, else in the common notation (`\-`, `\_`).
    return new RegExp(pattern);
  }
}

export function stepsOfPattern(pattern: string): number {
  const same = withStandardClasses(pattern);
  if (same === undefined) return 0;
  try {
    return linearPattern(same).programSize();
  } catch (error) {
    return error instanceof PatternTooLarge ? MAX_STEPS : 0;
  }
}

function withStandardClasses(pattern: string): string | undefined {
  let text = '';
  let isInClass = false;
  for (let index = 0; index < pattern.length; index++) {
    const character = pattern[index]!;
    if (character === '\\') {
      const escaped = pattern[++index] ?? '';
      if (escaped === 'S' && isInClass) return undefined;
      if (escaped === 's') text += isInClass ? SPACES : `[${SPACES}]`;
      else if (escaped === 'S') text += `[^${SPACES}]`;
      else text += character + escaped;
      continue;
    }
    if (character === '[') isInClass = true;
    if (character === ']') isInClass = false;
    text += character === '.' && !isInClass ? `[^${LINE_ENDS}]` : character;
  }
  return text;
}
