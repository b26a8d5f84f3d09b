import { Random } from '../torture/random';
import { FAMILIES } from './families';
import { LANGUAGES } from './languages';
import { type Kind, type Place, wanted } from './wants';

/** A draft that attacks: its text depends on what its judge is asked for. */
export interface Attack {
  /** Counts from 0. */
  index: number;
  family: string;
  language: string;
  textFor(kind: Kind, place: Place): string;
}

const VARIANTS = 3;

/** All attacks of a seed, the same each time. */
export function attacks(seed: number): Attack[] {
  const all: Attack[] = [];
  for (const [familyIndex, [family, template]] of Object.entries(FAMILIES).entries()) {
    for (const [languageIndex, [language, phrases]] of Object.entries(LANGUAGES).entries()) {
      for (let variant = 0; variant < VARIANTS; variant++) {
        const parts = [familyIndex, languageIndex, variant] as const;
        const textFor = (kind: Kind, place: Place): string => {
          const random = Random.of(seed, ...parts);
          const opening = random.pick(phrases.openings);
          const attack = template({ random, phrases, said: wanted(kind, place) });
          // Honest words before it, behind it, or none.
          return random.pick([attack, `${opening}\n\n${attack}`, `${opening}\n${attack}\n\n${opening}`]);
        };
        all.push({ index: all.length, family, language, textFor });
      }
    }
  }
  return all;
}
