import { isJsonObject, type Json, textOf } from '../../lib/json/json';
import { jsonPointer } from '../../lib/json/json-pointer';
import { dateOf, datesIn } from './written-dates';
import { firstCharacters } from '../../lib/text/summary-text';
import { foldText } from '../../lib/text/similarity';

/** The maximum number of values that are looked for, and of characters in which they are. */
const MOST_VALUES = 500;
const MOST_CHARACTERS = 1024 * 1024;
const MOST_NAMED = 5;
const SHOWN_CHARACTERS = 40;

/** Reduces a text to letters and digits, so that `in_progress` is `in progress`, and without accents. */
function bare(text: string): string {
  return ` ${text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
}

/** Removes the signs between groups of digits: in phone numbers, ids, card numbers. */
function digitsJoined(text: string): string {
  return text.replace(/(?<=\d)[ ().,/\u00a0\u202f-]{1,3}(?=\d)/g, '');
}

const SCALES: readonly [RegExp, number][] = [
  [/^(?:k|thousand|tsd|tausend|mille|mil)\b/i, 1e3],
  [/^(?:m|mn|mio|million|millionen|millions|millones|milhões|milioni)\b/i, 1e6],
  [/^(?:bn|mrd|billion|milliarden?|milliards)\b/i, 1e9],
];

const NUMBER_WORDS = [
  'zero|null|zéro|cero',
  'one|a|an|ein|eine|einen|un|une|uno|una|um|uma',
  'two|zwei|deux|dos|due|dois|duas|a pair',
  'three|drei|trois|tres|tre|três',
  'four|vier|quatre|cuatro|quattro|quatro',
  'five|fünf|cinq|cinco|cinque',
  'six|sechs|seis|sei',
  'seven|sieben|sept|siete|sette|sete',
  'eight|acht|huit|ocho|otto|oito',
  'nine|neun|neuf|nueve|nove',
  'ten|zehn|dix|diez|dieci|dez',
  'eleven|elf|onze|once|undici',
  'twelve|zwölf|douze|doce|dodici|doze|a dozen|ein dutzend',
].map((words) => new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, 'iu'));

/** A number with a short unit on either side. */
const WITH_UNIT = /^[^\d\n.,-]{0,12}(-?\d[\d.,'\u00a0\u202f ]*)[^\d\n]{0,20}$/;

/** Returns the numbers in a text, as `1,234.50`, `1.234,50`, `1 234.5` and `1234.5` are written. */
function numbersIn(text: string): Set<number> {
  const found = new Set<number>();
  for (const [written] of text.matchAll(/\d+(?:[.,'\u00a0\u202f ]\d+)*/g)) {
    for (const part of written.split(' ')) addNumber(found, part);
    addNumber(found, written);
  }
  for (const [, written = '', scale = ''] of text.matchAll(/(?<!\d)(\d+(?:[.,]\d+)?) ?(\p{L}{1,9})(?!\p{L})/gu)) {
    const factor = SCALES.find(([words]) => words.test(scale))?.[1];
    if (factor !== undefined) found.add(Math.round(Number(written.replace(',', '.')) * factor * 1e6) / 1e6);
  }
  for (const share of percentages(text)) found.add(share);
  for (const [value, words] of NUMBER_WORDS.entries()) if (words.test(text)) found.add(value);
  return found;
}

/** Yields the shares that a text gives in percent. */
function* percentages(text: string): Generator<number> {
  for (const [, written = ''] of text.matchAll(
    /(?<!\d)(\d+(?:[.,]\d+)?) ?(?:%|percent\b|per cent\b|prozent\b|pour cent\b|por ciento\b)/gi,
  )) {
    yield Math.round(Number(written.replace(',', '.')) * 1e8) / 1e10;
  }
}

function addNumber(found: Set<number>, written: string): void {
  const [whole = '', fraction] = written.split(/[.,](?=\d*$)/);
  const digits = whole.replace(/\D/g, '');
  found.add(Number(fraction === undefined ? digits : `${digits}.${fraction}`));
  if (fraction?.length === 3) found.add(Number(digits + fraction));
}

function collectListed(schema: Json, listed = new Set<Json>()): Set<Json> {
  if (Array.isArray(schema)) for (const each of schema) collectListed(each, listed);
  if (!isJsonObject(schema)) return listed;
  const { enum: values, const: value } = schema;
  if (Array.isArray(values)) for (const each of values) listed.add(each);
  if (value !== undefined) listed.add(value);
  for (const each of Object.values(schema)) collectListed(each, listed);
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

/** The content of a text, in the forms in which values may repeat it in another way. */
class SearchableText {
  private readonly text: string;
  private readonly numbers: Set<number>;
  #bare: string | undefined;
  #digits: string | undefined;
  #dates: Set<string> | undefined;

  constructor(private readonly written: string) {
    this.text = foldText(written.normalize('NFKC'));
    this.numbers = numbersIn(this.text);
  }

  hasNumber(value: number): boolean {
    return this.numbers.has(Math.abs(value));
  }

  /**
   * Returns whether the text contains a value, as it is or written in another way: a date, a number with its unit, groups of
   * digits, other signs between words.
   */
  hasText(value: string): boolean {
    if (this.text.includes(foldText(value.normalize('NFKC')))) return true;
    const date = dateOf(value);
    if (date !== undefined) return (this.#dates ??= datesIn(this.written)).has(date);
    const [, number] = WITH_UNIT.exec(value) ?? [];
    if (number !== undefined && [...numbersIn(number)].some((each) => this.hasNumber(each))) return true;
    const digits = digitsJoined(value).replace(/^\+/, '');
    if (/^\d{6,}$/.test(digits)) return (this.#digits ??= digitsJoined(this.written)).includes(digits);
    const words = bare(value);
    return words.trim() !== '' && (this.#bare ??= bare(this.written)).includes(words);
  }
}

/**
 * Lists the texts and numbers of a value that occur in none of some inputs, in whatever way they are written, and that its
 * schema does not list.
 */
export function ungroundedValues(value: Json, inputs: readonly Json[], schema: Json): Leaf[] {
  const said = new SearchableText(inputs.map(textOf).join('\n').slice(0, MOST_CHARACTERS));
  const listed = collectListed(schema);
  return leavesOf(value).filter(({ value: leaf }) => {
    if (listed.has(leaf)) return false;
    return typeof leaf === 'number' ? !said.hasNumber(leaf) : !said.hasText(leaf);
  });
}

/** Warns of ungrounded values; no warning if there are none. */
export function ungroundedWarning(leaves: readonly Leaf[]): string[] {
  if (leaves.length === 0) return [];
  const shown = leaves.slice(0, MOST_NAMED).map(({ path, value }) => {
    const text = JSON.stringify(value);
    return `${path || 'the output'} ${firstCharacters(text, SHOWN_CHARACTERS)}`;
  });
  const more = leaves.length > MOST_NAMED ? `, and ${leaves.length - MOST_NAMED} more` : '';
  return [`values that stand in none of the inputs: ${shown.join(', ')}${more}`];
}
