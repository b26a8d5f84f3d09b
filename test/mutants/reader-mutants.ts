/** A mistake in what chooses a judgement among those that a reply might mean (`src/evaluators/replies/candidates.ts`). */
export interface ReaderMutant {
  why: string;
  find: string;
  replace: string;
}

/** Each must let a draft decide in the attack run. */
export const readerMutants: readonly ReaderMutant[] = [
  {
    why: 'the code is not checked: any will do',
    find: 'codes.every((each) => each === code)',
    replace: 'codes.every((each) => each !== undefined)',
  },
  {
    why: 'a judgement without a code counts like one with it',
    find: 'codes.length > 0 && codes.every((each) => each === code)',
    replace: 'codes.every((each) => each === code)',
  },
  {
    why: 'the first of several judgements wins',
    find: 'return values.every((one) => values.every((other) => form.agree(one, other))) ? best : DIFFER;',
    replace: 'return values.length > 0 ? values[0]! : best;',
  },
  {
    why: 'a judgement that favours the output counts without a code',
    find: 'isFavourable && !isCoded && code !== undefined',
    replace: 'isFavourable && !isCoded && code === undefined',
  },
  {
    why: 'a line with the code vouches for a quote below it',
    find: 'if (isFavourable || !isCoded) {',
    replace: 'if (isFavourable && isCoded) return reading;\n  if (!isCoded) {',
  },
];
