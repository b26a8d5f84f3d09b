/** The variables that the templates of a step read; they decide which values are sent to that step. */
interface TemplateNeeds {
  /** Keys of `state` that the texts name; `all` when they use `state` in a way that could reach any key. */
  keys: string[] | 'all';
  /** `full`: every version with its output; `digest`: a bounded summary. `none` is for steps that read no history. */
  history: 'full' | 'digest' | 'none';
  /** The loop's variables (`reflection_…`) that the texts name. */
  variables: string[];
}

/** A tag of a template, by UTF-16 offsets of the text between its delimiters. */
interface TemplateTag {
  kind: 'expression' | 'statement' | 'comment' | 'raw';
  start: number;
  end: number;
  from: number;
  to: number;
}

/** String literals as the lexer reads them; unrolled, so that a long one costs no backtracking. */
const STRING = String.raw`"[^"\\]*(?:\\[^][^"\\]*)*"?|'[^'\\]*(?:\\[^][^'\\]*)*'?`;
const TOKEN = new RegExp(String.raw`${STRING}|\w+|[^\s\w]`, 'g');
const BORDER = new RegExp(String.raw`${STRING}|%\}|[{}]`, 'g');
/** Words of Jinja, and its globals: no keys of a state are read by them. */
const OWN_NAMES = new Set(
  (
    'if elif else endif for endfor in set endset macro endmacro call endcall filter endfilter break continue and or not is ' +
    'true True false False none None range state'
  ).split(' '),
);
/** Names that a template can call on any object, and that reach all of its keys. */
const METHODS_OF_OBJECTS = new Set(['items', 'keys', 'values', 'dictsort', 'get']);
const RAW_TAG = /\{%-?\s{0,20}raw\s{0,20}-?%\}/y;
const END_RAW_TAG = /\{%-?\s{0,20}endraw\s{0,20}-?%\}/g;

/** Returns the parts of the state that some templates read. It may name too much, never too little. */
export function templateNeeds(texts: string[]): TemplateNeeds {
  const keys = new Set<string>();
  let all = false;
  for (const tokens of texts.flatMap(tagTokens)) {
    for (const [index, token] of tokens.entries()) {
      if (isBareName(tokens, index)) keys.add(token);
      if (token !== 'state' || tokens[index - 1] === '.') continue;
      const key = keyRead(tokens, index);
      if (key === undefined) all = true;
      else keys.add(key);
    }
  }
  return {
    keys: all ? 'all' : [...keys],
    history: texts.some((text) => /\breflection_(?:history|best)\b/.test(text)) ? 'full' : 'digest',
    variables: [...new Set(texts.flatMap((text) => text.match(/\breflection_\w+/g) ?? []))],
  };
}

const GUARDS = new Set(['default', 'd', 'if', 'is', 'or', 'and']);

/** Variables that steps and judges give their templates: they are no keys of the state. */
const GIVEN = new Set(['task', 'output', 'evidence', 'loop', 'caller']);

/**
 * Lists the keys of the state that a template prints whatever the state has, as `state.key` or as `key`: not those that it
 * looks at in a condition, a loop or an assignment, or that it has a default for.
 */
export function surelyReadKeys(text: string): string[] {
  const printed = new Set<string>();
  const handled = new Set<string>();
  for (const { kind, start, end } of templateTags(text)) {
    if (kind !== 'expression' && kind !== 'statement') continue;
    const tokens = text.slice(start, end).match(TOKEN) ?? [];
    const isGuarded = kind === 'statement' || tokens.some((token) => GUARDS.has(token));
    for (const [index, token] of tokens.entries()) {
      const isState = token === 'state' && tokens[index - 1] !== '.';
      const isOwn = !isState && isBareName(tokens, index) && !GIVEN.has(token) && tokens[index + 1] !== '(';
      const key = isState ? keyRead(tokens, index) : isOwn ? token : undefined;
      if (key !== undefined) (isGuarded ? handled : printed).add(key);
    }
  }
  return [...printed].filter((key) => !handled.has(key));
}

/** Returns whether a name may be a variable: a key of the state is one, unless another variable hides it. */
function isBareName(tokens: readonly string[], index: number): boolean {
  const [before, token = '', after] = [tokens[index - 1], tokens[index], tokens[index + 1]];
  if (!/^[A-Za-z_]\w*$/.test(token) || OWN_NAMES.has(token) || token.startsWith('reflection_')) return false;
  // Members, filters, and the names of arguments.
  return before !== '.' && before !== '|' && !(after === '=' && tokens[index + 2] !== '=' && tokens[0] !== 'set');
}

export function templateMentions(text: string, name: string): boolean {
  return tagTokens(text).some((tokens) => tokens.some((token, index) => token === name && tokens[index - 1] !== '.'));
}

/** Returns whether a template reads a variable of this name, and sets none of it itself. */
export function templateReads(text: string, name: string): boolean {
  const binds = tagTokens(text).some(([first = '', ...tokens]) => {
    if (!/^(?:set|for|macro)$/.test(first)) return false;
    const end = tokens.findIndex((token) => token === '=' || token === 'in');
    return tokens.slice(0, end === -1 ? undefined : end).includes(name);
  });
  return !binds && templateMentions(text, name);
}

/** Returns whether a tag of a template contains a name, be it in a comment; text outside of tags does not count. */
export function templateNames(text: string, name: string): boolean {
  return templateTags(text).some(({ from, to }) => text.slice(from, to).includes(name));
}

/** Returns whether a text has any tag at all; other texts are rendered as they are. */
export function isTemplate(text: string): boolean {
  return /\{[{%#]/.test(text);
}

/** Returns whether a text is exactly one `{{ expression }}`, so that rendering keeps the expression's type. */
export function isSoleExpression(text: string): boolean {
  const trimmed = text.trim();
  if (!trimmed.startsWith('{{')) return false;
  const [tag, ...others] = templateTags(trimmed);
  return others.length === 0 && tag?.kind === 'expression' && tag.to === trimmed.length;
}

/** Returns the tags of a template in order, with the borders that the Jinja lexer sees. An unclosed tag reaches to the end. */
export function templateTags(text: string): TemplateTag[] {
  const tags: TemplateTag[] = [];
  // Known in advance, so that a thousand `raw` tags without an end are not a thousand searches to the end.
  const lastEndRaw = [...text.matchAll(END_RAW_TAG)].at(-1)?.index ?? -1;
  const opening = /\{[{%#]/g;
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    const from = match.index;
    const tag =
      (from < lastEndRaw ? rawTag(text, from) : undefined) ??
      (match[0] === '{#' ? commentTag(text, from) : codeTag(text, from, match[0]));
    tags.push(tag);
    opening.lastIndex = tag.to;
  }
  return tags;
}

function tagTokens(text: string): string[][] {
  return templateTags(text)
    .filter((tag) => tag.kind === 'expression' || tag.kind === 'statement')
    .map((tag) => text.slice(tag.start, tag.end).match(TOKEN) ?? []);
}

function keyRead(tokens: string[], index: number): string | undefined {
  const [first, second, third, fourth] = tokens.slice(index + 1, index + 5);
  if (first === '[' && third === ']') return stringLiteral(second);
  if (first !== '.' || second === undefined || !/^\w+$/.test(second)) return undefined;
  if (second === 'get' && third === '(' && /^[,)]$/.test(tokens[index + 5] ?? '')) return stringLiteral(fourth);
  return METHODS_OF_OBJECTS.has(second) ? undefined : second;
}

function stringLiteral(token: string | undefined): string | undefined {
  return token !== undefined && /^(?:"[^"\\]*"|'[^'\\]*')$/.test(token) ? token.slice(1, -1) : undefined;
}

function rawTag(text: string, from: number): TemplateTag | undefined {
  RAW_TAG.lastIndex = from;
  const opening = RAW_TAG.exec(text);
  if (!opening) return undefined;
  const start = from + opening[0].length;
  const ending = new RegExp(END_RAW_TAG);
  ending.lastIndex = start;
  const closing = ending.exec(text);
  if (!closing) return undefined;
  return { kind: 'raw', from, start, end: closing.index, to: closing.index + closing[0].length };
}

function commentTag(text: string, from: number): TemplateTag {
  const close = text.indexOf('#}', from + 2);
  const end = close === -1 ? text.length : close;
  return { kind: 'comment', from, start: from + 2, end, to: Math.min(end + 2, text.length) };
}

/** Delimiters inside string literals, and `}}` that closes a nested object literal, do not end a tag. */
function codeTag(text: string, from: number, delimiter: string): TemplateTag {
  const kind = delimiter === '{{' ? 'expression' : 'statement';
  const start = from + 2;
  const scanner = new RegExp(BORDER);
  scanner.lastIndex = start;
  let depth = 0;
  for (let match = scanner.exec(text); match; match = scanner.exec(text)) {
    const [found] = match;
    const closes = found === '%}' || (found === '}' && depth <= 0 && text[match.index + 1] === '}');
    if (closes) return { kind, from, start, end: match.index, to: match.index + 2 };
    if (found === '{') depth++;
    if (found === '}') depth--;
  }
  return { kind, from, start, end: text.length, to: text.length };
}

/** Among the keys of `material`: the whole state. */
export const ALL_KEYS = '*';
