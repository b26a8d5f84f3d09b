import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { sha256 } from '../../../src/lib/base/sha256';

test('the digest is that of Node, for texts of any length and any characters', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.nat(200).map((length) => 'x'.repeat(length)),
  );
  fc.assert(
    fc.property(text, (given) => {
      expect(sha256(given)).toBe(createHash('sha256').update(given, 'utf8').digest('hex'));
    }),
  );
});
