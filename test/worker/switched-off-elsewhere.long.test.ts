import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import { z } from 'zod';
import type { JsonObject } from '../../src/lib/json/json';
import { defineAction, type Execution, openMemory, type ReflectionWorkerOptions } from '../../src/worker';
import { workerServices } from '../../src/worker/worker-services';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { startWorld } from '../../testing/support/loop-world';

const place = { searchAttributes: () => Promise.resolve(false), storage: undefined, heartbeats: () => ({}) };

describe('a run that was checked by a worker that has it all, and goes on at one that has not', () => {
  const evaluators: [name: string, evaluator: (url: string) => JsonObject, off: ReflectionWorkerOptions][] = [
    ['code', () => ({ type: 'custom', run: 'return true', language: 'javascript' }), { sandbox: false }],
    ['a call', (url) => ({ type: 'external', url }), { externalCalls: false }],
    [
      'a call to a host that is not named',
      (url) => ({ type: 'external', url }),
      { externalCalls: { hosts: ['example.com'], allowPrivateAddresses: true } },
    ],
    ['a command', () => ({ type: 'external', command: 'check' }), { externalCalls: false }],
    ['a model', () => ({ type: 'llm', model: 'large' }), { allow: { models: ['small'] } }],
  ];

  test.each(evaluators)('%s is refused there, too', async (_name, evaluatorAt, off) => {
    let calls = 0;
    const judge = createServer((_request, response) => {
      calls += 1;
      response.end('{"score":1}');
    }).listen(0, '127.0.0.1');
    const model = await ScriptedOpenAI.start({ script: () => ({ reply: '{"score": 1}' }) });
    const executions: Execution[] = [];
    let drafted = 0;
    const waits = defineAction({
      name: 'waits',
      description: 'Never ends at the first worker.',
      input: z.unknown(),
      run: (_input, { signal }) => {
        drafted += 1;
        if (drafted > 1) return 'a draft';
        return new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        );
      },
    });
    const { baseUrl } = model;
    const common: ReflectionWorkerOptions = {
      taskQueue: `switches-${randomUUID()}`,
      models: ['small', 'large'].map((name) => ({ name, model: name, baseUrl })),
      actions: [waits],
      commands: { check: { command: 'echo', args: ['true'] } },
      externalCalls: { allowPrivateAddresses: true },
      sandbox: { onExecution: (execution) => void executions.push(execution) },
      memory: false,
    };
    const first = await startWorld(common);
    const { port } = judge.address() as AddressInfo;
    const spec = {
      generator: { action: 'waits' },
      evaluator: evaluatorAt(`http://127.0.0.1:${port}/`),
      maxIterations: 1,
      timeouts: { retryFor: '1s' },
    };
    const { workflowId } = await first.client.start(spec as never);
    while (drafted === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await first.close();
    const second = await startWorld({ ...common, ...off });
    try {
      const result = await second.client.result(workflowId);
      expect({ success: result.success, outcome: result.finalEvaluation?.outcome ?? 'inconclusive' }).toEqual({
        success: false,
        outcome: 'inconclusive',
      });
      expect({ calls, executions, asked: model.ledger.length }).toEqual({ calls: 0, executions: [], asked: 0 });
    } finally {
      await second.close();
      await model.close();
      judge.close();
    }
  });

  test('the memory of an agent that is not served says nothing and keeps nothing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'reflect-switches-'));
    const memory = openMemory({ folder: join(folder, 'memory') });
    const { workflowNamespace: tenant = 'default' } = new MockActivityEnvironment().context.info;
    const insight = { text: 'the word is swordfish', importance: 1, type: 'loop', source: 'test', tags: [] };
    const provenance = { workflowId: 'w', run: 'r', iteration: 1, kind: 'k' };
    const createdAt = new Date().toISOString();
    await memory.store(tenant, [{ ...insight, agent: 'other', createdAt, provenance }]);
    const kept = { ...insight, agent: 'other', run: 'r', createdAt, insights: [] };
    const { activities } = workerServices({ memory, allow: { agents: ['ours'] } }, place);
    const run = <T>(work: () => Promise<T>): Promise<T> => new MockActivityEnvironment().run(work);
    // Another worker may take the next attempt.
    const refused = { type: 'MemoryMissing', nonRetryable: false, nextRetryDelay: 5_000 };
    try {
      const recall = { query: 'word', limit: 5 };
      await expect(
        run(() => activities['reflection.recallInsights']({ ...recall, agent: 'other' })),
      ).rejects.toMatchObject(refused);
      await expect(run(() => activities['reflection.keepInsights'](kept))).rejects.toMatchObject(refused);
      expect(await run(() => activities['reflection.recallInsights']({ ...recall, agent: 'ours' }))).toMatchObject({
        value: [],
      });
      const open = workerServices({ memory }, place).activities;
      expect(await run(() => open['reflection.recallInsights']({ ...recall, agent: 'other' }))).toMatchObject({
        value: ['the word is swordfish'],
      });
    } finally {
      await memory.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
