import { linesOf } from './left-out';

/** Characters of a reply in which a description of a change is looked for: what is longer than that is hardly one. */
const MOST_CHARACTERS = 256 * 1024;

/**
 * Lines by which blocks and diffs are recognized, each a form of one or two parts. Each matches in a few steps from any
 * place. A form that the text itself has is not a sign.
 */
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

/** Other forms that show that a reply consists of edits. */
const FORMS: readonly RegExp[][] = [
  ...DIFFS,
  // Commands of editors.
  [/^[ \t`$]{0,20}sed (?:-\w{1,5} ){0,4}['"]/m],
  [/^[ \t]{0,20}:?(?:\d+(?:,\d+)?|%)?s([/|#,!@])[^\n]{1,500}\1[^\n]{0,500}\1[gimIpc\d]{0,5};?[ \t]*$/m],
  [/^(?:\d+(?:,(?:\d+|\$))?|\/[^/\n]{1,200}\/)[aci]\\?[ \t]*$/m, /^\.[ \t]*$/m],
  [/^(?:\d+|\$)(?:,(?:\d+|\$))?d[ \t]*$/m],
  [/\bstr_replace(?:_\w{1,40})?\b/],
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
  // Old and new under labels.
  [
    /^[^\p{L}\p{N}\n]{0,8}(?:search|find|old|original|before|current|was|alt|vorher|avant|ancien|antes|original|prima|之前|原文|変更前|修正前|до|было)(?: (?:text|line|string|version|code|sentence))?[^\p{L}\p{N}\n]{0,4}[:：]/imu,
    /^[^\p{L}\p{N}\n]{0,8}(?:replace(?:ment| with)?|new|updated|revised|corrected|after|now|neu|nachher|après|nouveau|después|nuevo|depois|novo|dopo|nuovo|之后|修改后|変更後|修正後|после|стало)(?: (?:text|line|string|version|code|sentence))?[^\p{L}\p{N}\n]{0,4}[:：]/imu,
  ],
];

/** Two texts in quotes on one line: the old one, and the new one. */
const QUOTED =
  /(["“„«`'‘「『])([^\n]{1,300}?)["”“»`'’」』]([^\n"“„«`'‘「『]{1,60})["“„«`'‘「『]([^\n]{0,300}?)["”“»`'’」』]/gu;

/** Words and signs that say that one text takes the place of another, in some languages. */
const INSTEAD =
  /(?:->|=>|→|⇒|➜|\b(?:with|by|to|into|becomes|instead|durch|zu|ersetz\w*|par|por|con|en|door|met|na|con|пo|на)\b|改为|改成|替换为|替換為|を|に)/iu;

/** Verbs that begin an order to change something. */
const ORDER =
  /^[^\p{L}\n]{0,12}(?:(?:please|bitte|then|also|first|next|in|on|at|line|the|para\w*|sentence)\b[^\n"“„«`'‘「『]{0,60}?)?(?:replace|change|substitute|swap|rename|correct|edit|update|modify|delete|remove|insert|add|ersetzen?|ersetze|ändern?|ändere|tausche|streiche|remplace[rz]?|change[rz]|modifie[rz]?|reemplaz\w+|cambi\w+|sustitu\w+|substitu\w+|troque|altere|sostitui\w*|modific\w+|vervang\w*|wijzig|zamień|zmień|замени\w*|измени\w*|将|把|「)/imu;

/** Lines of numbered listings: `3: text`, `3 | text`, `L3 text`, and of diffs without a header. */
const NUMBERED = /^[ \t]{0,8}(?:line |zeile |ligne |l)?\d{1,6}[ \t]{0,3}[:|)→][ \t]?(.+)$/i;

function has(form: readonly RegExp[], text: string): boolean {
  return form.every((part) => part.test(text));
}

/** Returns whether lines have a sign before them: some take lines of the text away, others put new ones in their place. */
function marksLines(lines: readonly string[], old: ReadonlySet<string>): boolean {
  const linesWithSign = (sign: RegExp): string[] =>
    lines.flatMap((line) => (!old.has(line) && sign.test(line) ? [line.slice(1).trim()] : []));
  const removed = linesWithSign(/^[-−–]/).filter((line) => old.has(line));
  return removed.length > 0 && linesWithSign(/^\+/).length > 0;
}

/** Returns whether a reply is some lines of the text with their numbers before them, in the place of all of it. */
function numbersLines(lines: readonly string[], old: ReadonlySet<string>): boolean {
  const numbered = lines.filter((line) => !old.has(line) && NUMBERED.test(line));
  return numbered.length > 0 && numbered.length === lines.length && lines.length < old.size;
}

/** Returns whether a sentence quotes some of the text, and the text that is to take its place. */
function ordersChange(reply: string, before: string, isKept: boolean): boolean {
  return reply.split('\n').some((line) => {
    if (before.includes(line.trim())) return false;
    const isOrder = ORDER.test(line);
    for (const [, , quoted = '', between = ''] of line.matchAll(QUOTED)) {
      if (!before.includes(quoted)) continue;
      if (isOrder || (!isKept && INSTEAD.test(between))) return true;
    }
    return false;
  });
}

/** Returns whether a reply is an order to change something, with nothing of the text around it. */
function isBareOrder(lines: readonly string[], isKept: boolean, old: ReadonlySet<string>): boolean {
  return !isKept && lines.length > 0 && lines.length < old.size && lines.every((line) => ORDER.test(line));
}

function hasNewForm(forms: readonly RegExp[][], text: string, before: string): boolean {
  return forms.some((form) => has(form, text) && !has(form, before));
}

/** Returns the lines of a text, and whether it keeps at least half of another text. */
function keptLines(text: string, before: string): { lines: string[]; old: Set<string>; isKept: boolean } {
  const old = new Set(linesOf(before));
  const lines = linesOf(text);
  const kept = new Set(lines.filter((line) => old.has(line))).size;
  return { lines, old, isKept: kept > 0 && 2 * kept >= old.size };
}

/**
 * Returns whether a reply describes a change of a text in a form that edits are known by, instead of being the text: a diff,
 * a patch, pairs of old and new, commands of editors, orders in words. A form that the text has itself is not a sign.
 */
export function describesChange(reply: string, before: string): boolean {
  const text = reply.slice(0, MOST_CHARACTERS);
  if (hasNewForm(FORMS, text, before)) return true;
  const { lines, old, isKept } = keptLines(text, before);
  return (
    marksLines(lines, old) ||
    numbersLines(lines, old) ||
    ordersChange(text, before, isKept) ||
    isBareOrder(lines, isKept, old)
  );
}

/** Characters of a line that is hardly in two texts by accident. */
const TELLING = 8;

/** Returns whether a reply is a diff of a text, or edits of it in blocks, although the text as a whole was requested. */
export function isDiffOf(reply: string, before: string): boolean {
  const text = reply.slice(0, MOST_CHARACTERS);
  if (!hasNewForm(DIFFS, text, before)) return false;
  const { lines, old, isKept } = keptLines(text, before);
  const isOfText = lines.some((line) => {
    const unmarked = line.replace(/^[-<!] ?/, '').trim();
    return unmarked.length >= TELLING && old.has(unmarked);
  });
  return isOfText && !isKept;
}
