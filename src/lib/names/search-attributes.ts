export const SEARCH_ATTRIBUTES = {
  status: 'ReflectionStatus',
  iteration: 'ReflectionIteration',
  bestScore: 'ReflectionBestScore',
  reason: 'ReflectionReason',
} as const;

export const SEARCH_ATTRIBUTE_TYPES = {
  ReflectionStatus: 'Keyword',
  ReflectionIteration: 'Int',
  ReflectionBestScore: 'Double',
  ReflectionReason: 'Keyword',
} as const;

/** The numbers of these types in Temporal's interface (`temporal.api.enums.v1.IndexedValueType`). */
const NUMBERS = { Keyword: 2, Int: 3, Double: 4 } as const;

interface AttributeGaps {
  missing: string[];
  /** There, but of another type: a run that set it would never get past that. */
  otherType: string[];
}

/** Lists missing search attributes; `present` has the namespace's own with the numbers of their types. */
export function attributeGaps(present: Readonly<Record<string, number>> | null | undefined): AttributeGaps {
  const isMissing = (name: string): boolean => present?.[name] === undefined;
  const isOther = (name: keyof typeof SEARCH_ATTRIBUTE_TYPES): boolean =>
    present?.[name] !== NUMBERS[SEARCH_ATTRIBUTE_TYPES[name]];
  const names = Object.values(SEARCH_ATTRIBUTES);
  return {
    missing: names.filter(isMissing),
    otherType: names.filter((name) => !isMissing(name) && isOther(name)),
  };
}

/** The knowledge of a run about the search attributes: part of the findings of `prepare`. */
export interface ListedRun {
  /** Whether the namespace has them. */
  searchAttributes: boolean;
  /** The time at which that was found, in milliseconds since 1970; if left out, just now. */
  searchAttributesAt?: number;
}
