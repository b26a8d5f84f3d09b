import { z } from 'zod';
import { createActionRegistry } from '../../../src/actions/registry';
import type { FunctionEvaluator } from '../../../src/loop/contract/evaluators';
import { defineAction } from '../../../src/worker';
import type { ConformanceCase } from './case';

const startsWith = defineAction({
  name: 'starts-with',
  description: 'Looks how a text begins.',
  input: z.object({ output: z.string(), beginning: z.string().default('Dear') }),
  run: ({ output, beginning }) => [output.startsWith(beginning), `it must start with ${beginning}`],
});
const breaks = defineAction({
  name: 'breaks',
  description: 'Fails.',
  input: z.unknown(),
  run: () => {
    throw new Error('the service is away');
  },
});

export const functionCase: ConformanceCase<FunctionEvaluator> = {
  config: { type: 'function', action: 'starts-with' },
  local: false,
  good: 'Dear Ada',
  bad: 'Hello Ada',
  broken: { type: 'function', action: 'nobody' },
  outage: { config: { type: 'function', action: 'breaks' } },
  context: { actions: createActionRegistry([startsWith, breaks]) },
};
