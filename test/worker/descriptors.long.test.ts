import { randomUUID } from 'node:crypto';
import { ReflectionClient } from '../../src/client';
import { descriptorLimit, modelCallsWithin } from '../../src/worker/worker-services';
import { requestsOf } from '../../src/apps/testing/scripted-model/ledger';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { killHard, startScript } from '../../testing/support/processes';
import '../../testing/support/quiet';
import { testAddress } from '../../testing/support/temporal-server';

const limits = (hard: string) => () =>
  `Limit   Soft Limit  Hard Limit  Units\nMax open files   64    ${hard}    files\n`;

test('the hard limit counts, which Node raises its own to; where it is not known there is none', () => {
  expect(descriptorLimit(limits('4096'))).toBe(4_096);
  expect(descriptorLimit(limits('unlimited'))).toBe(Infinity);
  const absent = () => {
    throw new Error('no such file');
  };
  expect(descriptorLimit(absent)).toBe(Infinity);
  expect(descriptorLimit()).toBeGreaterThan(0);
});

test('calls are as many as there are descriptors for, and none is refused in words', () => {
  expect(modelCallsWithin(1_000, Infinity)).toBe(1_000);
  expect(modelCallsWithin(1_000, 4_096)).toBe(1_000);
  expect(modelCallsWithin(1_000, 256)).toBe(96);
  expect(() => modelCallsWithin(1_000, 64)).toThrow(
    /64 files and connections open, too few for a worker: raise .* to 1160/,
  );
});

test('a worker with few descriptors takes fewer calls at a time, and none of them twice', async () => {
  // All that come in the first while are answered together, so that they are under way together.
  const until = Date.now() + 50_000;
  const model = await ScriptedOpenAI.start({
    script: () => ({ reply: { done: true }, delayMs: Math.max(300, until - Date.now()) }),
  });
  const taskQueue = `descriptors-${randomUUID()}`;
  const models = [{ name: 'scripted', model: 'scripted-1', baseUrl: model.baseUrl }];
  const worker = await startScript('testing/support/worker-process.ts', {
    readyWhen: /ready/,
    descriptors: 170,
    env: {
      TEMPORAL_ADDRESS: testAddress(),
      REFLECT_TASK_QUEUE: taskQueue,
      REFLECT_TEST_MODELS: JSON.stringify(models),
    },
  });
  const client = await ReflectionClient.connect({ address: testAddress(), taskQueue });
  const loops = Array.from({ length: 150 }, () =>
    client.run({
      generator: { action: 'llm.call', prompt: 'Write {{ state.what }}.' },
      evaluator: { type: 'schema', schema: { type: 'object', required: ['done'] } },
      state: { what: 'it' },
    }),
  );
  const results = await Promise.all(loops);
  expect(results.every(({ success }) => success)).toBe(true);
  expect(worker.signalCode).toBeNull();
  expect(requestsOf(model.ledger)).toHaveLength(150);
  await killHard(worker);
  await client.close();
  await model.close();
}, 180_000);
