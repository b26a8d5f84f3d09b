import { bytesOf, cosineOf, SIGNATURE_BITS, signatureOf } from '../../../src/lib/memory/vectors';
import { Random } from '../../../testing/torture/random';

const DIMENSIONS = 384;

function direction(random: Random): number[] {
  return Array.from({ length: DIMENSIONS }, () => random.next() + random.next() + random.next() - 1.5);
}

function cosine(one: readonly number[], other: readonly number[]): number {
  const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, value, at) => sum + value * b[at]!, 0);
  return dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other));
}

function differing(one: string, other: string): number {
  const bits = BigInt(`0x${one}`) ^ BigInt(`0x${other}`);
  return bits.toString(2).replaceAll('0', '').length;
}

describe('vectors as they are kept', () => {
  test('signatures differ by the angle between two vectors, whatever their lengths', () => {
    const random = new Random(1);
    for (const share of [0, 0.2, 0.5, 0.8]) {
      const one = direction(random);
      const other = direction(random).map((value, at) => share * one[at]! + (1 - share) * value);
      const angle = Math.acos(cosine(one, other)) / Math.PI;
      const found = differing(signatureOf(one), signatureOf(other.map((value) => 7 * value)));
      // Five standard deviations of 512 tosses.
      expect(Math.abs(found / SIGNATURE_BITS - angle)).toBeLessThan(0.11);
    }
    const one = direction(random);
    expect(differing(signatureOf(one), signatureOf(one.map((value) => -value)))).toBe(SIGNATURE_BITS);
  });

  test('a signature stays what it is: databases are full of them', () => {
    expect(signatureOf([1, 2, -3])).toBe(
      'ee01408886c86392a7686282604b0595810fc063067071625004e83926d2479b6e5800b608a18450d6bfa8288c313c20050161ba08156ed164440d800170d810',
    );
  });

  test('a vector kept as bytes has the same cosines, to a hundredth', () => {
    const random = new Random(2);
    for (let pair = 0; pair < 20; pair += 1) {
      const one = direction(random);
      const other = direction(random).map((value, at) => (pair / 20) * one[at]! + value);
      expect(cosineOf(one, bytesOf(other))).toBeCloseTo(cosine(one, other), 2);
    }
    expect(bytesOf(direction(random))).toHaveLength(DIMENSIONS);
  });

  test('vectors without a direction, or of another size, are like nothing', () => {
    expect(cosineOf([0, 0], bytesOf([1, 1]))).toBe(0);
    expect(cosineOf([1, 1], bytesOf([0, 0]))).toBe(0);
    expect(cosineOf([1, 1], bytesOf([1, 1, 1]))).toBe(0);
  });
});
