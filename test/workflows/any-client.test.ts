import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { ReflectionResult } from '../../src/loop/contract/results';
import { defineAction } from '../../src/worker';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';
import { testCli } from '../../testing/support/temporal-server';

const drafts = defineAction({
  name: 'drafts',
  description: 'Gives the draft of the iteration.',
  input: z.array(z.json()),
  run: (list, { iteration }) => list[iteration - 1]!,
});

const spec = {
  generator: { action: 'drafts', with: [{ name: 'Ada' }, 'Here it is: {"name": "Ada", "age": "36"}'] },
  evaluator: {
    type: 'schema' as const,
    schema: { type: 'object', required: ['name', 'age'], properties: { age: { type: 'integer' } } },
  },
};

/** What is the same in two runs of the same spec: all but times. */
function lasting(result: ReflectionResult) {
  return {
    ...result,
    executionTime: 0,
    finalEvaluation: withoutTimes(result.finalEvaluation),
    history: {
      ...result.history,
      versions: result.history.versions.map((version) => ({
        ...version,
        timestamp: '',
        ...(version.calls && { calls: version.calls.map((call) => ({ ...call, startedAt: '', endedAt: '' })) }),
        evaluation: withoutTimes(version.evaluation),
      })),
    },
  };
}

function withoutTimes<T extends ReflectionResult['finalEvaluation']>(evaluation: T) {
  return evaluation && { ...evaluation, evaluators: evaluation.evaluators.map((each) => ({ ...each, ms: 0 })) };
}

describe('the same spec from any client', () => {
  let world: LoopWorld;
  beforeAll(async () => {
    world = await startWorld({ actions: [drafts] });
  });
  afterAll(() => world.close());

  test('the temporal command, which knows nothing of this package, gets the same result as our client', async () => {
    const workflowId = `any-client-${randomUUID()}`;
    const given = `--address ${world.address} --output json --workflow-id ${workflowId} --type reflectionLoop`;
    const args = `workflow execute ${given} --task-queue ${world.client.taskQueue}`.split(' ');
    const { stdout } = await promisify(execFile)(await testCli(), [...args, '--input', JSON.stringify(spec)]);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'COMPLETED', result: { success: true } });
    // The command prints empty lists as null, so the result itself is asked for.
    const byCommand = await world.client.result(workflowId);
    const byClient = await world.client.run(spec);
    expect(byCommand).toMatchObject({ success: true, iterationsUsed: 2, finalOutput: { name: 'Ada', age: 36 } });
    expect(lasting(byCommand)).toEqual(lasting(byClient));
  });
});
