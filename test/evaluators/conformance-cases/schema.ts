import type { SchemaEvaluator } from '../../../src/loop/contract/evaluators';
import type { ConformanceCase } from './case';

export const schemaCase: ConformanceCase<SchemaEvaluator> = {
  config: { type: 'schema', schema: { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } } },
  local: true,
  good: { a: '1' },
  bad: { a: 'x' },
  broken: { type: 'schema', schema: { type: 'nothing' } },
  // A pattern that takes for ever: the time limit ends it.
  outage: { config: { type: 'schema', schema: { pattern: '^(?=(a+)+$)' } }, output: `${'a'.repeat(40)}!` },
};
