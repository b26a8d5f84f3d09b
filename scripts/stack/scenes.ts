import { setTimeout as sleep } from 'node:timers/promises';
import { assertSandboxLevel } from './attack-sandbox';
import { eventually } from './eventually';
import type { Loops } from './loops';
import { makeCurrent } from './make-current';
import type { Stack } from './stack';

const WEB_UI = 'http://127.0.0.1:8233';
const PROMETHEUS = 'http://127.0.0.1:9090';
const ROUNDS = 10;
const PAYLOADS_AWAY_MS = 20_000;

async function start(loops: Loops, labels: readonly string[]): Promise<void> {
  for (const [index, label] of labels.entries()) {
    await (index % 2 === 0 ? loops.startByJson(label, ROUNDS) : loops.startByClient(label, ROUNDS));
  }
}

/** The Web UI shows its page, and reaches Temporal. */
async function shownByWebUi({ log }: Stack): Promise<void> {
  const page = await fetch(WEB_UI);
  const { namespaces } = (await (await fetch(`${WEB_UI}/api/v1/namespaces`)).json()) as { namespaces: unknown[] };
  if (!/<html/i.test(await page.text()) || namespaces.length === 0) throw new Error('the Web UI shows no namespaces');
  log('the Web UI shows its page and the namespaces');
}

/** How many workers Prometheus reached at its last scrape. */
async function scraped(): Promise<number> {
  const query = 'count(up{job="reflect-worker"} == 1)';
  const response = await fetch(`${PROMETHEUS}/api/v1/query?query=${encodeURIComponent(query)}`);
  const { data } = (await response.json()) as { data: { result: { value: [number, string] }[] } };
  return Number(data.result[0]?.value[1] ?? 0);
}

async function killedWorker({ engine, compose, loops, log }: Stack): Promise<void> {
  const labels = ['kill-1', 'kill-2', 'kill-3', 'kill-4'];
  await start(loops, labels);
  await loops.reached('kill-4', 3);
  await engine.podman(['kill', '--signal', 'KILL', compose.container('worker', 2)]);
  log('a worker was killed');
  await loops.allEnd(labels);
  await engine.podman(['start', compose.container('worker', 2)]).catch(() => {});
  await compose.healthy(compose.container('worker', 2));
}

async function stoppedDatabases({ engine, compose, loops, log }: Stack): Promise<void> {
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
async function rollingUpdate({ engine, compose, client, loops, log }: Stack): Promise<void> {
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

async function scaledToThree({ compose, log }: Stack): Promise<void> {
  await compose.scaleWorkers(3);
  await compose.healthy(compose.container('worker', 3));
  const count = await eventually('Prometheus scrapes three workers', scraped, (workers) => workers >= 3, 120);
  log(`Prometheus scrapes ${count} workers`);
}

/** Asked to stop, a worker ends its call and leaves well within its grace period; others take its runs over. */
async function gracefulStop({ engine, compose, loops, log }: Stack): Promise<void> {
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

/**
 * Everything that happens to the stack, in turn.
 *
 * @throws Error for the first thing that is not as it must be
 */
export async function playScenes(stack: Stack): Promise<void> {
  const { compose, client, log } = stack;
  await makeCurrent(client, 'one');
  await compose.scaleWorkers(2);
  await compose.healthy(compose.container('worker', 2));
  log('two workers are well');
  await shownByWebUi(stack);
  await assertSandboxLevel(stack);
  await killedWorker(stack);
  await stoppedDatabases(stack);
  await rollingUpdate(stack);
  await scaledToThree(stack);
  await gracefulStop(stack);
}
