/**
 * From the restart of a worker that was killed with `kill -9` in the middle of a call to the next call, for each recovery
 * profile: median of 5, on the built package with its workflow bundle.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import Table from 'cli-table3';
import { ReflectionClient } from '../../src/client';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { defaultCacheDirectory, type DevServer, findTemporalCli, startDevServer } from '../../src/apps/server';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { pause } from '../../testing/torture/pause';
import { ensureBuilt } from './built';
import { median } from './measure';

const ROOT = join(__dirname, '..', '..');
const ROUNDS = 5;

/** Milliseconds from restart to the next call that each profile must reach. */
const GOALS = { standard: 31_000, steady: 6_000, fast: 1_500 };
type Profile = keyof typeof GOALS;

const PROGRAM = `
  const { Runtime, DefaultLogger } = require('@temporalio/worker');
  Runtime.install({ logger: new DefaultLogger('ERROR'), telemetryOptions: { logging: { filter: 'ERROR', forward: {} } } });
  require('./dist/worker.js').createWorker().then((worker) => worker.run());
`;

const spec: ReflectionSpec = {
  generator: { action: 'llm.call', prompt: 'Write.' },
  evaluator: { type: 'schema', schema: { type: 'object', required: ['done'] } },
};

const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

function startWorker(server: DevServer, model: ScriptedOpenAI, profile: Profile): ChildProcess {
  const child = spawn(process.execPath, ['-e', PROGRAM], {
    cwd: ROOT,
    env: {
      ...process.env,
      TEMPORAL_ADDRESS: server.address,
      OPENAI_BASE_URL: model.baseUrl,
      REFLECT_RECOVERY: profile,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  children.add(child);
  return child;
}

async function killHard(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

interface Recovery {
  /** The call that was cut off is made again. */
  nextCall: number;
  /** The loop has gone on: the call after that one. */
  callAfter: number;
}

async function measure(server: DevServer, profile: Profile, round: number): Promise<Recovery> {
  const requests: number[] = [];
  const waiting: (() => void)[] = [];
  const model = await ScriptedOpenAI.start({
    script: [{ reply: { version: 1 }, delayMs: 60_000 }, { reply: { version: 2 } }, { reply: { done: true } }],
    onEntry: ({ kind, at }) => {
      if (kind !== 'request') return;
      requests.push(at);
      waiting.shift()?.();
    },
  });
  const request = async (number: number): Promise<number> => {
    while (requests.length < number) await new Promise<void>((resolve) => waiting.push(resolve));
    return requests[number - 1]!;
  };
  const client = await ReflectionClient.connect({ address: server.address });
  const first = startWorker(server, model, profile);
  const { workflowId } = await client.start(spec);
  await request(1);
  // At another point between two heartbeats in each round.
  await pause(2_000 + round * 200);
  await killHard(first);
  const restarted = Date.now();
  const second = startWorker(server, model, profile);
  const times = { nextCall: (await request(2)) - restarted, callAfter: (await request(3)) - restarted };
  await client.result(workflowId);
  await killHard(second);
  await client.close();
  await model.close();
  return times;
}

/** Times from the restart of a worker to the next call, as a table. Sets the exit code where a goal was missed. */
export async function recovery(): Promise<string> {
  ensureBuilt();
  const cli = (await findTemporalCli({ cacheDirectory: defaultCacheDirectory() })).path;
  const head = ['recovery profile', 'next call ms', 'goal', 'the one after, ms', 'all of the first'];
  const table = new Table({ head, style: { head: [] } });
  for (const profile of Object.keys(GOALS) as Profile[]) {
    const rounds: Recovery[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const server = await startDevServer({ cli });
      rounds.push(await measure(server, profile, round));
      await server.stop();
    }
    const nextCalls = rounds.map(({ nextCall }) => nextCall);
    const goal = GOALS[profile];
    if (median(nextCalls) > goal) process.exitCode = 1;
    table.push([
      profile,
      median(nextCalls),
      `≤ ${goal}`,
      median(rounds.map((one) => one.callAfter)),
      nextCalls.join(', '),
    ]);
  }
  return table.toString();
}
