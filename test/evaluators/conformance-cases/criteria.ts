import type { CriteriaEvaluator } from '../../../src/loop/contract/evaluators';
import type { ConformanceCase } from './case';

const answers = (...words: string[]) => ({
  answers: words.map((answer, index) => ({ question: `q${index + 1}`, finding: 'it is too long', answer })),
});

export const criteriaCase: ConformanceCase<CriteriaEvaluator> = {
  config: { type: 'criteria', taskType: 'writing', criteria: ['coherence', 'tone'] },
  local: false,
  good: 'good',
  bad: 'bad',
  says: {
    good: [answers('yes', 'yes')],
    bad: [answers('yes', 'no')],
  },
  broken: { type: 'criteria', model: 'nobody' },
  outage: { says: [answers('unclear', 'unclear')] },
};
