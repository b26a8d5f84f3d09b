/** The search attributes that the run list of the Web UI shows. */
export const SEARCH_ATTRIBUTES = {
  status: 'ReflectionStatus',
  iteration: 'ReflectionIteration',
  bestScore: 'ReflectionBestScore',
  reason: 'ReflectionReason',
} as const;

/** Their types in Temporal. */
export const SEARCH_ATTRIBUTE_TYPES = {
  ReflectionStatus: 'Keyword',
  ReflectionIteration: 'Int',
  ReflectionBestScore: 'Double',
  ReflectionReason: 'Keyword',
} as const;
