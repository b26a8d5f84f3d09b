import { MockActivityEnvironment } from '@temporalio/testing';
import { createActionRegistry } from '../../src/actions/registry';
import { createActivities } from '../../src/activities';
import type { EvaluateInput } from '../../src/activities/protocol';
import type { Verdict } from '../../src/loop/state/evaluation';
import type { Evaluator } from '../../src/loop/contract/evaluators';
import { createModels } from '../../src/lib/models';
import { endIdleThreads } from '../../src/lib/threads/offload';

const activities = createActivities({
  models: createModels([], {}),
  actions: createActionRegistry([]),
  searchAttributes: () => Promise.resolve(false),
});
afterAll(endIdleThreads);

async function evaluated(evaluators: Evaluator[], output: string): Promise<Verdict[]> {
  const names = evaluators.map(({ type }, index) => `${type} ${index}`);
  const settings = { iteration: 1, state: {}, qualityThreshold: 0.8, structured: true, timeoutMs: 10_000 };
  const input: EvaluateInput = { evaluators, names, output, ...settings };
  return new MockActivityEnvironment().run(async () => activities.evaluate(input)) as Promise<Verdict[]>;
}

/** Each takes the 200 ms that one may take. */
const slow = (at: number): Evaluator => ({
  type: 'schema',
  schema: { type: 'string', pattern: `^(?=(a+)+$)${'(?:)'.repeat(at)}` },
});

test('all deterministic evaluators of a version have one time: what it ends has not judged, and says so', async () => {
  const before: Evaluator = { type: 'regex', pattern: '^a' };
  const evaluators = [before, ...Array.from({ length: 20 }, (_, at) => slow(at)), before];
  const verdicts = await evaluated(evaluators, `${'a'.repeat(40)}!`);
  expect(verdicts[0]).toMatchObject({ outcome: 'pass', score: 1 });
  expect(verdicts.slice(1).every(({ outcome, score }) => outcome === 'inconclusive' && score === null)).toBe(true);
  expect(verdicts[1]!.reason).toMatch(/validation took longer than 200 ms/);
  const late = verdicts.findIndex(({ reason = '' }) => reason.includes('took longer than 2000 ms'));
  expect(late).toBeGreaterThan(2);
  expect(verdicts[late]!.reason).toMatch(/^schema \d+ could not judge: with the evaluators before it, it took longer/);
  expect(verdicts.at(-1)!.reason).toContain(`the evaluators up to "schema ${late}" took longer than 2000 ms`);
}, 60_000);

test('a version has a new time', async () => {
  expect(await evaluated([{ type: 'regex', pattern: '^a' }], 'ab')).toMatchObject([{ outcome: 'pass' }]);
});
