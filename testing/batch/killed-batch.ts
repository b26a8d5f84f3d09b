import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { ReflectionClient } from '../../src/client';
import type { BatchLine, BatchResult } from '../../src/kinds/batch/contract/batch-results';
import { countEndedItems } from '../../src/kinds/batch/state/counts';
import { requestsOf } from '../../src/apps/testing/scripted-model/ledger';
import type { ScriptedRequest } from '../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { ask } from '../../src/apps/cli/support/ask';
import { SHARES_BUNDLES } from '../support/child-environment';
import { killHard, startScript } from '../support/processes';

const ROOT = join(__dirname, '..', '..');

/** Commands that are started, one after the other: somebody else may end one, which loses nothing either. */
const MOST_COMMANDS = 20;

/** Items after which a new worker's heaps have their size. Before, its memory grows by a third in some runs, and not in others. */
const WARM_UP_ITEMS = 500;

/** Every tenth item never passes: its loop revises once. */
const SPEC = `
name: killed
max_iterations: 2
generator: { action: llm.call, prompt: "Item {{ state.number }}: reply with a number as JSON" }
evaluator: { type: schema, schema: { type: object, required: [even], properties: { even: { const: true } } } }
`;
const neverPasses = (number: number): boolean => number % 10 === 3;

function numberIn({ text }: ScriptedRequest): number {
  return Number(/Item (\d+):/.exec(text)![1]);
}

export interface KilledBatchOptions {
  client: ReflectionClient;
  address: string;
  /** For the items and the results. */
  folder: string;
  items: number;
  concurrency: number;
  /** Shares of the items that have ended when the worker, and the command, are killed. */
  workerKills: readonly number[];
  commandKills: readonly number[];
  /** Milliseconds that the model takes for an answer. */
  modelMs: number;
  say?(text: string): void;
}

/** What was seen of a batch whose command and worker were killed. */
export interface KilledBatch {
  workflowId: string;
  seconds: number;
  result: BatchResult;
  lines: BatchLine[];
  /** Runs of loops that the server has of the batch. */
  runs: number;
  /** Requests to the model, by item and version. */
  requests: Map<string, number>;
  /** Resident bytes of the worker's process, with how many items had ended; the last process only. */
  memory: { ended: number; bytes: number }[];
  /** Bytes of the histories of the batch's chain. */
  histories: number[];
  /** Times that each command was cut off, or ended with this code. */
  codes: (number | null)[];
}

function residentBytes({ pid }: ChildProcess): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1_024;
}

async function historiesOf({ temporal }: ReflectionClient, workflowId: string): Promise<number[]> {
  const sizes: number[] = [];
  for await (const run of temporal.workflow.list({ query: `WorkflowId = '${workflowId}'` })) {
    const { historySize } = await temporal.workflow.getHandle(workflowId, run.runId).describe();
    sizes.push(historySize ?? 0);
  }
  return sizes;
}

/** Runs a batch with a scripted model through the command, and kills command and worker while it is under way. */
export async function killedBatch(options: KilledBatchOptions): Promise<KilledBatch> {
  const { client, address, folder, items, concurrency, modelMs, say = () => undefined } = options;
  const model = await ScriptedOpenAI.start({
    script: (request) => {
      const number = numberIn(request);
      return { reply: { number, even: !neverPasses(number) }, delayMs: modelMs };
    },
  });
  const env = {
    TEMPORAL_ADDRESS: address,
    REFLECT_TASK_QUEUE: client.taskQueue,
    REFLECT_RECOVERY: 'fast',
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_API_KEY: 'none',
  };
  const [file, spec, results] = ['items.jsonl', 'loop.yaml', 'results.jsonl'].map((name) => join(folder, name));
  const numbers = Array.from({ length: items }, (_, number) => `${JSON.stringify({ id: `item-${number}`, number })}\n`);
  await writeFile(file!, numbers.join(''));
  await writeFile(spec!, SPEC);
  const startWorker = () => startScript('testing/support/worker-process.ts', { env, readyWhen: /ready/ });
  const startCommand = () =>
    spawn(
      process.execPath,
      [
        join(ROOT, 'bin/reflect.js'),
        'batch',
        file!,
        '--spec',
        spec!,
        '--results',
        results!,
        '--concurrency',
        String(concurrency),
        '--json',
      ],
      { env: { ...process.env, ...SHARES_BUNDLES, ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
    );
  let worker = await startWorker();
  let memory: KilledBatch['memory'] = [];
  const codes: (number | null)[] = [];
  const workerKills = [...options.workerKills];
  const commandKills = [...options.commandKills];
  const began = Date.now();
  let workflowId = '';
  let output = '';
  let complaints = '';
  const begin = (): ChildProcess => {
    output = '';
    complaints = '';
    const started = startCommand();
    started.stdout.on('data', (piece) => (output += String(piece)));
    started.stderr.on('data', (piece) => {
      complaints += String(piece);
      // With colours in CI.
      workflowId ||= /batch {2}(\S+)\s/.exec(stripVTControlCharacters(complaints))?.[1] ?? '';
    });
    return started;
  };
  let command = begin();
  try {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      if (command.exitCode !== null || command.signalCode !== null) {
        codes.push(command.exitCode);
        // What it wrote last may still be under way.
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        if (output.includes('resultsFile')) break;
        say(
          `the command ended with ${command.exitCode ?? command.signalCode} before the batch did: ${complaints} ${output}`,
        );
        if (codes.length > MOST_COMMANDS) throw new Error('the command does not wait for the batch');
        command = begin();
      }
      if (workflowId === '') continue;
      const progress = await ask(client, () => client.batches.progress(workflowId));
      if (!progress) continue;
      const ended = countEndedItems(progress);
      const share = ended / items;
      memory.push({ ended, bytes: residentBytes(worker) });
      if (share >= (workerKills[0] ?? Infinity)) {
        workerKills.shift();
        say(`worker killed at ${ended} items`);
        await killHard(worker);
        worker = await startWorker();
        memory = [];
      }
      if (share >= (commandKills[0] ?? Infinity)) {
        commandKills.shift();
        say(`command killed at ${ended} items`);
        await killHard(command);
        codes.push(command.exitCode);
        command = begin();
      }
    }
    const query = `WorkflowType = 'reflectionLoop' AND WorkflowId STARTS_WITH '${workflowId}/'`;
    const requests = new Map<string, number>();
    for (const { body } of requestsOf(model.ledger)) {
      const text = JSON.stringify(body);
      const call = `${/Item (\d+):/.exec(text)![1]} ${body!.messages.length}`;
      requests.set(call, (requests.get(call) ?? 0) + 1);
    }
    const lines = readFileSync(results!, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as BatchLine);
    return {
      workflowId,
      seconds: (Date.now() - began) / 1_000,
      result: await client.batches.result(workflowId),
      lines,
      runs: (await client.temporal.workflow.count(query)).count,
      requests,
      memory,
      histories: await historiesOf(client, workflowId),
      codes,
    };
  } finally {
    await killHard(command);
    await killHard(worker);
    await model.close();
  }
}

/** Calls that were made more often than once. Those that were under way at a kill of the worker may have been. */
export function repeatedCalls({ requests }: KilledBatch): number {
  return [...requests.values()].reduce((sum, times) => sum + times - 1, 0);
}

/** All that is wrong with what was seen; nothing, where every promise was kept. */
export function brokenPromises(seen: KilledBatch, { items, concurrency, workerKills }: KilledBatchOptions): string[] {
  const { lines, result, runs, histories, memory, codes } = seen;
  const never = Array.from({ length: items }, (_, number) => number).filter(neverPasses).length;
  const wrong: (string | false)[] = [
    runs !== items && `${runs} runs for ${items} items`,
    lines.length !== items && `${lines.length} lines for ${items} items`,
    lines.some(({ index, id }, at) => index !== at || id !== `item-${at}`) && 'lines are not in the order of the input',
    result.passed !== items - never && `${result.passed} of ${items - never} passed`,
    result.notPassed !== never && `${result.notPassed} of ${never} did not pass`,
    seen.requests.size !== items + never && `${seen.requests.size} calls for ${items + never}`,
    repeatedCalls(seen) > workerKills.length * concurrency && `${repeatedCalls(seen)} calls were repeated`,
    histories.some((bytes) => bytes >= 2 * 1_024 * 1_024) && `histories of ${histories.join(', ')} bytes`,
    codes.at(-1) !== 2 && `the command ended with ${codes.at(-1)}`,
    growth(memory) > 1.25 && `the worker's memory grew by the factor ${growth(memory).toFixed(2)}`,
  ];
  return wrong.filter((each) => each !== false);
}

/**
 * By how much the memory of the last worker grew, from the second quarter to the last of what was seen of it once its heaps had
 * their size; 1 where there is too little to say.
 */
export function growth(memory: KilledBatch['memory']): number {
  const from = (memory[0]?.ended ?? 0) + WARM_UP_ITEMS;
  const settled = memory.filter(({ ended }) => ended >= from);
  const quarter = Math.floor(settled.length / 4);
  if (quarter < 5) return 1;
  const mean = (part: KilledBatch['memory']): number => part.reduce((sum, { bytes }) => sum + bytes, 0) / part.length;
  return mean(settled.slice(-quarter)) / mean(settled.slice(quarter, 2 * quarter));
}
