/** Joiners, variation selectors and blanks where a writing uses them: a reader sees what they do. */
const IN_USE = [
  String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}])\ufe0f|(?<=[\d#*])\ufe0f(?=\u20e3)`,
  String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})`,
  String.raw`(?<=(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Inherited}])[\p{L}\p{M}])[\u200c\u200d](?=[\p{L}\p{M}])`,
  String.raw`[\u00a0\u202f\u3000]{1,20}(?=[^\p{Z}\p{C}])`,
].join('|');

/** Characters that are invisible, look like a blank, or turn the order of others around. Half a surrogate pair is none. */
const UNSEEN = String.raw`(?![\t\n ])[\p{Cc}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800]`;

const EITHER = new RegExp(`(${IN_USE})|${UNSEEN}`, 'gu');

/** Replaces the characters that a reader cannot see, with which an author may hide something. */
export function replaceUnseen(text: string, replace: (character: string) => string): string {
  return text.replace(EITHER, (one: string, inUse: string | undefined) => inUse ?? replace(one));
}

export function characterNumber(character: string): string {
  return `⟦U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟧`;
}
