import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { ReflectionActivities } from '../../src/activities/protocol';
import type { Registered } from '../../src/lib/names/activity-names';
import type { Json } from '../../src/lib/json/json';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { isTimed } from '../../src/lib/base/timed-result';
import type { StepOutcome } from '../../src/loop/step-state/step-call';
import { evaluatorsOf } from '../../src/loop/spec/judges';

/** Our activities say their time beside their result. */
function plain<T>(given: T): T {
  return isTimed(given) ? (given.value as T) : given;
}

/**
 * What somebody would write by hand in a quarter of an hour: the same activities in a `for` loop, all of them ordinary, with
 * nothing that people could see or steer.
 */
export async function handWrittenLoop(spec: ReflectionSpec): Promise<{ output: Json; iterations: number }> {
  const onModels = 'action' in spec.generator && spec.generator.action === 'llm.call';
  const common = { startToCloseTimeout: '2m', heartbeatTimeout: '5s' } as const;
  const modelQueue = { ...common, taskQueue: `${workflowInfo().taskQueue}-models` };
  type Activities = Registered<ReflectionActivities>;
  const steps = proxyActivities<Activities>(onModels ? modelQueue : common);
  const judges = proxyActivities<Activities>(evaluatorsOf(spec)[0]!.type === 'llm' ? modelQueue : common);
  let output: Json = null;
  for (let iteration = 1; iteration <= spec.maxIterations!; iteration += 1) {
    const request = { step: spec.generator, iteration, timeoutMs: 120_000, state: { reflection_iteration: iteration } };
    const answer: StepOutcome = plain(
      iteration === 1
        ? await steps['reflection.generate'](request)
        : await steps['reflection.revise']({ ...request, state: { ...request.state, reflection_output: output } }),
    );
    output = answer.output;
    const [verdict] = plain(
      await judges['reflection.evaluate']({
        evaluators: evaluatorsOf(spec),
        names: ['judge'],
        iteration,
        output,
        state: {},
        qualityThreshold: 0.8,
        structured: true,
        timeoutMs: 120_000,
      }),
    );
    if (verdict!.outcome === 'pass') return { output, iterations: iteration };
  }
  return { output, iterations: spec.maxIterations! };
}
