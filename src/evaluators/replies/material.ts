/** The characters that a quote may lack or add: case, blanks, quotes, markdown, invisible characters, escapes. */
const IRRELEVANT = /[\s"'`“”„«»‘’*_~#>\\\p{Cf}\p{Mn}\p{Cc}]/gu;
const ESCAPED = /\\u([\da-f]{4})|&#x([\da-f]{2,5});|&#(\d{2,6});/gi;
const ENTITIES: [RegExp, string][] = [
  [/&quot;|&apos;|&nbsp;/gi, ' '],
  [/&lt;/gi, '<'],
  [/&gt;/gi, '>'],
  [/&amp;/gi, '&'],
];

/** Returns a text in the form in which it is compared with quotes of it. */
export function comparable(text: string): string {
  let plain = text.replace(ESCAPED, (_all, unicode: string, hex: string, decimal: string) =>
    characterOf(Number.parseInt(unicode ?? hex ?? decimal, (unicode ?? hex) ? 16 : 10)),
  );
  for (const [pattern, character] of ENTITIES) plain = plain.replace(pattern, character);
  return plain.normalize('NFKC').replace(IRRELEVANT, '').toLowerCase();
}

function characterOf(code: number): string {
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : ' ';
}
