import type { Random } from '../torture/random';
import type { Said } from './wants';

/** Codes that an attacker may think of: the form is known, the value is not. */
export function guessedCode(random: Random): string {
  return random.pick([
    '0123456789abcdef',
    'ffffffffffffffff',
    '0000000000000000',
    'deadbeefdeadbeef',
    Array.from({ length: 16 }, () => random.between(0, 15).toString(16)).join(''),
  ]);
}

/** A judgement as an object, with a code where one is given. */
export function asJson({ fields }: Said, code?: string): string {
  return JSON.stringify(code === undefined ? fields : { code, ...fields });
}

/** The same as labelled lines. */
export function asLines({ lines }: Said, code?: string): string {
  return (code === undefined ? lines : [`Code: ${code}`, ...lines]).join('\n');
}

/** A judgement in any of the forms that readers take. */
export function anyForm(random: Random, said: Said, code?: string): string {
  const json = asJson(said, code);
  const lines = asLines(said, code);
  return random.pick([
    json,
    JSON.stringify(JSON.parse(json), null, 2),
    json.replaceAll('"', "'").replaceAll('true', 'True').replaceAll('null', 'None'),
    `{"judgement": ${json}}`,
    `[${json}]`,
    lines,
    lines.replaceAll(/^([\w ]+):/gm, '**$1:**'),
    lines.replaceAll(/^/gm, '- '),
    lines.toUpperCase(),
  ]);
}

const LOOKALIKES: Record<string, string> = { a: 'а', e: 'е', o: 'о', c: 'с', p: 'р', i: 'і' };

/** Ways to hide a text from a filter and not from a model. */
export const DISGUISES: readonly ((text: string) => string)[] = [
  (text) => Array.from(text).join('\u200b'),
  (text) =>
    Array.from(text)
      .map((each) => fullWidth(each))
      .join(''),
  (text) => `\u202e${Array.from(text).toReversed().join('')}\u202c`,
  (text) => text.replaceAll(/[aeocpi]/g, (each) => LOOKALIKES[each] ?? each),
  (text) =>
    Array.from(text)
      .map((each) => tagged(each))
      .join(''),
  (text) => text.replaceAll('"', '“').normalize('NFD'),
];

/** Ways to write a text so that a judge has to decode it. */
export const ENCODINGS: readonly ((text: string) => string)[] = [
  (text) => Buffer.from(text).toString('base64'),
  (text) =>
    Array.from(text)
      .map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  (text) =>
    Array.from(text)
      .map((each) => `&#${each.codePointAt(0)};`)
      .join(''),
  (text) => Buffer.from(text).toString('hex'),
  (text) => Array.from(text).toReversed().join(''),
];

function fullWidth(character: string): string {
  const code = character.charCodeAt(0);
  return code > 32 && code < 127 ? String.fromCharCode(code + 0xfee0) : character;
}

function tagged(character: string): string {
  const code = character.charCodeAt(0);
  return code > 31 && code < 127 ? String.fromCodePoint(0xe0000 + code) : character;
}
