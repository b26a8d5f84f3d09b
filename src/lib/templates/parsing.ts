import { isTemplate, templateTags } from '../text/template-reads';
import { BoundedCache } from '../threads/bounded-cache';
import { FILTERS } from './filters/filters';
import { filterName } from './interpreter';
import { newScope, parseJinja, type TemplateNode } from './jinja-library';
import { MAX_MILLISECONDS, TemplateFailed } from './limits';
import { TimeLimitExceeded, withTimeLimit } from '../threads/time-limit';

const CACHED_TEMPLATES = 500;
/** A parsed template takes some 15 bytes a character. */
const CACHED_CHARACTERS = 4_000_000;
/** Texts that were pasted into a spec are large and come once: they would only push the templates out. */
const LONGEST_CACHED = 64 * 1024;

const cache = new BoundedCache<TemplateNode>({
  entries: CACHED_TEMPLATES,
  size: CACHED_CHARACTERS,
  sizeOf: (_template, { length }) => length,
});

/** Returns a parsed template; throws `TemplateFailed` when it is not one. */
export function parsedTemplate(text: string): TemplateNode {
  return text.length > LONGEST_CACHED ? parse(text) : cache.getOrMake(text, () => parse(text));
}

/** Lists every problem of a template that can be seen before it is rendered; empty when there is none. */
export function templateProblems(text: string): string[] {
  if (!isTemplate(text)) return [];
  try {
    return unknownNames(parsedTemplate(text));
  } catch (error) {
    return [(error as Error).message];
  }
}

/** Most texts that do not parse are no templates, but have braces of JSON or of code in them. */
const ESCAPED = '; braces that are text stand between {% raw %} and {% endraw %}';

function parse(text: string): TemplateNode {
  try {
    return withTimeLimit(MAX_MILLISECONDS, () => parseJinja(withoutRawBlocks(text)));
  } catch (error) {
    throw new TemplateFailed(`template does not parse: ${parseMessage(error)}${ESCAPED}`, { cause: error });
  }
}

function withoutRawBlocks(text: string): string {
  let result = '';
  let copiedTo = 0;
  for (const tag of templateTags(text)) {
    if (tag.kind !== 'raw') continue;
    // Braces are escaped, so that the lexer cannot take them for tags.
    const literal = JSON.stringify(text.slice(tag.start, tag.end)).replaceAll('{', '\\u007b');
    result += `${text.slice(copiedTo, tag.from)}{{ ${literal} }}`;
    copiedTo = tag.to;
  }
  return result + text.slice(copiedTo);
}

function parseMessage(error: unknown): string {
  if (error instanceof TimeLimitExceeded) return error.message;
  if ((error as Error).name === 'RangeError') return 'it is nested too deeply';
  // The parser runs off the end of its tokens, which JavaScript reports as a property of undefined.
  if (error instanceof TypeError) return 'it ends too early; a closing }} or %} or an end tag is missing';
  return (error as Error).message.replace(/^Parser Error: /, '');
}

function unknownNames(program: TemplateNode): string[] {
  const tests = newScope().tests;
  const problems = new Set<string>();
  const open: unknown[] = [program];
  while (open.length > 0) {
    const node = open.pop();
    if (typeof node !== 'object' || node === null) continue;
    if (node instanceof Map) open.push(...node.keys(), ...node.values());
    else for (const child of Object.values(node)) open.push(child);
    const { type, filter, test } = node as TemplateNode;
    if (type === 'FilterExpression' || type === 'FilterStatement') {
      const name = filterName(filter as TemplateNode);
      if (!FILTERS.has(name)) problems.add(`there is no filter "${name}"`);
    }
    if (type === 'TestExpression') {
      const name = String((test as TemplateNode).value);
      if (!tests.has(name)) problems.add(`there is no test "${name}"`);
    }
  }
  return [...problems];
}
