import type { Json } from '../lib/json/json';
import { type Difference, differences } from '../lib/text/json-difference';
import { comparableText, textSimilarity } from '../lib/text/similarity';

const MAX_DIFFERENCES = 20;

export interface Compared {
  output: Json;
  other: Json;
}

function asComparable({ output, other }: Compared): Json {
  if (typeof output !== 'string' || typeof other === 'string') return output;
  try {
    return JSON.parse(output) as Json;
  } catch {
    return output;
  }
}

/** The places in which the two differ; the first of many. */
export function differencesOf(compared: Compared): Difference[] {
  return differences(asComparable(compared), compared.other, MAX_DIFFERENCES);
}

export function similarityOf(compared: Compared): number {
  return textSimilarity(comparableText(asComparable(compared)), comparableText(compared.other));
}
