import type { JsonObject } from '../../src/lib/json/json';
import { MOST_EVALUATORS } from '../../src/loop/base/maxima';

/** As many evaluators as there may be, which are so many parts together: criteria that an action judges each. */
export function inParts(count: number): JsonObject[] {
  const each = Math.floor(count / MOST_EVALUATORS);
  const criterion = (_: unknown, index: number): JsonObject => ({
    name: `criterion ${index}`,
    evaluator: 'function',
    evaluatorConfig: { action: 'judges', with: { issues: 5, issueLength: 1_000 } },
  });
  return Array.from({ length: MOST_EVALUATORS }, () => ({
    type: 'criteria',
    criteria: Array.from({ length: each }, criterion),
  }));
}
