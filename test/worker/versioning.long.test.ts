import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { z } from 'zod';
import { workerDeployment } from '../../src/lib/config';
import type { AgentReflectionReport } from '../../src/kinds/agents/contract/agent-results';
import type { WaitingFor } from '../../src/loop/contract/waiting';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { defineAction } from '../../src/worker';
import { ReflectCommand } from '../apps/cli/reflect-command';
import { eventually } from '../../testing/support/eventually';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';
import { testAddress, testCli } from '../../testing/support/temporal-server';

const execute = promisify(execFile);

/** More iterations than one run has, so that the chain is tested with its first link. */
const ITERATIONS = 52;
const WAITING = 3;

/** Lets the test do something while a run is under way. */
class Gate {
  reached = false;
  #open!: () => void;
  readonly #opened = new Promise<void>((resolve) => (this.#open = resolve));

  async pass(): Promise<void> {
    this.reached = true;
    await this.#opened;
  }

  open(): void {
    this.#open();
  }
}

/** An action whose outputs carry the name of the build. */
const signs = (buildId: string, gate?: Gate) =>
  defineAction({
    name: 'signs',
    description: 'Says which build made the output.',
    input: z.unknown(),
    needs: [],
    run: async (_input, { iteration }) => {
      if (iteration === WAITING) await gate?.pass();
      return { buildId };
    },
  });

function startBuild(buildId: string, name: string, taskQueue: string, gate?: Gate): Promise<LoopWorld> {
  return startWorld({ taskQueue, actions: [signs(buildId, gate)], deployment: { name, buildId } });
}

const spec = (maxIterations: number): ReflectionSpec => ({
  generator: { action: 'signs' },
  evaluator: { type: 'schema', schema: { required: ['never'] } },
  maxIterations,
  convergence: false,
});

describe('versioned workers', () => {
  const deployment = `loops-${randomUUID()}`;
  const worlds: LoopWorld[] = [];
  const gate = new Gate();
  afterAll(async () => {
    gate.open();
    await Promise.all(worlds.map((world) => world.close()));
  });

  async function makeCurrent({ client }: LoopWorld, buildId: string, name = deployment): Promise<void> {
    const { connection, options } = client.temporal;
    const request = { namespace: options.namespace, deploymentName: name, buildId };
    // The server learns of a version, and of both its queues, when its worker asks for work.
    await eventually(
      () =>
        connection.workflowService.setWorkerDeploymentCurrentVersion(request).catch((error: Error) => error.message),
      (answer) => typeof answer !== 'string',
    );
  }

  async function buildsOf(world: LoopWorld, workflowId: string): Promise<unknown[]> {
    const versions = await world.client.history(workflowId);
    expect(versions).toHaveLength((await world.client.result(workflowId)).iterationsUsed);
    return [...new Set(versions.map(({ output }) => (output as { buildId: string }).buildId))];
  }

  test('a run stays with the build it began with, over its whole chain; new runs get the current build', async () => {
    const taskQueue = `versions-${randomUUID()}`;
    const one = await startBuild('one', deployment, taskQueue, gate);
    worlds.push(one);
    expect(one.worker.deployment).toEqual({ name: deployment, buildId: 'one' });
    await makeCurrent(one, 'one');
    const { workflowId, runId } = await one.client.start(spec(ITERATIONS));
    await eventually(() => gate.reached, Boolean);

    const two = await startBuild('two', deployment, taskQueue);
    worlds.push(two);
    await makeCurrent(two, 'two');
    const later = await two.client.run(spec(2), { workflowId: `later-${workflowId}` });
    expect(later.iterationsUsed).toBe(2);
    expect(await buildsOf(two, `later-${workflowId}`)).toEqual(['two']);

    gate.open();
    const result = await one.client.result(workflowId);
    expect(result.iterationsUsed).toBe(ITERATIONS);
    expect(await buildsOf(one, workflowId)).toEqual(['one']);
    const { runId: lastRun, raw } = await one.client.temporal.workflow.getHandle(workflowId).describe();
    expect(lastRun).not.toBe(runId);
    expect(raw.workflowExecutionInfo?.versioningInfo).toMatchObject({
      deploymentVersion: { deploymentName: deployment, buildId: 'one' },
    });
  }, 60_000);

  test('each kind of run that waits goes on with the build that is current, and the old build drains', async () => {
    const name = `waits-${randomUUID()}`;
    const taskQueue = `versions-${randomUUID()}`;
    const one = await startBuild('one', name, taskQueue);
    worlds.push(one);
    await makeCurrent(one, 'one', name);
    const loop = { ...spec(2), review: { when: 'on_exhausted' } } as const;
    const signed = { action: 'signs' };
    const { workflowId, runId } = await one.client.start(loop);
    const pipeline = await one.client.pipelines.start({
      nodes: [
        { name: 'before', ...signed, output: 'before' },
        { name: 'draft', action: 'reflection.loop', with: loop },
        { name: 'after', ...signed, output: 'after' },
      ],
    });
    const plan = await one.client.plans.start({
      goal: 'Wait for a person',
      enableLlmReflection: false,
      maxReplanningAttempts: 0,
      plan: {
        id: 'waits',
        tasks: [
          { id: 'before', description: 'Sign it', step: signed },
          { id: 'draft', description: 'Have it reviewed', step: { loop }, dependsOn: ['before'] },
          { id: 'after', description: 'Sign it again', step: signed, dependsOn: ['draft'] },
        ],
      },
    });
    const agents = `agents-${randomUUID()}`;
    const config = { reflection: { method: 'template' } };
    await one.client.temporal.workflow.start('agentReflection', {
      taskQueue,
      workflowId: agents,
      args: [{ agents: [{ id: 'owner', type: 'household_owner' }], config }],
    });
    const flood = await one.client.agents.trigger(agents, { kind: 'crisis', year: 1 });
    expect(flood.reflected).toMatchObject([{ agentId: 'owner' }]);

    const loops = [workflowId, `${pipeline.workflowId}/draft`, `${plan.workflowId}/draft`];
    const runs = [...loops, pipeline.workflowId, plan.workflowId, agents];
    // One by one: a call that the SDK tries again when its connection is closed ends the process.
    const waiting = async ({ client }: LoopWorld) => {
      const found: (WaitingFor | undefined)[] = [];
      for (const id of loops) found.push((await client.progress(id)).waitingFor);
      return found;
    };
    const before = await eventually(
      () => waiting(one).catch(() => []),
      (found) => found.length > 0 && found.every(Boolean),
    );
    const versionsOf = ({ client }: LoopWorld) =>
      Promise.all(
        runs.map(async (id) => {
          const { raw } = await client.temporal.workflow.getHandle(id).describe();
          const { behavior, deploymentVersion } = raw.workflowExecutionInfo?.versioningInfo ?? {};
          return { behavior: Number(behavior), build: deploymentVersion?.buildId };
        }),
      );
    const AUTO_UPGRADE = 2;
    const followed = runs.map(() => ({ behavior: AUTO_UPGRADE, build: 'one' }));
    const bound = await eventually(
      () => versionsOf(one),
      (found) => found.every(({ behavior }) => behavior === AUTO_UPGRADE),
    );
    expect(bound).toEqual(followed);

    const two = await startBuild('two', name, taskQueue);
    worlds.push(two);
    await makeCurrent(two, 'two', name);
    await one.close();
    worlds.splice(worlds.indexOf(one), 1);
    // The time at which the wait began counts, whoever waits.
    expect(await waiting(two)).toEqual(before);
    await two.client.temporal.workflow.getHandle(workflowId).executeUpdate('extend', { args: [{ iterations: 1 }] });
    await eventually(
      () => two.client.progress(workflowId),
      ({ phase, iteration }) => phase === 'waiting' && iteration === 3,
    );
    const storm = await two.client.agents.trigger(agents, { kind: 'crisis', year: 2 });
    expect(storm.reflected).toMatchObject([{ agentId: 'owner' }]);
    for (const id of loops) await two.client.accept(id, { iteration: id === workflowId ? 3 : 2 });
    await two.client.agents.finish(agents);

    const [byOne, byTwo] = ['one', 'two'].map((buildId) => ({ buildId }));
    const result = await two.client.result(workflowId);
    expect(result).toMatchObject({ convergenceReason: 'user_accepted', finalOutput: byTwo });
    expect(result.history.versions.map(({ output }) => output)).toEqual([byOne, byOne, byTwo]);
    expect((await two.client.temporal.workflow.getHandle(workflowId).describe()).runId).not.toBe(runId);
    const piped = await two.client.pipelines.result(pipeline.workflowId);
    expect(piped.state).toMatchObject({ before: byOne, after: byTwo, reflection_output: byOne });
    expect(piped.nodes.map(({ name: node }) => node)).toEqual(['before', 'draft', 'after']);
    const { success, results } = await two.client.plans.result(plan.workflowId);
    expect([success, results.map(({ output }) => output)]).toEqual([true, [byOne, byOne, byTwo]]);
    const report = (await two.client.temporal.workflow.getHandle(agents).result()) as AgentReflectionReport;
    expect(report.reflections.map(({ year }) => year)).toEqual([1, 2]);
    expect((await versionsOf(two)).map(({ build }) => build)).toEqual(runs.map(() => 'two'));
  }, 60_000);

  test('`reflect worker` says that its version waits; its command makes it current, and model calls stay with it', async () => {
    const name = `command-${randomUUID()}`;
    const address = testAddress();
    const world = await startWorld();
    worlds.push(world);
    const taskQueue = `versions-${randomUUID()}`;
    const environment = { TEMPORAL_ADDRESS: address, REFLECT_TASK_QUEUE: taskQueue };
    const versioned = {
      ...environment,
      REFLECT_DEPLOYMENT: name,
      REFLECT_BUILD_ID: 'b1',
      OPENAI_BASE_URL: 'http://127.0.0.1:9',
    };
    const command = new ReflectCommand(['worker'], { env: versioned });
    try {
      await command.says(/Ctrl-C lets/);
      const [, line] = /^ {2}temporal (.*set-current-version.*)$/m.exec(command.stdout)!;
      const cli = await testCli();
      await eventually(
        () =>
          execute(cli, [...line!.split(' '), '--yes']).then(
            () => '',
            (error: Error) => error.message,
          ),
        (problem) => problem === '',
      );
      await world.client.temporal.workflow.start('reflectionLoop', {
        taskQueue,
        workflowId: `command-${name}`,
        args: [{ ...spec(1), generator: { action: 'llm.call', prompt: 'x' }, timeouts: { retryFor: '3s' } }],
      });
      // The call reached a worker of the model queue, which found nobody at the address.
      await expect(world.client.result(`command-${name}`)).rejects.toMatchObject({ type: 'Model.Unavailable' });
    } finally {
      command.kill('SIGTERM');
      expect((await command.finished).code).toBe(0);
    }
  }, 60_000);

  test('half a version is refused: a worker without one would take other runs', () => {
    expect(workerDeployment()).toBeUndefined();
    expect(() => workerDeployment({ name: 'loops', buildId: '' })).toThrow(/REFLECT_BUILD_ID/);
    process.env['REFLECT_BUILD_ID'] = 'b1';
    try {
      expect(() => workerDeployment()).toThrow(/REFLECT_DEPLOYMENT/);
    } finally {
      delete process.env['REFLECT_BUILD_ID'];
    }
  });

  test('a worker without a version marks no run with one', async () => {
    const world = await startWorld({ actions: [signs('none')] });
    worlds.push(world);
    // The server refuses every task of a run that names a versioning behaviour on a worker without a version.
    const { workflowId } = await world.client.start(spec(2));
    expect(await world.client.result(workflowId)).toMatchObject({ iterationsUsed: 2 });
    const { raw } = await world.client.temporal.workflow.getHandle(workflowId).describe();
    expect(raw.workflowExecutionInfo?.versioningInfo?.behavior ?? 0).toBe(0);
  });
});
