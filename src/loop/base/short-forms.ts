/** Keys of an evaluator that only evaluators of one type have, by that type: an evaluator with one of them needs no `type`. */
export const TYPE_OF_KEY = {
  schema: 'schema',
  pattern: 'regex',
  action: 'function',
  run: 'custom',
  url: 'external',
  command: 'external',
  workflow: 'workflow',
  criteria: 'criteria',
  set: 'criteria',
  against: 'comparison',
  must: 'calls',
  mustNot: 'calls',
  order: 'calls',
  atMost: 'calls',
} as const;

export type TypeKey = keyof typeof TYPE_OF_KEY;

/** Several words, or a script without spaces between words (Thai, Lao, Burmese, Khmer, Japanese, Chinese). Other texts are names. */
export const SENTENCE = /\S\s+\S|[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]/;
