type Expected = 'value' | 'value_or_end' | 'name' | 'name_or_end' | 'colon' | 'comma_or_end' | 'nothing';

const SPACE = /[ \t\r\n]*/y;
const STRING = /"(?:[\u0020\u0021\u0023-\u005B\u005D-\u{10FFFF}]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"/uy;
const SCALAR =
  /"(?:[\u0020\u0021\u0023-\u005B\u005D-\u{10FFFF}]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy;

const WORDS: Record<Expected, (open: string | undefined) => string> = {
  value: () => 'a value is expected',
  value_or_end: () => 'a value or "]" is expected',
  name: () => 'a name in double quotes is expected',
  name_or_end: () => 'a name in double quotes or "}" is expected',
  colon: () => 'a ":" is expected',
  comma_or_end: (open) => `a "," or "${open === '{' ? '}' : ']'}" is expected`,
  nothing: () => 'nothing is expected behind the value',
};

/** Finds the first problem of a text as JSON: its position and what was expected. */
export function jsonMistake(text: string): string | undefined {
  const open: string[] = [];
  let expected: Expected = 'value';
  let at = 0;
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at += found[0].length;
    return found !== null;
  };
  const after = (): Expected => (open.length === 0 ? 'nothing' : 'comma_or_end');
  for (;;) {
    take(SPACE);
    if (at === text.length && expected === 'nothing') return undefined;
    const character = text[at] ?? '';
    const closes = character === (open.at(-1) === '{' ? '}' : ']') && open.length > 0;
    if (closes && (expected === 'comma_or_end' || expected === 'name_or_end' || expected === 'value_or_end')) {
      open.pop();
      at += 1;
      expected = after();
    } else if (expected === 'comma_or_end' && character === ',') {
      at += 1;
      expected = open.at(-1) === '{' ? 'name' : 'value';
    } else if (expected === 'colon' && character === ':') {
      at += 1;
      expected = 'value';
    } else if ((expected === 'name' || expected === 'name_or_end') && take(STRING)) expected = 'colon';
    else if ((expected === 'value' || expected === 'value_or_end') && (character === '{' || character === '[')) {
      open.push(character);
      at += 1;
      expected = character === '{' ? 'name_or_end' : 'value_or_end';
    } else if ((expected === 'value' || expected === 'value_or_end') && take(SCALAR)) expected = after();
    else break;
  }
  const before = text.slice(0, at).split(/\r\n|\r|\n/);
  return `line ${before.length}, column ${before.at(-1)!.length + 1}: ${WORDS[expected](open.at(-1))}`;
}
