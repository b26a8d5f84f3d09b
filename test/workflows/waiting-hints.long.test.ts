import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import type { SchemaEvaluator } from '../../src/loop/contract/evaluators';
import { defineAction } from '../../src/worker';
import { eventually } from '../../testing/support/eventually';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';
import type { ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';

const HINTED = 2;

/** Writes a draft, and fails for good once it was told what to try. */
const writes = defineAction({
  name: 'writes',
  description: 'Fails for good where a hint was given.',
  input: z.unknown(),
  needs: ['reflection_hint'],
  run: (_input, { iteration }) => {
    if (iteration === HINTED) throw new Error('the pen broke');
    return { iteration };
  },
});

const advises = defineAction({
  name: 'advises',
  description: 'Says what to try.',
  input: z.unknown(),
  needs: [],
  run: () => 'try something else',
});

const never: SchemaEvaluator = { type: 'schema', schema: { required: ['never'] } };

/** The draft, then edits of a text that is not in it. */
const EDITS: ScriptEntry[] = [
  { reply: 'The first line.\nThe second line.' },
  { reply: '<<<<<<< SEARCH\nwhat is not there\n=======\nanything\n>>>>>>> REPLACE' },
];

describe('a loop that waits with something unfinished', () => {
  const worlds: { close(): Promise<void> }[] = [];
  afterAll(async () => {
    await Promise.all(worlds.map((world) => world.close()));
  });

  async function build(name: string, buildId: string, taskQueue: string, models: object[] = []): Promise<LoopWorld> {
    const options = { taskQueue, actions: [writes, advises], models: models as never, deployment: { name, buildId } };
    const world = await startWorld(options);
    worlds.push(world);
    const { connection, options: given } = world.client.temporal;
    const request = { namespace: given.namespace, deploymentName: name, buildId };
    await eventually(
      () =>
        connection.workflowService.setWorkerDeploymentCurrentVersion(request).catch((error: Error) => error.message),
      (answer) => typeof answer !== 'string',
    );
    return world;
  }

  /** Starts it on one build, lets it wait, and has another build take the answer. */
  async function waitsAndMoves(spec: ReflectionSpec, models: object[] = []) {
    const name = `hints-${randomUUID()}`;
    const taskQueue = `hints-${randomUUID()}`;
    const one = await build(name, 'one', taskQueue, models);
    const { workflowId, runId } = await one.client.start(spec);
    await eventually(
      () => one.client.progress(workflowId).catch(() => ({ phase: 'unknown' })),
      ({ phase }) => phase === 'waiting',
      15_000,
    );
    const two = await build(name, 'two', taskQueue, models);
    await one.close();
    worlds.splice(worlds.indexOf(one), 1);
    await two.client.accept(workflowId, { iteration: 1 });
    const result = await two.client.result(workflowId);
    const handle = two.client.temporal.workflow.getHandle(workflowId);
    const { raw, runId: lastRun } = await handle.describe();
    expect(lastRun).not.toBe(runId);
    for (const run of [runId, lastRun]) {
      const { events } = await two.client.temporal.workflow.getHandle(workflowId, run).fetchHistory();
      expect(events?.filter(({ workflowTaskFailedEventAttributes: failed }) => failed)).toEqual([]);
    }
    expect(raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId).toBe('two');
    return result;
  }

  test('with a hint whose regeneration failed for good, it waits, moves to the current build, and takes accept', async () => {
    const result = await waitsAndMoves({
      generator: { action: 'writes' },
      evaluator: never,
      corrector: { action: 'advises', mode: 'hint' },
      maxIterations: 4,
      convergence: false,
      review: { when: 'on_exhausted' },
    });
    expect(result).toMatchObject({ convergenceReason: 'user_accepted', finalOutput: { iteration: 1 } });
  }, 60_000);

  test('with edits that did not apply and a spent budget of calls, too', async () => {
    const scripted = await ScriptedOpenAI.start({ script: EDITS });
    worlds.push(scripted);
    const result = await waitsAndMoves(
      {
        generator: { action: 'llm.call', prompt: 'Write.' },
        evaluator: { type: 'regex', pattern: 'third' },
        revision: { strategy: 'targeted_edit' },
        maxIterations: 4,
        convergence: false,
        budget: { modelCalls: 2 },
        review: { when: 'on_exhausted' },
      },
      [{ name: 'm', model: 'm', baseUrl: scripted.baseUrl }],
    );
    expect(result).toMatchObject({ convergenceReason: 'user_accepted', iterationsUsed: 1 });
    expect(result.tokenUsage.modelCalls).toBe(2);
  }, 60_000);
});
