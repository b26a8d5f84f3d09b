import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReflectionClient } from '../../../src/client';
import type { BatchLine } from '../../../src/kinds/batch/contract/batch-results';
import { requestsOf } from '../../../src/apps/testing/scripted-model/ledger';
import type { ScriptedRequest } from '../../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../../src/apps/testing/scripted-model/server';
import { brokenPromises, killedBatch, type KilledBatchOptions } from '../../../testing/batch/killed-batch';
import { testAddress } from '../../../testing/support/temporal-server';
import { PROJECT, ReflectCommand, reflect } from './reflect-command';

const queue = `batch-${randomUUID()}`;
const folder = mkdtempSync(join(tmpdir(), 'reflect-batch-'));
const results = join(folder, 'results.jsonl');
const docs = readFileSync(join(PROJECT, 'docs/batches.md'), 'utf8');
const example = (file: string) => readFileSync(join(PROJECT, 'examples/batch', file), 'utf8');
/** The command of the page. */
const [, typed] = /npx reflect (batch examples\/batch.*)/.exec(docs)!;
const args = typed!.split(' ').map((word) => (word === 'results.jsonl' ? results : word));

/** A topic that is none, until the model is told so. */
function answer({ text, body }: ScriptedRequest) {
  if (text.includes('courier') && failing) return { status: 400, error: { message: 'no such model' } };
  const urgency = text.includes('twice') && body.messages.length === 1 ? 9 : 3;
  return { reply: { topic: text.includes('photo') ? 'bug' : 'question', urgency } };
}
let failing = true;

let model: ScriptedOpenAI;
let worker: ReflectCommand;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  model = await ScriptedOpenAI.start({ script: (request) => answer(request) });
  env = { TEMPORAL_ADDRESS: testAddress(), REFLECT_TASK_QUEUE: queue, OPENAI_BASE_URL: model.baseUrl };
  worker = new ReflectCommand(['worker', '--drain', '0s'], { env });
  await worker.says(/Ctrl-C lets/);
}, 120_000);
afterAll(async () => {
  worker?.kill('SIGTERM');
  await worker?.finished;
  await model?.close();
  rmSync(folder, { recursive: true });
}, 30_000);

const lines = (): BatchLine[] =>
  readFileSync(results, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as BatchLine);

test('the example of the page: results in the order of the input, a summary, attaching, and a retry of what failed', async () => {
  expect(docs).toContain(example('tickets.jsonl'));
  expect(docs).toContain(example('triage.yaml'));
  const own = [...args, '--workflow-id', `tickets-${randomUUID()}`];
  const first = await reflect(own, { env });
  expect(first.stdout).toMatch(/! 3 of 4 items passed \(75 % of those that ended\)[^]*1 failed[^]*--retry[^]*4 lines/);
  expect(first.code).toBe(2);
  expect(lines().map(({ id, status }) => [id, status])).toEqual([
    ['t-101', 'passed'],
    ['t-102', 'passed'],
    ['t-103', 'passed'],
    ['t-104', 'failed'],
  ]);
  expect(lines()[0]).toMatchObject({ index: 0, iterations: 2, output: { topic: 'question', urgency: 3 } });
  const asked = requestsOf(model.ledger).length;
  const again = await reflect([...own, '--json'], { env });
  expect(JSON.parse(again.stdout)).toMatchObject({ items: 4, passed: 3, failed: 1, resultsFile: results });
  expect(again.stderr).toContain('It was started before');
  expect(requestsOf(model.ledger).length).toBe(asked);
  failing = false;
  const retried = await reflect([...own, '--retry'], { env });
  expect(retried.stdout).toMatch(/✓ 4 of 4 items passed/);
  expect(retried.code).toBe(0);
  expect(requestsOf(model.ledger).length).toBe(asked + 1);
  expect(lines()[3]!.workflowId).toMatch(/\/t-104~2$/);
  const listed = await reflect(['list', '--json', '--limit', '1000'], { env });
  expect(listed.stdout).toContain('"kind": "batch"');
}, 240_000);

test('mistakes are told with their lines, and nothing is started', async () => {
  const items = join(folder, 'items.jsonl');
  const run = (text: string) => {
    writeFileSync(items, text);
    return reflect(['batch', items, '--spec', join(PROJECT, 'examples/batch/triage.yaml')], { env });
  };
  expect((await run('{"id":"a"}\n\n{"id":"a"}\n[1]\n')).stderr).toMatch(
    /items\.jsonl:3 {2}id: "a" is the id of item 1, too\n.*items\.jsonl:4 {2}must be a JSON object/,
  );
  const { stderr, code } = await run('{"id":"a"}\n{"id":\n');
  expect(stderr).toMatch(/items\.jsonl:2 {2}is not JSON/);
  expect(code).toBe(1);
}, 120_000);

test('kills of the worker and of the command: each item has one run and one line, and no recorded call is made again', async () => {
  const client = await ReflectionClient.connect({ address: testAddress(), taskQueue: `killed-${randomUUID()}` });
  const options: KilledBatchOptions = {
    client,
    address: testAddress(),
    folder: mkdtempSync(join(folder, 'killed-')),
    items: 240,
    concurrency: 10,
    workerKills: [0.3],
    commandKills: [0.6],
    modelMs: 20,
  };
  const seen = await killedBatch(options);
  await client.close();
  expect(brokenPromises(seen, options)).toEqual([]);
  expect(seen.codes).toEqual([null, 2]);
}, 300_000);
