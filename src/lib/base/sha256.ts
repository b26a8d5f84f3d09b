/** Returns 32 bits after the point of a root of each of the first 64 primes. The power says which root. */
function rootFractions(power: number): Uint32Array {
  const primes: number[] = [];
  for (let each = 2; primes.length < 64; each += 1) if (primes.every((prime) => each % prime !== 0)) primes.push(each);
  return Uint32Array.from(primes, (prime) => (prime ** power % 1) * 2 ** 32);
}

const ROUND = rootFractions(1 / 3);
const START = rootFractions(1 / 2).slice(0, 8);

function paddedBytes(text: string): DataView {
  const bytes = new TextEncoder().encode(text);
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  return view;
}

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** Computes SHA-256 of a text in UTF-8, as hexadecimal digits: workflow code, which calls this, has no `crypto`. */
export function sha256(text: string): string {
  const view = paddedBytes(text);
  const hash = START.slice();
  const words = new Uint32Array(64);
  for (let at = 0; at < view.byteLength; at += 64) {
    for (let index = 0; index < 16; index += 1) words[index] = view.getUint32(at + index * 4);
    for (let index = 16; index < 64; index += 1) {
      const early = words[index - 15]!;
      const late = words[index - 2]!;
      const first = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
      const second = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
      words[index] = words[index - 16]! + first + words[index - 7]! + second;
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
    for (let index = 0; index < 64; index += 1) {
      const chosen = (e & f) ^ (~e & g);
      const most = (a & b) ^ (a & c) ^ (b & c);
      const first = (h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + chosen + ROUND[index]! + words[index]!) | 0;
      const second = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + most) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + first) | 0;
      d = c;
      c = b;
      b = a;
      a = (first + second) | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((word, index) => (hash[index]! += word));
  }
  return Array.from(hash, (word) => word.toString(16).padStart(8, '0')).join('');
}
