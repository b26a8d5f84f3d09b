import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WorkflowFailedError } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import type { ApplicationFailure } from '@temporalio/common';
import { z } from 'zod';
import type { JsonObject } from '../../src/lib/json/json';
import { defineAction, type ReflectionWorkerOptions, workerSwitches } from '../../src/worker';
import { type WorkerServices, workerServices } from '../../src/worker/worker-services';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';
import { ARGUMENTS, type Need, type Position, positionsOf, unknownFields } from './spec-positions';

const action = (name: string, run: () => string = () => 'done') =>
  defineAction({ name, description: 'Does it.', input: z.unknown(), run });

const SAYS: Record<Need, RegExp> = {
  code: /runs no inline code \(`sandbox: false` or REFLECT_SANDBOX=off\)/,
  call: /makes no external calls \(`externalCalls: false` or REFLECT_EXTERNAL_CALLS=off\)/,
  action: /action "hidden" is not registered on this worker; it has "llm.call", "served"$/,
  model: /model "large" is not configured on this worker; it has small$/,
  workflow: /the workflow "hidden" is not served by this worker/,
  agent: /the memory of agent ".*" is not served by this worker/,
};

async function failureOf({ client }: LoopWorld, type: string, argument: JsonObject): Promise<ApplicationFailure> {
  const { taskQueue, temporal } = client;
  const workflowId = `switches-${randomUUID()}`;
  const error: unknown = await temporal.workflow
    .execute(type, { taskQueue, workflowId, args: [argument] })
    .then(() => new Error(`${type} was done: ${JSON.stringify(argument)}`))
    .catch((failure: WorkflowFailedError) => failure.cause ?? failure);
  return error as ApplicationFailure;
}

/** What each workflow type has checked before anything else. */
const prepared = ({ activities }: WorkerServices, type: string, given: JsonObject): Promise<unknown> => {
  const checks: Record<string, () => Promise<unknown>> = {
    reflectionLoop: () => activities['reflection.prepare']({ spec: given }),
    reflectionEvaluate: () => activities['reflection.prepareEvaluation']({ request: given }),
    reflectionCorrect: () => activities['reflection.prepareCorrection']({ request: given }),
    reflectionPipeline: () => activities['reflection.preparePipeline']({ pipeline: given }),
    planReflection: () => activities['reflection.preparePlan']({ spec: given as never }),
    reflectionBatch: () => activities['reflection.prepareBatch']({ spec: given }),
    agentReflection: () => activities['reflection.prepareAgents']({ spec: given as never }),
  };
  return new MockActivityEnvironment().run(checks[type]!);
};

const place = { searchAttributes: () => Promise.resolve(false), storage: undefined, heartbeats: () => ({}) };

describe('a worker that has everything switched off', () => {
  let model: ScriptedOpenAI;
  let world: LoopWorld;
  let work: WorkerServices;
  let folder: string;

  beforeAll(async () => {
    model = await ScriptedOpenAI.start({ script: () => undefined });
    folder = await mkdtemp(join(tmpdir(), 'reflect-switches-'));
    const { baseUrl } = model;
    const options: ReflectionWorkerOptions = {
      models: [
        { name: 'small', model: 'small-1', baseUrl },
        { name: 'large', model: 'large-1', baseUrl },
      ],
      actions: [action('served'), action('hidden')],
      commands: { check: { command: 'true' } },
      memory: { folder: join(folder, 'memory') },
      sandbox: false,
      externalCalls: false,
      allow: { actions: ['served'], agents: ['ours', 'team-*'], models: ['small'], workflows: [] },
    };
    work = workerServices(options, place);
    world = await startWorld(options);
  });
  afterAll(async () => {
    await world.close();
    await work.close();
    await model.close();
    await rm(folder, { recursive: true, force: true });
  });

  const refused = (failure: unknown, { argument, need, path }: Position): void => {
    const { type, details } = failure as ApplicationFailure;
    const [problems] = (details ?? []) as [{ path: string; message: string }[]?];
    const types: unknown = expect.stringMatching(/^(?:InvalidSpec|UnknownAction|UnknownModel)$/);
    const message: unknown = expect.stringMatching(SAYS[need]);
    expect({ argument, type, problems: problems?.filter((problem) => problem.path === path) }).toEqual({
      argument,
      type: types,
      problems: [{ path, message }],
    });
  };

  test.each(Object.entries(ARGUMENTS))('refuses them in every place of the argument of %s', async (type, name) => {
    // A field that is new either asks for something, or does not: spec-positions says which.
    expect(unknownFields(name)).toEqual([]);
    const positions = positionsOf(name);
    expect(positions.length).toBeGreaterThan(0);
    for (const position of positions) {
      const failure = await prepared(work, type, position.argument).catch((error: unknown) => error);
      refused(failure, position);
    }
  });

  const first = Object.entries(ARGUMENTS).flatMap(([type, name]) => {
    return [...new Map(positionsOf(name).map((each) => [each.need, each])).values()].map((each) => ({ type, each }));
  });
  test.each(first)('a run of $type ends at once that has $each.path', async ({ type, each }) => {
    refused(await failureOf(world, type, each.argument), each);
    expect(model.ledger).toEqual([]);
  });

  test.each<[string, string, JsonObject, string, Need]>([
    [
      'a model of the state',
      'reflectionEvaluate',
      { evaluator: { type: 'llm' }, data: 1, state: { model: 'large' } },
      '/state/model',
      'model',
    ],
    ['agents of a population', 'agentReflection', { agents: [{ id: 'a', type: 'x' }] }, '/agents/0/id', 'agent'],
  ])('refuses %s', async (_name, type, argument, path, need) => {
    const failure = await failureOf(world, type, argument);
    const message: unknown = expect.stringMatching(SAYS[need]);
    expect(failure.details).toEqual([[{ path, message }]]);
  });

  test('and does what is left', async () => {
    const served = { action: 'served' };
    const { finalOutput } = await world.client.run({
      generator: served,
      evaluator: { type: 'regex', pattern: 'done' },
      hooks: { onGeneration: 'served' },
    });
    expect(finalOutput).toBe('done');
  });
});

describe('the switches of a worker', () => {
  test.each<[ReflectionWorkerOptions, Record<string, string>, object]>([
    [{}, {}, { sandbox: {}, externalCalls: { allowPrivateAddresses: false }, allow: {} }],
    [{}, { REFLECT_SANDBOX: 'off' }, { sandbox: false }],
    [{ sandbox: { timeMs: 5 } }, { REFLECT_SANDBOX: 'off' }, { sandbox: false }],
    [{ sandbox: { level: 'process' } }, { REFLECT_SANDBOX: 'off' }, { sandbox: { level: 'process' } }],
    [{ sandbox: false }, { REFLECT_SANDBOX: 'process' }, { sandbox: false }],
    [{}, { REFLECT_EXTERNAL_CALLS: 'off' }, { externalCalls: false }],
    [{ externalCalls: { allowPrivateAddresses: true } }, { REFLECT_EXTERNAL_CALLS: 'off' }, { externalCalls: false }],
    [
      { externalCalls: { hosts: ['*'] } },
      { REFLECT_EXTERNAL_CALLS: 'off' },
      { externalCalls: { hosts: ['*'], allowPrivateAddresses: false } },
    ],
    [
      {},
      { REFLECT_EXTERNAL_CALLS: 'a.example, *.b.example:8443' },
      { externalCalls: { hosts: ['a.example', '*.b.example:8443'], allowPrivateAddresses: false } },
    ],
    [
      {},
      { REFLECT_EXTERNAL_CALLS: 'on', REFLECT_ALLOW_PRIVATE_ADDRESSES: '1' },
      { externalCalls: { allowPrivateAddresses: true } },
    ],
    [
      {},
      { REFLECT_ALLOWED_ACTIONS: 'a,b', REFLECT_ALLOWED_AGENTS: 'none', REFLECT_ALLOWED_MODELS: '' },
      { allow: { actions: ['a', 'b'], agents: [] } },
    ],
    [{ allow: { agents: ['x'] } }, { REFLECT_ALLOWED_AGENTS: 'y' }, { allow: { agents: ['x'] } }],
  ])('of %j in %j', (options, env, switches) => {
    expect(workerSwitches(options, env)).toMatchObject(switches);
  });

  test.each<[object, Record<string, string>, RegExp]>([
    [{ sandbox: 'off' }, {}, /sandbox is "off"; it takes an object, or false/],
    [{ sandbox: null }, {}, /sandbox is null/],
    [{ externalCalls: { host: ['a'] } }, {}, /externalCalls\.host is unknown/],
    [{ externalCalls: { hosts: ['https://a.example/'] } }, {}, /"https:\/\/a\.example\/" is no host/],
    [{ externalCalls: { hosts: 'a.example' } }, {}, /externalCalls\.hosts must be a list/],
    [{ externalCalls: true }, {}, /externalCalls is true/],
    [{ allow: { tools: [] } }, {}, /allow\.tools is unknown/],
    [{ allow: { agents: 'x' } }, {}, /allow\.agents must be a list/],
    [{}, { REFLECT_EXTERNAL_CALLS: 'a b' }, /REFLECT_EXTERNAL_CALLS: "a b" is no host/],
    [{}, { REFLECT_SANDBOX: 'no' }, /"no" is no sandbox level/],
  ])('cannot be %j in %j', (options, env, says) => {
    expect(() => workerSwitches(options, env)).toThrow(says);
  });

  test.each<[ReflectionWorkerOptions, RegExp]>([
    [{ allow: { actions: ['nobody'] } }, /"nobody" is allowed and not registered/],
    [{ models: [{ name: 'a', model: 'a' }], allow: { models: ['b'] } }, /no model of this worker is allowed/],
  ])('a worker with %j does not start', (options, says) => {
    expect(() => workerServices(options, place)).toThrow(says);
  });
});
