import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { ChildProcess } from 'node:child_process';
import { ReflectionClient } from '../../../src/client';
import type { ReflectionVersion } from '../../../src/loop/contract/results';
import { requestsOf } from '../../../src/apps/testing/scripted-model/ledger';
import type { ScriptEntry } from '../../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../../src/apps/testing/scripted-model/server';
import { isGone } from '../../../testing/mcp/actions';
import { callsIn, mcpProgram, newLedger } from '../../../testing/mcp/ledger';
import { eventually } from '../../../testing/support/eventually';
import { killHard, startScript } from '../../../testing/support/processes';
import { testAddress } from '../../../testing/support/temporal-server';

/** How long each call takes, so that a kill meets it in flight. */
const MS = 1_500;
const GENERATOR = {
  action: 'llm.call',
  model: 'writer',
  prompt: 'Write about Ada.',
  tools: ['mcp.desk.look.up', 'mcp.desk.count'],
};

/** Looks for itself before it judges. */
const JUDGE = { type: 'llm' as const, model: 'judge', tools: ['mcp.desk.count'] };

/** What the model says, by how many results of tools it was told. */
function replyTo(model: string, results: number): ScriptEntry {
  if (model === 'judge' && results === 0)
    return { toolCalls: [{ name: 'mcp_desk_count', arguments: { word: 'Lovelace', ms: MS } }], delayMs: MS };
  if (model === 'judge') return { reply: { pass: true, score: 0.9, issues: [] }, delayMs: MS };
  if (results === 0)
    return { toolCalls: [{ name: 'mcp_desk_look_up', arguments: { word: 'Ada', ms: MS } }], delayMs: MS };
  if (results === 1)
    return { toolCalls: [{ name: 'mcp_desk_count', arguments: { word: 'Ada', ms: MS } }], delayMs: MS };
  return { reply: 'Ada has 3 letters.', delayMs: MS };
}

/** The calls of a version and of its judge, without what kills may change. */
function timeless({ calls, evaluation }: ReflectionVersion) {
  return [...(calls ?? []), ...(evaluation.calls ?? [])].map(
    ({ startedAt: _startedAt, endedAt: _endedAt, attempt: _attempt, ...call }) => call,
  );
}

test('an agent and a judge with tools of an MCP server, killed at each call: nothing recorded is called again', async () => {
  const ledger = newLedger();
  const model = await ScriptedOpenAI.start({
    script: ({ body }) => replyTo(body!.model, body!.messages.filter(({ role }) => role === 'tool').length),
  });
  const modelCalls = () =>
    requestsOf(model.ledger).map(
      ({ body }) => `${body!.model} ${body!.messages.filter(({ role }) => role === 'tool').length}`,
    );
  const toolCalls = () => callsIn(ledger).map((call) => `${call.tool} ${(call.arguments as { word: string }).word}`);
  const file = `${ledger}.yaml`;
  writeFileSync(file, JSON.stringify({ mcpServers: { desk: { ...mcpProgram(ledger), readOnly: ['count'] } } }));
  const taskQueue = `mcp-kills-${randomUUID()}`;
  const models = ['writer', 'judge'].map((name) => ({ name, model: name, baseUrl: model.baseUrl }));
  const startWorker = () =>
    startScript('testing/support/worker-process.ts', {
      readyWhen: /ready/,
      env: {
        TEMPORAL_ADDRESS: testAddress(),
        REFLECT_TASK_QUEUE: taskQueue,
        REFLECT_TEST_MODELS: JSON.stringify(models),
        REFLECT_RECOVERY: 'fast',
        REFLECT_MCP: file,
        OPENAI_API_KEY: 'unused',
      },
    });
  const client = await ReflectionClient.connect({ address: testAddress(), taskQueue });
  let worker: ChildProcess = await startWorker();
  const spec = { generator: GENERATOR, evaluator: JUDGE };
  const { workflowId } = await client.start(spec);
  const ofModels = ['writer 0', 'writer 1', 'writer 2', 'judge 0', 'judge 1'];
  const ofTools = ['look.up Ada', 'count Ada', 'count Lovelace'];
  const stages = [
    'writer 0',
    'look.up Ada',
    'writer 1',
    'count Ada',
    'writer 2',
    'judge 0',
    'count Lovelace',
    'judge 1',
  ];
  for (const stage of stages) {
    await eventually(
      () => [...modelCalls(), ...toolCalls()],
      (calls) => calls.includes(stage),
      20_000,
    );
    const next = startWorker();
    await killHard(worker);
    worker = await next;
  }
  const result = await client.result(workflowId);
  expect(result).toMatchObject({ success: true, finalOutput: 'Ada has 3 letters.', iterationsUsed: 1 });
  expect(result.tokenUsage.modelCalls).toBe(5);
  // Each call was lost once and made once more: the one in flight, and no other.
  expect(modelCalls()).toEqual(ofModels.flatMap((call) => [call, call]));
  expect(toolCalls()).toEqual(ofTools.flatMap((call) => [call, call]));
  const keys = callsIn(ledger).map(({ key }) => key);
  expect([keys[0], keys[2], keys[4]]).toEqual([keys[1], keys[3], keys[5]]);
  expect(new Set(keys).size).toBe(3);
  const [killed] = result.history.versions;
  expect(killed!.calls!.map(({ attempt }) => attempt)).toEqual([2, 2]);
  expect(killed!.evaluation.calls!.map(({ attempt }) => attempt)).toEqual([2]);
  const undisturbed = await client.run(spec);
  expect(timeless(killed!)).toEqual(timeless(undisturbed.history.versions[0]!));
  // The programs of workers that were killed have ended, too.
  await killHard(worker);
  for (const { pid } of callsIn(ledger)) await eventually(() => isGone(pid), Boolean);
  await client.close();
  await model.close();
}, 240_000);
