import { schemaEvaluator } from '../../src/evaluators/schema/schema';
import { createActionRegistry } from '../../src/actions/registry';
import { createModels } from '../../src/lib/models';
import { templateProblemsAsync } from '../../src/lib/templates';

/** Has a thread start, and load what checks need: from sources, that takes longer than any check. */
export async function readyThreads(): Promise<void> {
  const enumeration = Array.from({ length: 2_000 }, (_, index) => `value ${index}`);
  const context = { models: createModels([], {}), actions: createActionRegistry([]) };
  expect(await schemaEvaluator.problems({ type: 'schema', schema: { enum: enumeration } }, context)).toEqual([]);
  expect(await templateProblemsAsync([`${'x'.repeat(50_000)}{{ y }}`])).toEqual([[]]);
}
