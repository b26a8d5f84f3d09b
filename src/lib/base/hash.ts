/** Computes a whole number of 32 bits that is the same for the same text (FNV-1a). */
export function fnv1a(text: string, seed = 0x811c9dc5): number {
  let hash = seed;
  for (const character of text) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193) >>> 0;
  return hash;
}
