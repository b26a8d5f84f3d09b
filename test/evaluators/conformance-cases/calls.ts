import type { CallsEvaluator } from '../../../src/loop/contract/evaluators';
import type { ConformanceCase } from './case';

export const callsCase: ConformanceCase<CallsEvaluator> = {
  config: { type: 'calls', must: [{ name: 'tests.run', covers: '/code' }] },
  local: true,
  good: 'print(1)',
  bad: 'print(2)',
  broken: { type: 'calls', must: ['tests.run'], mustNot: ['tests.run'] },
  // The call may be one of those that are not kept.
  outage: { config: { type: 'calls', mustNot: ['mail.send'] } },
  input: {
    evidence: {
      calls: [{ name: 'tests.run', arguments: { code: 'print(1)' }, result: 'ok', outcome: 'ok', source: 'recorded' }],
      callsOmitted: 1,
    },
  },
};
