/** Bits of a signature. More of them distinguish closer directions. */
export const SIGNATURE_BITS = 512;

/** Cosines are kept to about a hundredth: a number of a vector takes a byte instead of four. */
const LARGEST = 127;

/** By the number of dimensions: the hyperplanes of every bit, one after the other, as signs. */
const planes = new Map<number, Int8Array>();

/** Returns pseudo-random bits (mulberry32). Signatures are stored, so the bits may never change. */
function signs(count: number): Int8Array {
  const result = new Int8Array(count);
  let state = 0x5eed;
  let bits = 0;
  for (let index = 0; index < count; index += 1) {
    if (index % 32 === 0) {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      bits = mixed ^ (mixed >>> 14);
    }
    result[index] = (bits >>> (index % 32)) & 1 ? 1 : -1;
  }
  return result;
}

/**
 * Returns the sides of random hyperplanes that a vector lies on, as hexadecimal digits: of two vectors at an angle of θ, the
 * share θ/π of the bits differs (Charikar 2002, "Similarity estimation techniques from rounding algorithms").
 */
export function signatureOf(vector: readonly number[]): string {
  const { length } = vector;
  const all = planes.get(length) ?? signs(length * SIGNATURE_BITS);
  planes.set(length, all);
  const given = Float64Array.from(vector);
  let digits = '';
  let digit = 0;
  for (let bit = 0; bit < SIGNATURE_BITS; bit += 1) {
    const from = bit * length;
    let sum = 0;
    for (let index = 0; index < length; index += 1) sum += given[index]! * all[from + index]!;
    digit = digit * 2 + (sum > 0 ? 1 : 0);
    if (bit % 4 !== 3) continue;
    digits += digit.toString(16);
    digit = 0;
  }
  return digits;
}

/** Packs a vector into bytes, each a number from -127 to 127. Its length is lost, which cosines do not need. */
export function bytesOf(vector: readonly number[]): Uint8Array {
  const most = vector.reduce((largest, number) => Math.max(largest, Math.abs(number)), 0);
  const rounded = Int8Array.from(vector, (number) => Math.round((number / (most || 1)) * LARGEST));
  return new Uint8Array(rounded.buffer);
}

/** Returns the cosine of the angle between a vector and one that was kept as bytes; 0 where one of them has no direction. */
export function cosineOf(vector: readonly number[], bytes: Uint8Array): number {
  const kept = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (kept.length !== vector.length) return 0;
  let product = 0;
  let square = 0;
  let keptSquare = 0;
  for (const [index, number] of vector.entries()) {
    product += number * kept[index]!;
    square += number * number;
    keptSquare += kept[index]! * kept[index]!;
  }
  return product === 0 ? 0 : product / Math.sqrt(square * keptSquare);
}
