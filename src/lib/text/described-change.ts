import { linesOf } from './left-out';

const MOST_CHARACTERS = 256 * 1024;

/** Forms of one or two parts; each matches in a few steps from any place. A form that the text has is no sign. */
const DIFFS: readonly RegExp[][] = [
  // Search and replace blocks, whatever the rules around them are made of, and conflict markers.
  [/^[ \t>]{0,20}[<>=+*#~-]{3,12} ?\[?(?:SEARCH|REPLACE|FIND|ORIGINAL|UPDATED|REPLACEMENT|HEAD|REVISED)\b/m],
  [/^[ \t]{0,20}(?:SEARCH|FIND|ORIGINAL) ?[<>=+*-]{3,12}[ \t]*$/m],
  [/^[ \t]{0,20}<{5,9}(?: .{0,80})?$/m, /^[ \t]{0,20}={5,9}[ \t]*$/m, /^[ \t]{0,20}>{5,9}(?: .{0,80})?$/m],
  // Diffs: unified, of git, with context, plain; and patches of agents.
  [/^@@(?: -\d+(?:,\d+)? \+\d+(?:,\d+)? @@| .{0,100} @@)?[ \t]*/m, /^[+-]/m],
  [/^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/m],
  [/^--- \S/m, /^\+\+\+ \S/m],
  [/^diff --git /m],
  [/^Index: \S/m, /^={20,80}$/m],
  [/^```(?:diff|patch)\b/im],
  [/^\*{3} \d+(?:,\d+)? \*{4}/m],
  [/^\d+(?:,\d+)?[acd]\d+(?:,\d+)?[ \t]*$/m, /^[<>] /m],
  [/^\*{3} (?:Begin Patch|End Patch|(?:Update|Add|Delete) File: )/m],
];

const FORMS: readonly RegExp[][] = [
  ...DIFFS,
  // Tags.
  [
    /<(?:search|find|old\w{0,12}|original|before|from)\b[^>\n]{0,80}>/i,
    /<(?:replace\w{0,12}|new\w{0,12}|updated|corrected|after|to|with)\b[^>\n]{0,80}>/i,
  ],
  [
    /^[ \t]{0,20}<(?:edits?|changes?|diff|patch|apply_?\w{1,20}|function_calls|invoke|tool_call|str_replace|insert|delete)\b[^>\n]{0,80}>/im,
  ],
  // Objects with an old and a new text, or with operations, however they are quoted.
  [
    /["'](?:old|search|find|original|before|from|target)_?(?:str|string|text|lines?|content|value|code)?["']\s{0,9}:/i,
    /["'](?:new|replace\w{0,6}|updated|corrected|after|to|replacement)_?(?:str|string|text|lines?|content|value|code|with)?["']\s{0,9}:/i,
  ],
  [
    /["'](?:op|operation|action|type|command)["']\s{0,9}:\s{0,9}["'](?:add|remove|replace|move|copy|test|insert|delete|update|edit|str_replace)["']/i,
  ],
  [/["'](?:edits|patch|patches|diff|changes|operations|replacements|modifications)["']\s{0,9}:\s{0,9}[["{]/i],
];

function marksLines(lines: readonly string[], old: ReadonlySet<string>): boolean {
  const linesWithSign = (sign: RegExp): string[] =>
    lines.flatMap((line) => (!old.has(line) && sign.test(line) ? [line.slice(1).trim()] : []));
  const removed = linesWithSign(/^[-−–]/).filter((line) => old.has(line));
  return removed.length > 0 && linesWithSign(/^\+/).length > 0;
}

function hasNewForm(forms: readonly RegExp[][], text: string, before: string): boolean {
  const has = (form: readonly RegExp[], where: string): boolean => form.every((part) => part.test(where));
  return forms.some((form) => has(form, text) && !has(form, before));
}

/**
 * Returns whether a reply describes a change of a text in a form that edits are known by, instead of being the text: a diff,
 * a patch, search and replace marks, tags or objects of old and new. A form that the text has itself is not a sign.
 */
export function describesChange(reply: string, before: string): boolean {
  const text = reply.slice(0, MOST_CHARACTERS);
  return hasNewForm(FORMS, text, before) || marksLines(linesOf(text), new Set(linesOf(before)));
}

const TELLING_CHARACTERS = 8;

/** Returns whether a reply is a diff of a text, or edits of it in blocks, although the text as a whole was requested. */
export function isDiffOf(reply: string, before: string): boolean {
  const text = reply.slice(0, MOST_CHARACTERS);
  if (!hasNewForm(DIFFS, text, before)) return false;
  const [lines, old] = [linesOf(text), new Set(linesOf(before))];
  const kept = new Set(lines.filter((line) => old.has(line))).size;
  if (kept > 0 && 2 * kept >= old.size) return false;
  return lines.some((line) => {
    const unmarked = line.replace(/^[-<!] ?/, '').trim();
    return unmarked.length >= TELLING_CHARACTERS && old.has(unmarked);
  });
}
