import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NativeConnection, Worker } from '@temporalio/worker';
import { ReflectionClient } from '../../src/client';
import { defaultCacheDirectory, type DevServer, findTemporalCli, startDevServer } from '../../src/apps/server';
import { createWorker, openMemory, ReflectionPlugin, type ReflectionWorkerOptions } from '../../src/worker';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { eventually } from '../support/eventually';
import { startReceiver } from '../support/receiver';
import { killHard, startScript } from '../support/processes';
import { recordedActions } from './actions';
import { awayForOne } from './away-memory';
import * as ownActivities from './own-activities';
import { OWN_WORKFLOWS } from './recordings';
import type { Scenario, World } from './scenario';

const DEPLOYMENT = { name: 'recorded', buildId: 'first' };

/** The servers that there are, and how each differs. */
const SERVERS = {
  ordinary: {},
  'without-attributes': { searchAttributes: false },
  impatient: { settings: ['limit.historyCount.suggestContinueAsNew=40'] },
} as const;
type ServerKind = keyof typeof SERVERS;

/** The worlds whose server is not the ordinary one. */
const SERVER_OF: Partial<Record<World, ServerKind>> = {
  'without-attributes': 'without-attributes',
  impatient: 'impatient',
  told: 'impatient',
};

/** Where a scenario runs. */
export interface OpenWorld {
  client: ReflectionClient;
  replaceWorker(): Promise<void>;
}

/** Servers, workers and models of a recording. Opens what a scenario needs when it needs it, and closes all at the end. */
export class Worlds {
  readonly #models = new Map<string, ScriptedOpenAI>();
  readonly #servers = new Map<ServerKind, Promise<DevServer>>();
  readonly #open = new Map<World, Promise<OpenWorld>>();
  readonly #cleanups: (() => Promise<unknown>)[] = [];

  /** Starts the models of all scenarios: a worker is told of its models when it starts. */
  async startModels(scenarios: readonly Scenario[]): Promise<void> {
    for (const { name, script } of scenarios) {
      if (script) this.#models.set(name, await ScriptedOpenAI.start({ script }));
    }
  }

  model(name: string): ScriptedOpenAI | undefined {
    return this.#models.get(name);
  }

  open(scenario: Scenario): Promise<OpenWorld> {
    const world = scenario.world ?? 'ordinary';
    const known = this.#open.get(world);
    if (known) return known;
    const opening = this.#openWorld(world, scenario);
    this.#open.set(world, opening);
    return opening;
  }

  /** Ends everything, the last started first. Fails when a model was asked what its script does not say. */
  async close(): Promise<void> {
    for (const cleanup of this.#cleanups.toReversed()) await cleanup();
    for (const model of this.#models.values()) await model.close();
  }

  #server(kind: ServerKind): Promise<DevServer> {
    const known = this.#servers.get(kind);
    if (known) return known;
    const starting = findTemporalCli({ cacheDirectory: defaultCacheDirectory() })
      .then(({ path }) => startDevServer({ cli: path, ...SERVERS[kind] }))
      .then((server) => {
        this.#cleanups.push(() => server.stop());
        return server;
      });
    this.#servers.set(kind, starting);
    return starting;
  }

  async #openWorld(world: World, scenario: Scenario): Promise<OpenWorld> {
    const { address } = await this.#server(SERVER_OF[world] ?? 'ordinary');
    const place = { address, taskQueue: `recorded-${world}` };
    const client = await ReflectionClient.connect(place);
    this.#cleanups.push(() => client.close());
    const noReplacement = () => Promise.reject(new Error(`the worker of the world ${world} cannot be replaced`));
    if (world === 'killable') return { client, replaceWorker: await this.#processes(place, scenario) };
    if (world === 'embedded') await this.#ownersWorker(place);
    else await this.#worker({ ...place, ...(await this.#optionsOf(world)) });
    if (world === 'versioned') await makeCurrent(client);
    return { client, replaceWorker: noReplacement };
  }

  async #optionsOf(world: World): Promise<ReflectionWorkerOptions> {
    if (world === 'versioned') return { deployment: DEPLOYMENT };
    if (world === 'told') return this.#toldOptions();
    if (world !== 'remembering') return { memory: false };
    const folder = await mkdtemp(join(tmpdir(), 'reflect-recorded-'));
    this.#cleanups.push(() => rm(folder, { recursive: true, force: true }));
    const memory = openMemory({ folder: join(folder, 'memory') });
    this.#cleanups.push(() => memory.close());
    return { memory: awayForOne(memory) };
  }

  async #toldOptions(): Promise<ReflectionWorkerOptions> {
    const receiver = await startReceiver();
    this.#cleanups.push(() => receiver.close());
    process.env['RECORDED_SECRET'] = 'recorded-and-used-by-nobody';
    const notify = { url: receiver.url, secretVariable: 'RECORDED_SECRET' };
    return { memory: false, externalCalls: { allowPrivateAddresses: true }, notify };
  }

  async #worker(options: ReflectionWorkerOptions): Promise<void> {
    const models = [...this.#models].map(([name, { baseUrl }]) => ({ name, baseUrl, model: 'scripted' }));
    const connection = await NativeConnection.connect({ address: options.address! });
    const worker = await createWorker({ ...options, connection, models, actions: recordedActions });
    const running = worker.run();
    this.#cleanups.push(async () => {
      worker.shutdown();
      await running;
      await connection.close();
    });
  }

  async #ownersWorker({ address, taskQueue }: { address: string; taskQueue: string }): Promise<void> {
    const connection = await NativeConnection.connect({ address });
    const plugin = new ReflectionPlugin({ actions: recordedActions, drainMs: 0 });
    const worker = await Worker.create({
      connection,
      taskQueue,
      workflowsPath: OWN_WORKFLOWS,
      activities: ownActivities,
      plugins: [plugin],
    });
    const running = worker.run();
    this.#cleanups.push(async () => {
      worker.shutdown();
      await running;
      await connection.close();
    });
  }

  async #processes(place: { address: string; taskQueue: string }, scenario: Scenario): Promise<() => Promise<void>> {
    const env = {
      TEMPORAL_ADDRESS: place.address,
      REFLECT_TASK_QUEUE: place.taskQueue,
      OPENAI_BASE_URL: this.model(scenario.name)?.baseUrl,
    };
    const start = () => startScript(join('testing', 'support', 'worker-process.ts'), { env, readyWhen: /ready/ });
    let worker = await start();
    this.#cleanups.push(() => killHard(worker));
    return async () => {
      await killHard(worker);
      worker = await start();
    };
  }
}

async function makeCurrent({ temporal }: ReflectionClient): Promise<void> {
  const { connection, options } = temporal;
  const request = { namespace: options.namespace, deploymentName: DEPLOYMENT.name, buildId: DEPLOYMENT.buildId };
  // The server knows a version only after its worker asked for work.
  await eventually(
    () => connection.workflowService.setWorkerDeploymentCurrentVersion(request).catch((error: Error) => error.message),
    (answer) => typeof answer !== 'string',
  );
}
