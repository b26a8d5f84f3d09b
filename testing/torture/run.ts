import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReflectionClient } from '../../src/client';
import { defaultCacheDirectory, findTemporalCli } from '../../src/apps/server';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { faultFreeResults } from './fault-free';
import { formula } from './formula';
import { fetchChains } from './histories';
import { Killer } from './killer';
import { askedOf, sendsOf } from './ledger-sends';
import { NetworkFaults } from './network-faults';
import { pause } from './pause';
import { Random } from './random';
import type { StallRecord, TortureRecord } from './record';
import { ServerUnderTest } from './server-under-test';
import { watchStalls } from './stalls';
import { Starter } from './starter';
import { TcpProxy } from './tcp-proxy';
import type { TortureStorage } from './torture-storage';
import { Witness } from './witness';
import { WorkerFleet } from './worker-fleet';

export interface TortureOptions {
  seed: number;
  kills: number;
  serverKills: number;
  /** Minutes of killing at most. */
  minutes: number;
  /** Loops at the same time. */
  loops: number;
  /** Where payloads are kept. Default: as `REFLECT_STORAGE` says, in histories without it. */
  storage?: TortureStorage | undefined;
  /** Milliseconds after the last kill without a request of any loop, after which they are given up. */
  patienceMs?: number;
  log(line: string): void;
}

export interface TortureOutcome {
  record: TortureRecord;
  /** What the run did, for the report. */
  misses: number;
  resets: number;
  delays: number;
  /** Workers that ended without being killed, with their last words. */
  lostWorkers: string[];
}

const WORKERS = 2;
const PATIENCE_MS = 120_000;

/** Milliseconds after which loops are given up that go on asking. */
const LONGEST_END_MS = 600_000;

async function killAll(
  options: TortureOptions,
  killer: Killer,
  server: ServerUnderTest,
  random: Random,
): Promise<void> {
  const { kills, serverKills, storage, log } = options;
  const until = Date.now() + options.minutes * 60_000;
  const tasks = random.shuffled([
    ...Array.from({ length: kills }, () => 'worker' as const),
    ...Array.from({ length: serverKills }, () => 'server' as const),
    ...Array.from({ length: storage ? serverKills : 0 }, () => 'storage' as const),
  ]);
  const all = tasks.length;
  let done = 0;
  while (tasks.length > 0 && Date.now() < until) {
    await pause(random.between(200, 1_500));
    if (tasks[0] === 'worker') {
      if (!(await killer.killOne())) continue;
    } else {
      // Long enough for the loops to be well under way again.
      await pause(random.between(500, 2_500));
      const killed = tasks[0] === 'storage' ? storage! : server;
      killer.kills.push(await killed.killAndRestart(random.between(0, 1_500)));
    }
    tasks.shift();
    done += 1;
    const { what, barrier } = killer.kills.at(-1)!;
    log(`kill ${done} of ${all}: ${what}${barrier ? ` at ${barrier}` : ''}`);
  }
}

/** Waits for the loops that are under way; gives up when nothing comes of them, and the checker will say of which. */
async function letThemEnd(
  starter: Starter,
  running: Promise<void>,
  { patienceMs = PATIENCE_MS }: TortureOptions,
  lastRequestAt: () => number,
): Promise<void> {
  starter.stop();
  const began = Date.now();
  let isOver = false;
  const ended = running.then(() => {
    isOver = true;
  });
  const isHopeless = (): boolean => {
    const now = Date.now();
    return now - Math.max(began, lastRequestAt()) > patienceMs || now - began > LONGEST_END_MS;
  };
  while (!isOver && !isHopeless()) await Promise.race([ended, pause(500)]);
  starter.abandon();
  await ended;
}

/** Runs loops under fire and returns all that was seen. Everything that it starts ends with it. */
export async function torture(options: TortureOptions): Promise<TortureOutcome> {
  const { seed, loops, log } = options;
  const random = Random.of(seed, 1);
  const cli = (await findTemporalCli({ cacheDirectory: defaultCacheDirectory() })).path;
  const folder = mkdtempSync(join(tmpdir(), 'reflect-torture-'));
  const server = await ServerUnderTest.start({ cli, databaseFile: join(folder, 'temporal.db') });
  const proxy = await TcpProxy.start(server.port);
  const lostWorkers: string[] = [];
  const stalls: StallRecord[] = [];
  const stopWatching = watchStalls((stall) => stalls.push({ what: 'runner', ...stall }));
  const model = await ScriptedOpenAI.start({
    script: ({ body }) => formula(body),
    responses: 'background',
    onEntry: (entry) => killer.onEntry(entry),
  });
  const fleet = new WorkerFleet({
    address: `127.0.0.1:${proxy.port}`,
    modelUrl: model.baseUrl,
    workers: WORKERS,
    onReached: (worker, barrier, caller) => killer.onReached(worker, barrier, caller),
    onStalled: ({ name: worker }, stall) => stalls.push({ what: 'worker', worker, ...stall }),
    onLost: ({ name, output }) => lostWorkers.push(`${name}: ${output.join(' | ')}`),
  });
  const client = await ReflectionClient.connect({ address: server.address });
  const witness = new Witness(client.temporal, (stall) => stalls.push({ what: 'server', ...stall }));
  const killer = new Killer(fleet, Random.of(seed, 2), (caller) => witness.untilNoted(caller));
  const faults = new NetworkFaults();
  await fleet.fill();
  const starter = new Starter(client, seed);
  log(`seed ${seed}: ${loops} loops at a time on ${WORKERS} workers`);
  const running = starter.run(loops);
  const looking = witness.run(starter.running);
  const disturbing = faults.run(proxy, Random.of(seed, 3));
  await killAll(options, killer, server, random);
  faults.stop();
  await disturbing;
  await fleet.fill();
  log(`${starter.running.size} loops are under way; waiting for them`);
  await letThemEnd(starter, running, options, () => model.ledger.at(-1)?.at ?? 0);
  witness.stop();
  await looking;
  // The list of runs is written a moment after the runs themselves.
  await pause(1_500);
  const workflowIds = starter.loops.map(({ workflowId }) => workflowId);
  const chains = await fetchChains(client.temporal, workflowIds);
  await client.close();
  await fleet.close();
  await proxy.close();
  await model.close();
  await server.stop();
  stopWatching();
  rmSync(folder, { recursive: true, force: true });
  log(`running the ${starter.loops.length} loops again, without faults`);
  const faultFree = await faultFreeResults({ cli, seed, started: starter.loops.length, loops });
  return {
    record: {
      seed,
      loops: starter.loops,
      commands: starter.commands,
      kills: killer.kills,
      sends: sendsOf(model.ledger),
      asked: askedOf(model.ledger),
      noted: witness.noted,
      stalls,
      chains,
      faultFree,
    },
    misses: killer.misses,
    resets: faults.resets,
    delays: faults.delays,
    lostWorkers,
  };
}
