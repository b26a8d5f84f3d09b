import type { ComparisonEvaluator } from '../../../src/loop/contract/evaluators';
import type { ConformanceCase } from './case';

export const comparisonCase: ConformanceCase<ComparisonEvaluator> = {
  config: { type: 'comparison', against: 'reference', reference: 'a reference' },
  local: false,
  good: 'good',
  bad: 'bad',
  says: {
    good: [{ reason: 'livelier', better: 'first', margin: 'clear' }],
    bad: [{ reason: 'duller', faults_first: ['it is dull'], better: 'second', margin: 'slight' }],
  },
  broken: { type: 'comparison', against: 'reference' },
  outage: { says: ['Both are lovely.'].map((reply) => ({ reply })) },
};

/** Without a model. */
export const exactCase: ConformanceCase<ComparisonEvaluator> = {
  config: { type: 'comparison', against: 'prior', method: 'exact' },
  local: true,
  good: { a: [1, { b: null }], c: 'x' },
  bad: { a: [1, { b: 0 }], d: 'x' },
  input: { prior: { c: 'x', a: [1, { b: null }] } },
  broken: { type: 'comparison', against: 'prior', method: 'exact', reference: 1 },
};

/** Without a model. */
export const similarityCase: ConformanceCase<ComparisonEvaluator> = {
  config: { type: 'comparison', against: 'reference', reference: 'the quick brown fox jumps', method: 'similarity' },
  local: true,
  good: 'the quick brown fox jumped',
  bad: 'a lazy dog sleeps',
  broken: { type: 'comparison', against: 'reference', method: 'similarity' },
};
