import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReflectionClient } from '../../src/client';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { paidCalls, requestsOf } from '../../src/apps/testing/scripted-model/ledger';
import type { LedgerEntry } from '../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { eventually } from '../../testing/support/eventually';
import { killHard, startScript } from '../../testing/support/processes';
import { startPrivateServer, testAddress } from '../../testing/support/temporal-server';

const spec: ReflectionSpec = {
  generator: { action: 'llm.call', prompt: 'Write version one.' },
  evaluator: { type: 'schema', schema: { type: 'object', required: ['done'] } },
  maxIterations: 5,
  convergence: false,
};

/** Each answer is slow, so that a kill meets a call in flight; the third revision passes. */
const script = [
  { reply: { version: 1 } },
  { reply: { version: 2 }, delayMs: 1_500 },
  { reply: { version: 3 }, delayMs: 1_500 },
  { reply: { version: 4, done: true }, delayMs: 1_500 },
  { reply: { version: 5, done: true } },
];

/** What a request asked for, apart from the codes of the marks that fence drafts. */
function askedFor(entry: LedgerEntry): string {
  return entry.body!.messages.map(({ content }) => content.replaceAll(/\b[0-9a-f]{16}\b/g, '')).join('\n');
}

function startWorker(address: string, taskQueue: string, model: ScriptedOpenAI) {
  return startScript('testing/support/worker-process.ts', {
    readyWhen: /ready/,
    env: { TEMPORAL_ADDRESS: address, REFLECT_TASK_QUEUE: taskQueue, OPENAI_BASE_URL: model.baseUrl },
  });
}

/** No recorded answer was asked for again: at most one request, the one that was cut off, came twice. */
function expectNothingPaidTwice(model: ScriptedOpenAI, calls: number): void {
  const asked = requestsOf(model.ledger).map(askedFor);
  const repeated = asked.length - new Set(asked).size;
  expect(repeated).toBeLessThanOrEqual(1);
  expect(asked.length).toBeLessThanOrEqual(calls + 1);
}

describe('crashes', () => {
  const secondRevisionInFlight = (model: ScriptedOpenAI) =>
    eventually(
      () => requestsOf(model.ledger).length,
      (count) => count === 3,
      20_000,
    );

  test.concurrent(
    'kill -9 of the worker in the second revision: a new worker finishes the run',
    async () => {
      const model = await ScriptedOpenAI.start({ script });
      const taskQueue = `crash-${randomUUID()}`;
      const client = await ReflectionClient.connect({ address: testAddress(), taskQueue });
      const first = await startWorker(testAddress(), taskQueue, model);
      const { workflowId } = await client.start(spec);
      await secondRevisionInFlight(model);
      await killHard(first);
      const second = await startWorker(testAddress(), taskQueue, model);
      const result = await client.result(workflowId);
      expect(result).toMatchObject({ success: true, convergenceReason: 'quality_met' });
      expect(result.history.versions.map(({ iteration }) => iteration)).toEqual(
        Array.from({ length: result.iterationsUsed }, (_, index) => index + 1),
      );
      expectNothingPaidTwice(model, result.iterationsUsed);
      expect(result.tokenUsage.modelCalls).toBe(result.iterationsUsed);
      await killHard(second);
      await client.close();
      await model.close();
    },
    60_000,
  );

  test.concurrent(
    'kill -9 of the Temporal server: the run goes on where it was',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'reflect-crash-'));
      const model = await ScriptedOpenAI.start({ script });
      const taskQueue = `crash-${randomUUID()}`;
      const before = await startPrivateServer({ databaseFile: join(folder, 'temporal.db') });
      const port = Number(before.address.split(':')[1]);
      const worker = await startWorker(before.address, taskQueue, model);
      const starter = await ReflectionClient.connect({ address: before.address, taskQueue });
      const { workflowId } = await starter.start(spec);
      await secondRevisionInFlight(model);
      process.kill(before.pid, 'SIGKILL');
      await before.exited;
      await starter.close();
      const after = await startPrivateServer({ databaseFile: join(folder, 'temporal.db'), port });
      const client = await ReflectionClient.connect({ address: after.address, taskQueue });
      const result = await client.result(workflowId);
      expect(result).toMatchObject({ success: true, convergenceReason: 'quality_met' });
      expectNothingPaidTwice(model, result.iterationsUsed);
      expect(paidCalls(model.ledger).length).toBeLessThanOrEqual(result.iterationsUsed + 1);
      await client.close();
      await killHard(worker);
      await after.stop();
      await model.close();
      rmSync(folder, { recursive: true, force: true });
    },
    90_000,
  );
});
