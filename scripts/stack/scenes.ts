import { setTimeout as sleep } from 'node:timers/promises';
import type { ReflectionClient } from '../../src/client';
import type { Compose } from './compose';
import type { Engine } from './engine';
import type { Loops } from './loops';

export interface Stage {
  engine: Engine;
  compose: Compose;
  client: ReflectionClient;
  loops: Loops;
  log(line: string): void;
}

const PROMETHEUS = 'http://127.0.0.1:9090';
const ROUNDS = 10;
const PAYLOADS_AWAY_MS = 20_000;

/** @throws Error with what was last seen, unless it is so within that time */
async function eventually<T>(
  what: string,
  look: () => Promise<T>,
  isSo: (seen: T) => boolean,
  seconds = 90,
): Promise<T> {
  const end = Date.now() + seconds * 1_000;
  for (;;) {
    const seen = await look().catch((error: unknown) => error as Error);
    if (!(seen instanceof Error) && isSo(seen)) return seen;
    if (Date.now() > end) throw new Error(`${what}: ${seen instanceof Error ? seen.message : JSON.stringify(seen)}`);
    await sleep(500);
  }
}

async function start(loops: Loops, labels: readonly string[]): Promise<void> {
  for (const [index, label] of labels.entries()) {
    await (index % 2 === 0 ? loops.startByJson(label, ROUNDS) : loops.startByClient(label, ROUNDS));
  }
}

/** Makes a build the current one, as `temporal worker deployment set-current-version` does. */
async function makeCurrent(client: ReflectionClient, buildId: string): Promise<void> {
  const { connection, options } = client.temporal;
  const request = { namespace: options.namespace, deploymentName: 'stack', buildId };
  await eventually(
    `build ${buildId} is current`,
    async () => connection.workflowService.setWorkerDeploymentCurrentVersion(request),
    () => true,
  );
}

/** How many workers Prometheus reached at its last scrape. */
async function scraped(): Promise<number> {
  const query = 'count(up{job="reflect-worker"} == 1)';
  const response = await fetch(`${PROMETHEUS}/api/v1/query?query=${encodeURIComponent(query)}`);
  const { data } = (await response.json()) as { data: { result: { value: [number, string] }[] } };
  return Number(data.result[0]?.value[1] ?? 0);
}

async function killedWorker({ engine, compose, loops, log }: Stage): Promise<void> {
  const labels = ['kill-1', 'kill-2', 'kill-3', 'kill-4'];
  await start(loops, labels);
  await loops.reached('kill-4', 3);
  await engine.podman(['kill', '--signal', 'KILL', compose.container('worker', 2)]);
  log('a worker was killed');
  await loops.allEnd(labels);
  await engine.podman(['start', compose.container('worker', 2)]).catch(() => {});
  await compose.healthy(compose.container('worker', 2));
}

async function stoppedDatabases({ engine, compose, loops, log }: Stage): Promise<void> {
  const labels = ['base-1', 'base-2', 'base-3', 'base-4'];
  await start(loops, labels);
  await loops.reached('base-4', 3);
  await engine.podman(['stop', compose.container('temporal-db')]);
  log("Temporal's PostgreSQL is stopped");
  await sleep(5_000);
  await engine.podman(['start', compose.container('temporal-db')]);
  await compose.healthy(compose.container('temporal-db'));
  await loops.reached('base-4', 6);
  await engine.podman(['stop', compose.container('reflect-db')]);
  log('PostgreSQL of the payloads is stopped');
  await sleep(PAYLOADS_AWAY_MS);
  await engine.podman(['start', compose.container('reflect-db')]);
  await compose.healthy(compose.container('reflect-db'));
  await loops.allEnd(labels);
}

/** A new build beside the old one: old runs end where they began, new ones go to the new build. */
async function rollingUpdate({ engine, compose, client, loops, log }: Stage): Promise<void> {
  await start(loops, ['old-1', 'old-2']);
  await loops.reached('old-2', 2);
  const name = await compose.runWorker('two');
  await compose.healthy(name);
  await makeCurrent(client, 'two');
  log('a second build is current');
  await start(loops, ['new-1', 'new-2']);
  await loops.allEnd(['old-1', 'old-2', 'new-1', 'new-2']);
  for (const [label, build] of [
    ['old-1', 'one'],
    ['old-2', 'one'],
    ['new-1', 'two'],
    ['new-2', 'two'],
  ] as const) {
    const seen = await loops.buildOf(label);
    if (seen !== build) throw new Error(`${label} ran on build ${seen} instead of ${build}`);
  }
  await makeCurrent(client, 'one');
  await engine.podman(['rm', '--force', '--time', '45', name]);
}

async function scaledToThree({ compose, log }: Stage): Promise<void> {
  await compose.scaleWorkers(3);
  await compose.healthy(compose.container('worker', 3));
  const count = await eventually('Prometheus scrapes three workers', scraped, (workers) => workers >= 3, 120);
  log(`Prometheus scrapes ${count} workers`);
}

/** Asked to stop, a worker ends its call and leaves well within its grace period; others take its runs over. */
async function gracefulStop({ engine, compose, loops, log }: Stage): Promise<void> {
  const labels = ['stop-1', 'stop-2', 'stop-3'];
  await start(loops, labels);
  await loops.reached('stop-3', 3);
  const began = Date.now();
  await engine.podman(['stop', '--time', '45', compose.container('worker', 1)]);
  const state = await compose.state(compose.container('worker', 1));
  log(`a worker stopped in ${((Date.now() - began) / 1_000).toFixed(1)} s: ${state}`);
  if (state !== 'exited 0') throw new Error(`a stopped worker ended as ${state}`);
  await loops.allEnd(labels);
}

/** Everything that happens to the stack, in turn. @throws Error for the first thing that is not as it must be */
export async function playScenes(stage: Stage): Promise<void> {
  const { compose, client, log } = stage;
  await makeCurrent(client, 'one');
  await compose.scaleWorkers(2);
  await compose.healthy(compose.container('worker', 2));
  log('two workers are well');
  await killedWorker(stage);
  await stoppedDatabases(stage);
  await rollingUpdate(stage);
  await scaledToThree(stage);
  await gracefulStop(stage);
}
