import { RECOVERY_PROFILES } from '../../src/domain/recovery';
import type { ReflectionSpec } from '../../src/domain/spec';
import { createWorker } from '../../src/worker';
import { ScriptedOpenAI } from '../scripted-openai/server';
import { startWorld } from '../support/loop-world';

const spec: ReflectionSpec = {
  generator: { action: 'llm.call', prompt: 'Write.' },
  evaluator: { type: 'schema', schema: { type: 'object', required: ['done'] } },
};

describe('recovery', () => {
  let model: ScriptedOpenAI | undefined;
  afterEach(async () => {
    await model?.close();
    model = undefined;
  });

  test.each(['steady', 'fast'] as const)(
    'the %s profile of the worker that prepares a run decides its heartbeats',
    async (recovery) => {
      const scripted = await ScriptedOpenAI.start({ script: [{ reply: { done: true } }] });
      model = scripted;
      process.env['OPENAI_BASE_URL'] = scripted.baseUrl;
      const world = await startWorld({ recovery });
      const { workflowId } = await world.client.start(spec);
      await world.client.result(workflowId);
      const { events } = await world.client.temporal.workflow.getHandle(workflowId).fetchHistory();
      const timeouts = events!.flatMap(({ activityTaskScheduledEventAttributes: scheduled }) =>
        scheduled ? [Number(scheduled.heartbeatTimeout!.seconds) * 1_000] : [],
      );
      expect(timeouts).toEqual([RECOVERY_PROFILES[recovery].heartbeatTimeoutMs]);
      await world.close();
      delete process.env['OPENAI_BASE_URL'];
    },
  );

  test('a profile that does not exist is an error of the worker', async () => {
    await expect(createWorker({ recovery: 'quick' as 'fast' })).rejects.toThrow('no recovery profile "quick"');
  });
});
