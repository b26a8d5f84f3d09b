import type { LlmEvaluator } from '../../../src/loop/contract/evaluators';
import type { ConformanceCase } from './case';

export const llmCase: ConformanceCase<LlmEvaluator> = {
  config: { type: 'llm', prompt: 'Look at {{ state.reflection_output | tojson }}' },
  local: false,
  good: 'good',
  bad: 'bad',
  says: { good: [{ valid: true, score: 1 }], bad: [{ valid: false, score: 0.2, reason: 'it is bad' }] },
  broken: { type: 'llm', prompt: '{% if %}' },
  outage: { says: [{ status: 503 }] },
};
