/** Characters of a line that may stand for a part that was left out: longer ones are sentences of the text. */
const LONGEST = 160;

const OPENING = /^(?:[\s>|"'`*_~]|\[|\(|\{|<!--|<|\/\*+|\/\/+|#+|--+|;+|%+|"""|'''|\brem\b|[-•–—]\s)+/i;
const CLOSING = /(?:[\s|"'`*_~,;:>)}\]]|-->|\*\/)+$/;
const COMMENTED = /^\s*(?:\/\/|#|--|;|%|\/\*|<!--|\{\/\*|"""|'''|\(\*|rem\b)/i;
const BRACKETED = /^\s*[*_>-]{0,3}\s*[[({<«【（［].*[\])}>»】）］]\s*[*_]{0,3}[.,;]?\s*$/;
const DOTS =
  /^[^\p{L}\p{N}]*(?:\.{3}|…|\u22ee|\u22ef|。。。|・・・)|(?:\.{3}|…|\u22ee|\u22ef|。。。|・・・)[^\p{L}\p{N}]*$/u;
/** Each run of dots is taken as a whole: to try all ways to part it would take for ever. */
const ONLY_DOTS = /^(?:\.{2,}(?!\.)|…|\u22ee|\u22ef|。{2,}(?!。)|・{2,}(?!・)|\s)+$/;

const WORDS = [
  // What.
  /\b(?:rest|remain\w*|others?|existing|previous\w*|earlier|everything|all else|same|original\w*|above|here|lines?|code|text|content|sections?|parts?|paragraphs?|items?|functions?|methods?|class\w*|imports?|implementation|logic|entries|rows?|fields?|chapters?|details)\b/i,
  /\b(?:rest\w*|übrig\w*|weiter\w*|ander\w*|bisherig\w*|bestehend\w*|vorherig\w*|abschnitt\w*|zeilen|inhalt|alles)\b/i,
  /\b(?:reste|restant\w*|suite|autres?|existant\w*|précédent\w*|sections?|lignes|contenu|tout)\b/iu,
  /\b(?:resto|restante\w*|demás|otr[oa]s|existente\w*|anterior\w*|secci\w+|líneas|contenido|todo)\b/iu,
  /\b(?:outr[oa]s|seç\w+|linhas|conteúdo|tudo|altr[eio]|rimanent\w*|sezion\w*|righe|contenuto|esistent\w*|tutto|overige?|andere|bestaande|regels|alles)\b/iu,
  /(?:其余|其他|剩余|剩下|原有|现有|以上|前面|省略|残り|その他|既存|以下|以前|остальн\w*|прочи\w*|существующ\w*|предыдущ\w*|остаток|나머지|기존|pozostał\w*|reszta|istniejąc\w*)/iu,
];
const SAYING =
  /\b(?:unchanged|unmodified|untouched|un?altered|(?:stays?|remains?|is|are|kept|keep|left|leave|continues?|goes? on) (?:the same|as (?:is|before|it is|they are)|unchanged|intact|here)|the same(?: as (?:before|above))?|as (?:before|above|is|it was|in the (?:original|previous)\b.{0,20})|no changes?|not changed|identical|omitted|truncated|elided|skipped|abbreviated|shortened|snipp?(?:ed)?|for brevity|continues?|continued|goes here|go here|etc|existing (?:code|text|content|implementation|logic|lines|imports?|methods?|functions?)|rest of (?:the|your|this|file)\b.{0,40}|remaining (?:code|text|content|lines|sections?|items?|implementation|parts?|paragraphs?|methods?|functions?)\b.{0,20}|previous (?:code|text|content|lines)|unverändert|(?:bleibt|bleiben|ist|sind) (?:gleich|so|wie\b.{0,20}|unverändert)|wie (?:bisher|zuvor|vorher|oben|gehabt|im original)|gekürzt|ausgelassen|weggelassen|inchangée?s?|sans changement|identiques?|comme (?:avant|précédemment|ci-dessus)|omise?s?|tronquée?s?|sin cambios|sin modificar|igual(?:es)?(?: que antes)?|como antes|omitid[oa]s?|truncad[oa]s?|sem alteraç\w+|inalterad[oa]s?|como antes|invariat[oaie]|immutat[oaie]|come prima|omess[oaie]|ongewijzigd|onveranderd|zoals (?:eerder|hierboven)|weggelaten|bez zmian|pominięt\w*|jak wcześniej)(?![\p{L}\p{N}])/iu;
const SAYING_ELSEWHERE =
  /(?:不变|保持不变|未更改|未修改|相同|同上|省略|略|变わら|変更なし|変更無し|そのまま|同じ|без изменений|не измен\w*|как (?:раньше|прежде|выше)|пропущен\w*|опущен\w*|그대로|변경 없음|동일|생략)/iu;

const SENTENCE =
  /^(?:(?:the|all|and|das|die|der|alle|le|la|les|el|los|las|o|os|as|il|i|gli|de|het) )*(?:rest|remainder|remaining|others?|everything else|all else|übrige\w*|weitere\w*|reste|resto|demás|restante|altro|overige)\b.{0,60}$/iu;

function inner(line: string): string {
  return line.replace(OPENING, '').replace(CLOSING, '');
}

function saysLeftOut(line: string): boolean {
  if (line.length > LONGEST) return false;
  const words = inner(line);
  if (!SAYING.test(words) && !SAYING_ELSEWHERE.test(words)) return false;
  if (DOTS.test(line)) return true;
  const isRemark = COMMENTED.test(line) || BRACKETED.test(line.trim());
  return isRemark ? WORDS.some((word) => word.test(words)) || words.split(/\s+/).length <= 3 : SENTENCE.test(words);
}

function isOnlyDots(line: string): boolean {
  if (line.length > LONGEST) return false;
  const words = inner(line);
  return ONLY_DOTS.test(words) || (words === '' && DOTS.test(line));
}

/** A remark in brackets, or after dots, at the end of a line that says more. */
const TRAILING = /(?:[[(（【<{][^[\](){}（）【】<>]{3,120}[\])）】>}]|(?:\.{3,}|…)[^.…,]{3,50})[ \t.]*$/;

export function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function countsOf(lines: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

function findMissing(counts: ReadonlyMap<string, number>, lines: readonly string[]): string[] {
  const left = new Map(counts);
  return lines.filter((line) => {
    const count = left.get(line) ?? 0;
    if (count > 0) left.set(line, count - 1);
    return count === 0;
  });
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length, 0);
}

/**
 * Finds the line of a revised text that replaces a part of the text before, such as `[rest unchanged]`; undefined if there is
 * none. A line that the text had before replaces nothing, and neither does one beside which nothing is missing.
 */
export function leftOutLine(before: string, after: string): string | undefined {
  const [old, now] = [linesOf(before), linesOf(after)];
  const known = new Set(old);
  const suspects = now.filter((line) => !known.has(line) && (saysLeftOut(line) || isOnlyDots(line)));
  const trailing = suspects.length > 0 ? undefined : trailingRemark(now, known, before);
  if (suspects.length === 0 && trailing === undefined) return undefined;
  const gone = findMissing(countsOf(now), old);
  const added = findMissing(
    countsOf(old),
    now.filter((line) => !suspects.includes(line)),
  );
  const isShorter = gone.length > added.length || lengthOf(gone) > lengthOf(added);
  if (!isShorter) return undefined;
  return trailing ?? suspects.find((line) => saysLeftOut(line) || isBetweenKept(line, now, old));
}

function trailingRemark(lines: readonly string[], known: ReadonlySet<string>, before: string): string | undefined {
  for (const line of lines) {
    const remark = known.has(line) ? undefined : TRAILING.exec(line.slice(-200))?.[0].trim();
    if (remark !== undefined && !before.includes(remark) && saysLeftOut(remark)) return remark;
  }
  return undefined;
}

/** Returns whether dots are in the place of missing lines: after a line that was kept, or before one. */
function isBetweenKept(dots: string, now: readonly string[], old: readonly string[]): boolean {
  const at = now.indexOf(dots);
  const above = at === 0 ? -1 : old.indexOf(now[at - 1]!);
  const below = at === now.length - 1 ? old.length : old.indexOf(now[at + 1]!, above + 1);
  if (at > 0 && above < 0) return below > 0 && at === now.length - 1 ? false : below > 1;
  return below < 0 ? old.length > above + 2 : below - above > 1;
}
