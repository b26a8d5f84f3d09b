import { isJsonObject, type Json, textOf } from '../base/json/json';
import { jsonPointer } from '../base/json/json-pointer';

/** Values that are looked for, and characters of what they are looked for in. */
const MOST_VALUES = 500;
const MOST_CHARACTERS = 1024 * 1024;
const MOST_NAMED = 5;
const SHOWN_CHARACTERS = 40;

/** Letter case and spacing aside. */
function plain(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}

/** The numbers of a text, as `1,234.50`, `1.234,50`, `1 234.5` and `1234.5` are written. */
function numbersIn(text: string): Set<number> {
  const found = new Set<number>();
  for (const [written] of text.matchAll(/\d+(?:[.,'\u00a0\u202f ]\d+)*/g)) {
    for (const part of written.split(' ')) addNumber(found, part);
    addNumber(found, written);
  }
  return found;
}

function addNumber(found: Set<number>, written: string): void {
  const [whole = '', fraction] = written.split(/[.,](?=\d*$)/);
  const digits = whole.replace(/\D/g, '');
  found.add(Number(fraction === undefined ? digits : `${digits}.${fraction}`));
  if (fraction?.length === 3) found.add(Number(digits + fraction));
}

/** Values that a schema gives itself. */
function listedIn(schema: Json, listed = new Set<Json>()): Set<Json> {
  if (Array.isArray(schema)) for (const each of schema) listedIn(each, listed);
  if (!isJsonObject(schema)) return listed;
  const { enum: values, const: value } = schema;
  if (Array.isArray(values)) for (const each of values) listed.add(each);
  if (value !== undefined) listed.add(value);
  for (const each of Object.values(schema)) listedIn(each, listed);
  return listed;
}

interface Leaf {
  path: string;
  value: string | number;
}

function leavesOf(value: Json, path: (string | number)[] = [], leaves: Leaf[] = []): Leaf[] {
  if (leaves.length >= MOST_VALUES) return leaves;
  if (typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')) {
    leaves.push({ path: jsonPointer(path), value });
  } else if (Array.isArray(value)) value.forEach((each, index) => leavesOf(each, [...path, index], leaves));
  else if (isJsonObject(value)) for (const [key, each] of Object.entries(value)) leavesOf(each, [...path, key], leaves);
  return leaves;
}

/** Texts and numbers of a value that stand in none of some inputs, and that its schema does not list. */
export function ungroundedValues(value: Json, inputs: readonly Json[], schema: Json): Leaf[] {
  const text = plain(inputs.map(textOf).join('\n').slice(0, MOST_CHARACTERS));
  const numbers = numbersIn(text);
  const listed = listedIn(schema);
  return leavesOf(value).filter(({ value: leaf }) => {
    if (listed.has(leaf)) return false;
    return typeof leaf === 'number' ? !numbers.has(Math.abs(leaf)) : !text.includes(plain(leaf));
  });
}

/** A warning about such values; none where there are none. */
export function ungroundedWarning(leaves: readonly Leaf[]): string[] {
  if (leaves.length === 0) return [];
  const shown = leaves.slice(0, MOST_NAMED).map(({ path, value }) => {
    const text = JSON.stringify(value);
    return `${path || 'the output'} ${text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text}`;
  });
  const more = leaves.length > MOST_NAMED ? `, and ${leaves.length - MOST_NAMED} more` : '';
  return [`values that stand in none of the inputs: ${shown.join(', ')}${more}`];
}
