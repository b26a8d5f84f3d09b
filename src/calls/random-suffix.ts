import { randomBytes } from 'node:crypto';

/** Lower case letters and digits without those that are mistaken for others: 5 bits each. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Returns random letters for the end of an id that a user can read and type, 5 bits each. */
export function randomSuffix(length: number): string {
  return [...randomBytes(length)].map((byte) => LETTERS[byte % LETTERS.length]).join('');
}
