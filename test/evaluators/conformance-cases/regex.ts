import type { RegexEvaluator } from '../../../src/loop/contract/evaluators';
import type { ConformanceCase } from './case';

export const regexCase: ConformanceCase<RegexEvaluator> = {
  config: { type: 'regex', pattern: '^dear \\w+', flags: 'i' },
  local: true,
  good: 'Dear Ada, hello',
  bad: 'Hello Ada',
  broken: { type: 'regex', pattern: '(?=a)' },
  // Whoever skips the check of the spec.
  outage: { config: { type: 'regex', pattern: '(' } },
};
