import type { Models } from '../../src/lib/models/types';
import { NO_USAGE } from '../../src/lib/base/tokens';

/**
 * Models that answer at once, so that the benchmark measures loops and not HTTP: the writer gives a text of a size, the judge
 * says that it is not good enough yet.
 */
export function noOpModels(outputBytes: number): Models {
  const verdict = JSON.stringify({
    valid: false,
    score: 0.5,
    reason: 'no',
    issues: [],
    suggestions: [],
    confidence: 1,
  });
  const text = 'x'.repeat(outputBytes);
  return {
    problem: () => undefined,
    hasPrice: () => false,
    refuses: () => undefined,
    call: async ({ reply }) => ({ text: reply ? verdict : text, cutOff: false, usage: { ...NO_USAGE, modelCalls: 1 } }),
  };
}
