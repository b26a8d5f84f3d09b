export function fnv1a(text: string, seed = 0x811c9dc5): number {
  let hash = seed;
  for (const character of text) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193) >>> 0;
  return hash;
}

/** Computes two hashes of a text, 16 hexadecimal digits: two texts hardly ever share both. */
export function digest(text: string): string {
  return [0x811c9dc5, 0x2a3f11c7].map((seed) => fnv1a(text, seed).toString(16).padStart(8, '0')).join('');
}
