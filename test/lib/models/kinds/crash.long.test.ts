import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReflectionClient } from '../../../../src/client';
import { promptOf, requestsOf } from '../../../../src/apps/testing/scripted-model/ledger';
import { ScriptedOpenAI } from '../../../../src/apps/testing/scripted-model/server';
import { answerTo, callOf, KILLED, KILLED_LOOP } from '../../../../testing/model-kinds/hanging-calls';
import { eventually } from '../../../../testing/support/eventually';
import { killHard, startScript } from '../../../../testing/support/processes';
import { testAddress } from '../../../../testing/support/temporal-server';

/** Kills the worker in a call of generator, judge and corrector, and returns when the loop has ended. */
async function expectKillsToCostNothing(env: NodeJS.ProcessEnv, calls: () => string[]): Promise<void> {
  const taskQueue = `ai-sdk-${randomUUID()}`;
  const client = await ReflectionClient.connect({ address: testAddress(), taskQueue });
  const start = (): Promise<ChildProcess> =>
    startScript('testing/model-kinds/worker-process.ts', {
      readyWhen: /ready/,
      env: { TEMPORAL_ADDRESS: testAddress(), REFLECT_TASK_QUEUE: taskQueue, ...env },
    });
  let worker = await start();
  const { workflowId } = await client.start(KILLED_LOOP);
  for (const call of KILLED) {
    await eventually(calls, (seen) => seen.at(-1) === call, 30_000);
    await killHard(worker);
    worker = await start();
  }
  const result = await client.result(workflowId);
  expect(result).toMatchObject({ success: true, finalOutput: 'a better poem', iterationsUsed: 2 });
  // What was recorded counts, and is not asked for again: each call that was killed came twice, the first time for nothing.
  expect(result.tokenUsage).toMatchObject({ modelCalls: 4, promptTokens: 40, completionTokens: 4 });
  expect(calls()).toEqual([...KILLED.flatMap((call) => [call, call]), 'second judgement']);
  await killHard(worker);
  await client.close();
}

describe('kill -9 of a worker with a model of the AI SDK, in each call of a loop', () => {
  test.concurrent(
    'its OpenAI-compatible provider',
    async () => {
      const asked = new Map<string, number>();
      const model = await ScriptedOpenAI.start({
        script: ({ text }) => {
          const call = callOf(text);
          asked.set(call, (asked.get(call) ?? 0) + 1);
          return answerTo(call, asked.get(call)!);
        },
      });
      const calls = (): string[] => requestsOf(model.ledger).map((entry) => callOf(promptOf(entry)));
      await expectKillsToCostNothing({ OPENAI_BASE_URL: model.baseUrl }, calls);
      await model.close();
    },
    180_000,
  );

  test.concurrent(
    'its mock provider',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'reflect-mock-'));
      const ledger = join(folder, 'calls');
      writeFileSync(ledger, '');
      const calls = (): string[] => readFileSync(ledger, 'utf8').split('\n').slice(0, -1);
      await expectKillsToCostNothing({ MOCK_LEDGER: ledger }, calls);
      rmSync(folder, { recursive: true, force: true });
    },
    180_000,
  );
});
