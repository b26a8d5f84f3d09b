import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowClient } from '@temporalio/client';
import { z } from 'zod';
import type { Json } from '../../src/lib/json/json';
import { defineAction, type ReflectionWorkerOptions } from '../../src/worker';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { eventually } from '../../testing/support/eventually';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';

/** Set when the worker that checked the runs is gone. */
let mayGoOn = false;

const holds = defineAction({
  name: 'holds',
  description: 'Gives a value when the worker that checked the run is gone.',
  input: z.object({ value: z.json() }),
  run: async ({ value }, { signal }) => {
    while (!mayGoOn) await sleep(20, undefined, { signal });
    return value as Json;
  },
});
const action = (name: string, result: Json, more: object = {}) =>
  defineAction({ name, description: 'Of the newer build.', input: z.unknown(), run: () => result, ...more });
const fresh = [
  action('writes', { done: true }),
  action('judges', { score: 1 }),
  action('nearby', { done: true }, { local: true }),
  action('looks', 'found'),
];

const done = { type: 'schema', schema: { type: 'object', required: ['done'] } };
const loop = { generator: { action: 'writes' }, evaluator: done };
const first = { name: 'first', action: 'holds', with: { value: { cool: 0 } }, output: 'first' };
const pipelineOf = (...nodes: object[]) => ({ nodes: [first, ...nodes] });
const held = { id: 'first', description: 'Hold.', step: { action: 'holds', with: { value: 1 } } };
const planOf = (step: object) => ({
  id: 'plan',
  tasks: [held, { id: 'second', description: 'Go on.', step, dependsOn: ['first'] }],
});
const plan = (more: object) => ({ goal: 'Be done.', enableLlmReflection: false, maxReplanningAttempts: 0, ...more });
/** Holds after the draft, which is not good enough. */
const drafts = { action: 'holds', with: { value: {} } };
const asks = { action: 'llm.call', model: 'new-model', prompt: 'Write.' };

/** What the run waits for at the worker that lacks it: an activity, in the run itself or in one that it starts. */
interface Case {
  activity: string;
  workflow: 'reflectionLoop' | 'reflectionPipeline' | 'planReflection' | 'reflectionCorrect';
  argument: object;
  /** Of the run that waits, behind the id of the whole. */
  child?: string;
}

const cases: Record<string, Case> = {
  'a loop of a pipeline': {
    activity: 'reflection.prepare',
    workflow: 'reflectionPipeline',
    argument: pipelineOf({ name: 'loop', action: 'reflection.loop', with: loop }),
    child: '/loop',
  },
  'a second judge, a hook and a tool of such a loop': {
    activity: 'reflection.prepare',
    workflow: 'reflectionPipeline',
    argument: pipelineOf({
      name: 'loop',
      action: 'reflection.loop',
      with: {
        generator: { action: 'holds', with: { value: { done: true } } },
        evaluator: done,
        judge: { second: { type: 'function', action: 'judges' } },
        corrector: { action: 'llm.call', prompt: 'Correct.', tools: ['looks'] },
        hooks: { onGeneration: 'looks' },
      },
    }),
    child: '/loop',
  },
  'a loop of a plan': {
    activity: 'reflection.prepare',
    workflow: 'planReflection',
    argument: plan({ plan: planOf({ loop }) }),
    child: '/second',
  },
  'a node that evaluates': {
    activity: 'reflection.prepareEvaluation',
    workflow: 'reflectionPipeline',
    argument: pipelineOf({
      name: 'evaluate',
      action: 'reflection.evaluate',
      with: { evaluator: { type: 'function', action: 'judges' }, data: 1 },
    }),
  },
  'a node that corrects': {
    activity: 'reflection.prepareCorrection',
    workflow: 'reflectionPipeline',
    argument: pipelineOf({
      name: 'correct',
      action: 'reflection.correct',
      with: { corrector: { action: 'writes' }, data: 1, errors: ['wrong'] },
    }),
  },
  'a node with a late parameter': {
    activity: 'reflection.renderParameters',
    workflow: 'reflectionPipeline',
    argument: pipelineOf({
      name: 'asks',
      action: 'llm.call',
      output: 'text',
      with: { model: 'new-model', prompt: 'Write.', temperature: '{{ state.first.cool }}' },
    }),
  },
  'what a planner gave': {
    activity: 'reflection.checkPlan',
    workflow: 'planReflection',
    argument: plan({
      planner: {
        action: 'holds',
        with: { value: { tasks: [{ id: 'only', description: 'Write.', step: { action: 'writes' } }] } },
      },
    }),
  },
  'a loop that a planner gave': {
    activity: 'reflection.checkPlan',
    workflow: 'planReflection',
    argument: plan({
      planner: {
        action: 'holds',
        with: { value: { tasks: [{ id: 'only', description: 'Write.', step: { loop } }] } },
      },
    }),
  },
  'a node that runs an action': {
    activity: 'reflection.generate',
    workflow: 'reflectionPipeline',
    argument: pipelineOf({ name: 'writes', action: 'writes' }),
  },
  'a node that runs an action where the workflow runs': {
    activity: 'reflection.generate',
    workflow: 'reflectionPipeline',
    argument: pipelineOf({ name: 'writes', action: 'nearby' }),
  },
  'a task': {
    activity: 'reflection.generate',
    workflow: 'planReflection',
    argument: plan({ plan: planOf({ action: 'writes' }) }),
  },
  'a corrector': {
    activity: 'reflection.revise',
    workflow: 'reflectionLoop',
    argument: { generator: drafts, corrector: { action: 'writes' }, evaluator: done },
  },
  'a corrector where the workflow runs': {
    activity: 'reflection.revise',
    workflow: 'reflectionLoop',
    argument: { generator: drafts, corrector: { action: 'nearby' }, evaluator: done },
  },
  'a corrector that asks a model': {
    activity: 'reflection.revise',
    workflow: 'reflectionLoop',
    argument: { generator: drafts, corrector: asks, evaluator: done },
  },
  'an evaluator': {
    activity: 'reflection.evaluate',
    workflow: 'reflectionLoop',
    argument: { generator: drafts, evaluator: { type: 'function', action: 'judges' } },
  },
  'a judge': {
    activity: 'reflection.evaluate',
    workflow: 'reflectionLoop',
    argument: { generator: drafts, evaluator: { type: 'llm', model: 'new-model' } },
  },
  'a hook': {
    activity: 'reflection.hook',
    workflow: 'reflectionLoop',
    argument: { generator: drafts, evaluator: { type: 'schema', schema: {} }, hooks: { onGeneration: 'looks' } },
  },
};

describe('a name that the worker at hand does not know, after another one has checked the run', () => {
  let model: ScriptedOpenAI;
  const opened: LoopWorld[] = [];
  let older: LoopWorld;
  let newer: LoopWorld;
  const ids = new Map(Object.keys(cases).map((name) => [name, `names-${randomUUID()}`]));
  const waited: Record<string, { activity: string; type: string; message: string }> = {};
  let taskQueue: string;
  let ofNewer: ReflectionWorkerOptions;

  const pendingOf = async (workflow: WorkflowClient, workflowId: string) => {
    const { raw } = await workflow.getHandle(workflowId).describe();
    return (raw.pendingActivities ?? []).map(({ activityType, lastFailure }) => ({
      activity: activityType?.name ?? '',
      type: lastFailure?.applicationFailureInfo?.type ?? '',
      message: lastFailure?.message ?? '',
    }));
  };

  beforeAll(async () => {
    model = await ScriptedOpenAI.start({
      script: (request) => ({
        reply: JSON.stringify(request).includes('You judge outputs')
          ? '{"valid": true, "score": 1, "reason": "It is done."}'
          : '{"done": true}',
      }),
    });
    const { baseUrl } = model;
    const common: ReflectionWorkerOptions = { recovery: 'fast', memory: false };
    ofNewer = { ...common, actions: [holds, ...fresh], models: [{ name: 'new-model', model: 'm', baseUrl }] };
    const checking = await startWorld(ofNewer);
    ({ taskQueue } = checking.client);
    opened.push(checking);
    for (const [name, { workflow, argument }] of Object.entries(cases)) {
      const args = [argument];
      await checking.client.temporal.workflow.start(workflow, { taskQueue, workflowId: ids.get(name)!, args });
    }
    for (const workflowId of ids.values()) {
      const { workflow } = checking.client.temporal;
      await eventually(
        async () => {
          const { status } = await workflow.getHandle(workflowId).describe();
          // One that was refused says why.
          if (status.name !== 'RUNNING') await workflow.getHandle(workflowId).result();
          return pendingOf(workflow, workflowId);
        },
        (pending) => pending.some(({ activity }) => activity === 'reflection.generate'),
        60_000,
      );
    }
    await opened.pop()!.close();
    const ofOlder = { ...common, actions: [holds], models: [{ name: 'old-model', model: 'm', baseUrl }], taskQueue };
    older = await startWorld(ofOlder);
    opened.push(older);
    mayGoOn = true;
    const looking = Object.entries(cases).map(async ([name, { child = '' }]) => {
      // What ends for want of a name shows none, and fails its own test below.
      const pending = await eventually(
        () => pendingOf(older.client.temporal.workflow, `${ids.get(name)!}${child}`).catch(() => []),
        (all) => all.some(({ type }) => type.startsWith('Unknown')),
        45_000,
      ).catch(() => []);
      const found = pending.find(({ type }) => type.startsWith('Unknown'));
      if (found) waited[name] = found;
    });
    await Promise.all(looking);
    newer = await startWorld({ ...ofNewer, taskQueue });
    opened.push(newer);
  }, 600_000);

  afterAll(async () => {
    await Promise.all(opened.map((world) => world.close()));
    await model?.close();
  });

  test.each(Object.entries(cases))(
    '%s is waited for, and goes on at a worker that knows it',
    async (name, { activity }) => {
      expect(waited[name]).toMatchObject({
        activity,
        type: expect.stringMatching(/^Unknown(Action|Model)$/) as string,
        message: expect.stringMatching(
          /not (registered|configured) on this worker.*prepared where it is known/s,
        ) as string,
      });
      const result: unknown = await newer.client.temporal.workflow.getHandle(ids.get(name)!).result();
      const { success = true } = result as { success?: boolean };
      expect(success).toBe(true);
    },
    60_000,
  );

  test('a name that nobody knew is refused at once', async () => {
    const { workflow } = newer.client.temporal;
    const nodes = [
      { ...first, with: { value: { model: 'no-model' } } },
      {
        name: 'asks',
        action: 'llm.call',
        output: 'text',
        with: { model: '{{ state.first.model }}', prompt: 'Write.' },
      },
    ];
    const options = { taskQueue, workflowId: `names-${randomUUID()}`, args: [{ nodes }] };
    await expect(workflow.execute('reflectionPipeline', options)).rejects.toMatchObject({
      cause: { type: 'UnknownModel', message: expect.stringContaining('no-model') as string },
    });
  }, 30_000);
});
