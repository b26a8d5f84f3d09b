const CONTROL = '\\x00-\\x1f\\x7f-\\x9f';
/** ASCII that is neither a letter nor a digit: no language but JavaScript and Go has `\p` in its own patterns. */
const SIGNS = '\\x00-/:-@\\[-`{-\\x9f';

/** Forms that other languages lack, and their replacements, which take the same or a little more: the worker checks all of it. */
const FORMS: readonly [RegExp, string][] = [
  // Conditions without brackets in them.
  [/\(\?[=!](?:[^()\\]|\\.)*\)/g, ''],
  [/\\P\{Cc\}/g, `[^${CONTROL}]`],
  [/\\p\{Cc\}/g, CONTROL],
  [/\[\\p\{L\}\\p\{N\}\]/g, `[^${SIGNS}]`],
  [/\\\//g, '/'],
];

/**
 * Returns a pattern of a published JSON Schema in the forms that the regular expressions of all languages share: programs make
 * types of the schemas, and the patterns of Python, Go (RE2), Rust and Java differ from those of JavaScript.
 */
export function portablePattern(pattern: string): string {
  const shared = FORMS.reduce((text, [form, other]) => text.replace(form, () => other), pattern);
  return shared.replace(/\\u([0-9a-f]{4})/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
