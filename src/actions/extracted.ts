import type { Json } from '../lib/json/json';
import { jsonInText, largeIntegerIn, lenientJsonIn } from '../loop/evaluation/output-reading';
import type { ModelCallStep } from '../loop/contract/steps';
import { differences } from '../lib/text/json-difference';
import { soleFence } from '../lib/text/sole-fence';
import { LENIENT, staysText } from './reply';

type Extracted = { output: Json; warnings: string[] };

/** A fenced block: its marks, its content, and its end, or the end of the text if nothing closes it. */
const BLOCK = /^[ \t]{0,3}(`{3,20}|~{3,20})[^`\n]*\r?\n((?:[^\n]*\n)*?)(?:[ \t]{0,3}\1[ \t]*$|(?![^]))/gm;

function codeIn(text: string): Extracted {
  const blocks = Array.from(`${text}\n`.matchAll(BLOCK), ([, , inside = '']) => inside.replace(/\r?\n$/, ''));
  if (blocks.length === 0) return { output: text, warnings: [] };
  const longest = blocks.reduce((one, other) => (other.length > one.length ? other : one));
  const isGuess = blocks.some((block) => block !== longest);
  const warning = `the reply holds ${blocks.length} code blocks: the longest one was taken`;
  return { output: longest, warnings: isGuess ? [warning] : [] };
}

function jsonIn(text: string): Extracted {
  const strict = [...jsonInText(text)];
  const found = strict.length > 0 ? strict : lenientJsonIn(text);
  if (found.length === 0) return { output: text, warnings: ['the reply holds no JSON, and stays a text'] };
  const large = largeIntegerIn(text);
  if (large) return { output: text, warnings: [staysText(large)] };
  const { value } = found.reduce((one, other) => (other.start > one.start ? other : one));
  const isGuess = found.some((each) => differences(each.value, value, 1).length > 0);
  return {
    output: value,
    warnings: [
      ...(isGuess ? [`the reply holds ${found.length} JSON values: the last one was taken`] : []),
      ...(strict.length > 0 ? [] : [LENIENT]),
    ],
  };
}

/** Extracts the requested code or JSON from a reply, with a warning if it had to choose among several candidates. */
export function extractOutput(output: Json, extract: ModelCallStep['extract']): Extracted {
  if (typeof output !== 'string' || extract === undefined) return { output, warnings: [] };
  if (extract === 'code') return codeIn(output);
  return extract === 'json' ? jsonIn(output) : { output: soleFence(output) ?? output, warnings: [] };
}
