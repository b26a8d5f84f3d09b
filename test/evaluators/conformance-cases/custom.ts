import type { CustomEvaluator } from '../../../src/loop/contract/evaluators';
import { createSandbox } from '../../../src/lib/sandbox';
import type { ConformanceCase } from './case';

export const customCase: ConformanceCase<CustomEvaluator> = {
  config: {
    type: 'custom',
    language: 'javascript',
    run: 'return [output.startsWith("Dear"), "it must start with Dear"]',
  },
  local: false,
  good: 'Dear Ada',
  bad: 'Hello Ada',
  broken: { type: 'custom', run: ' \n' },
  outage: { config: { type: 'custom', language: 'lua', run: 'error("the table is away")' } },
  context: { sandbox: createSandbox({ poolSize: 0 }) },
};
