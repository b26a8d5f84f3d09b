import type { Chance } from './random';
import { type Flaws, SEVERITIES } from './world';

/** Something that a reviewer may say of a text: a flaw, a wish to have its repair taken back, or a matter of taste. */
export type Remark = { kind: 'flaw' | 'revert' | 'taste'; place: number };

const TOPICS = [
  'the warranty',
  'the price',
  'the weight',
  'the delivery',
  'the colour',
  'the size',
  'the care',
  'safety',
];
const ASIDES = ['the opening', 'the greeting', 'the transition', 'the example', 'the summary', 'the closing'];
const PLACES = SEVERITIES.length;
export const ASIDE_COUNT = ASIDES.length;

/** A text with a sentence for each possible flaw, and some that are a matter of taste. A number for each sentence says how it is worded. */
export interface ReviewedText {
  flaws: Flaws;
  wordings: number[];
}

/** Returns the text of a draft. */
export function draftText(flaws: Flaws): ReviewedText {
  return { flaws, wordings: Array.from({ length: PLACES + ASIDE_COUNT }, () => 0) };
}

/** Returns the text after a revision: sentences that were mended or tried have other words; after a rewrite all of them. */
export function revisedText(
  base: ReviewedText,
  flaws: Flaws,
  told: readonly Remark[],
  isRewritten: boolean,
  chance: Chance,
): ReviewedText {
  const wordings = base.wordings.map((wording, index) => {
    const isFlaw = index < PLACES;
    const isChanged = isFlaw && base.flaws.has(index) !== flaws.has(index);
    const isTried = told.some(
      ({ kind, place }) => (kind === 'taste') !== isFlaw && place === (isFlaw ? index : index - PLACES),
    );
    return isRewritten || isChanged || (isTried && chance.happens(0.5)) ? wording + 1 : wording;
  });
  return { flaws, wordings };
}

const FILLER = 'and so it goes on for some more words, as sentences of such a text mostly do before they end at last';

function sentence({ flaws, wordings }: ReviewedText, index: number): string {
  const wording = `wording ${wordings[index]}`;
  if (index >= PLACES) return `As to ${ASIDES[index - PLACES]!} (${wording}), ${FILLER}.`;
  return `About ${TOPICS[index]!} it says what is ${flaws.has(index) ? 'wrong' : 'right'} (${wording}), ${FILLER}.`;
}

/** Renders a text. */
export function renderText(text: ReviewedText): string {
  return text.wordings.map((_, index) => sentence(text, index)).join(' ');
}

/** Returns the words of a text that a remark is about. */
export function quoteFor(text: ReviewedText, { kind, place }: Remark): string {
  return sentence(text, kind === 'taste' ? place + PLACES : place).split(', and so')[0]!;
}

const WORDS: Record<Remark['kind'], readonly string[]> = {
  flaw: [
    'What it says about % is wrong.',
    'It describes % incorrectly.',
    'The account of % does not hold.',
    'There is an error in the part on %.',
    'As it stands, % is misstated.',
    'The facts on % need to be corrected.',
  ],
  revert: ['It was better before: say of % what the text said.', 'The new words on % do not convince: take them back.'],
  taste: ['The words of % could be livelier.', 'I would put % differently.', '% reads a little flat.'],
};

/** Words a remark: always in the same way, or in one of several. */
export function wordRemark({ kind, place }: Remark, chance: Chance | undefined): string {
  const topic = kind === 'taste' ? ASIDES[place]! : TOPICS[place]!;
  const words = chance?.oneOf(WORDS[kind]) ?? WORDS[kind][0]!;
  return words.replace('%', topic);
}
