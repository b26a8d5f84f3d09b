import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Runtime } from '@temporalio/worker';
import { ReflectionClient, type RunReference, type RunTarget, type StartOptions } from '../../client';
import { interceptorsOf } from '../../client/closed-calls';
import { LARGE_ANSWERS, temporalSettings, type TemporalSettings } from '../../lib/config';
import { omitUndefined } from '../../lib/base/defined';
import type { ReflectionSpecInput } from '../../loop/contract/short-spec';
import type { ReflectionResult } from '../../loop/contract/results';
import { connectOrStart } from '../server';
import { createWorker, type CustomModel, installRuntime, type ModelConfig } from '../../worker';
import type { ReflectionTestEnvironmentOptions } from './environment-options';
import { ScriptExhaustedError } from './errors';
import { recordRun } from './replay/record-run';
import { promptOf, requestsOf } from './scripted-model/ledger';
import type { LedgerEntry, Script } from './scripted-model/script';
import { ScriptedOpenAI } from './scripted-model/server';

interface Parts {
  client: ReflectionClient;
  model: ScriptedOpenAI;
  models: ModelConfig[];
  settings: TemporalSettings;
  uiUrl: string | undefined;
  /** Ends when the worker has; rejects if it failed. */
  running: Promise<void> | undefined;
  closers: Closers;
}

/** A stack of resources to close: all of them are closed, the last opened first, and then the first failure is thrown. */
class Closers {
  readonly #closers: (() => Promise<unknown>)[] = [];

  add(close: () => Promise<unknown>): void {
    this.#closers.push(close);
  }

  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (const close of this.#closers.splice(0).reverse())
      await close().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }
}

/**
 * A Temporal server, a worker and a scripted model for tests of your loops. It needs no test framework, network or API
 * key: create it before the tests of a file, and tear it down after them.
 *
 * The server is the one that `TEMPORAL_ADDRESS` names, or one of its own: on a free port of this machine, in memory, and
 * ended by `teardown`, or with this process. Time is not skipped, so give specs that wait short durations.
 */
export class ReflectionTestEnvironment {
  readonly #closers: Closers;
  readonly #running: Promise<void> | undefined;
  /** The latest failure of the script that was reported to a test. */
  #told: ScriptExhaustedError | undefined;
  /** Starts and steers runs, as in your service. */
  readonly client: ReflectionClient;
  /** The scripted model: its `ledger` has every request and answer. */
  readonly model: ScriptedOpenAI;
  /** The configuration of the models, with the address of the script: for a worker or a `ReflectionPlugin` of your own. */
  readonly models: readonly ModelConfig[];
  /** The address of the Temporal server. */
  readonly address: string;
  readonly namespace: string;
  /** The task queue of this environment alone, so that tests can share a server. */
  readonly taskQueue: string;
  /** The Web UI, if there is one. */
  readonly uiUrl: string | undefined;

  private constructor({ client, model, models, settings, uiUrl, running, closers }: Parts) {
    this.#running = running;
    this.client = client;
    this.model = model;
    this.models = models;
    this.address = settings.connection.address;
    this.namespace = settings.namespace;
    this.taskQueue = settings.taskQueue;
    this.uiUrl = uiUrl;
    this.#closers = closers;
  }

  /**
   * Starts all of it; what was started is ended again if something fails.
   *
   * @throws TemporalServerUnavailable, which lists how a server was looked for; and what `createWorker` throws
   */
  static async create(options: ReflectionTestEnvironmentOptions = {}): Promise<ReflectionTestEnvironment> {
    const closers = new Closers();
    try {
      return new ReflectionTestEnvironment(await open(options, closers));
    } catch (error) {
      await closers.close().catch(() => undefined);
      throw error;
    }
  }

  /**
   * Runs a loop to its end. With a `script`, the model replies with that and nothing else, and all of it must be requested: give
   * runs with scripts of their own one after the other, or let their entries `match` their requests.
   *
   * @throws ScriptExhaustedError if the script had no answer for a request, ScriptUnusedError if answers are left, and what
   * `ReflectionClient.run` throws
   */
  async run(spec: ReflectionSpecInput, options: StartOptions & { script?: Script } = {}): Promise<ReflectionResult> {
    const { script, ...start } = options;
    if (script) this.play(script);
    let result: ReflectionResult;
    try {
      result = await this.#whileWorking(this.client.run(spec, start));
    } catch (error) {
      this.#assertAnswered(error);
      throw error;
    }
    this.#assertAnswered();
    if (script) this.model.assertDone();
    return result;
  }

  /** Starts a loop and returns at once; for runs that wait for a person. A `script` as for `run`. */
  async start(spec: ReflectionSpecInput, options: StartOptions & { script?: Script } = {}): Promise<RunReference> {
    const { script, ...start } = options;
    if (script) this.play(script);
    return this.client.start(spec, start);
  }

  /** Replaces what the model says. */
  play(script: Script): void {
    this.model.play(script);
  }

  /** Returns the requests that the model got so far, in their order. */
  requests(): LedgerEntry[] {
    return requestsOf(this.model.ledger);
  }

  /** Returns the texts of those requests: the messages of each, with empty lines between them. */
  prompts(): string[] {
    return this.requests().map(promptOf);
  }

  /**
   * Writes the history of a run that has ended into a folder, for `replayRuns`.
   *
   * @returns the files: one for each run of the chain
   * @throws NotRecordableError
   */
  async recordRun(run: RunTarget, folder: string): Promise<string[]> {
    return recordRun(this.client, run, folder);
  }

  /**
   * Ends the worker, the connections, the model and the server. Can be called again.
   *
   * @throws ScriptExhaustedError if a request had no answer and this was reported to no test
   */
  async teardown(): Promise<void> {
    try {
      await this.#closers.close();
    } catch (error) {
      const isTold = error instanceof ScriptExhaustedError && error.requests[0] === this.#told?.requests[0];
      if (!isTold) throw error;
    }
  }

  /** Rejects once the worker has ended: without a worker, a wait would have no end. */
  async #whileWorking<Result>(waiting: Promise<Result>): Promise<Result> {
    const over = this.#running?.then(() => Promise.reject(new Error('The worker of the environment has ended.')));
    return Promise.race([waiting, ...(over ? [over] : [])]);
  }

  #assertAnswered(cause?: unknown): void {
    try {
      this.model.assertAnswered();
    } catch (error) {
      if (!(error instanceof ScriptExhaustedError)) throw error;
      this.#told = new ScriptExhaustedError(error.requests, { cause });
      throw this.#told;
    }
  }
}

function configureModel(given: string | ModelConfig | CustomModel, baseUrl: string): ModelConfig {
  if (typeof given === 'string') return { name: given, model: given, baseUrl };
  if (!('call' in given || 'embed' in given)) return { ...given, baseUrl };
  const { name, model = name, prices, structuredOutput } = given;
  return omitUndefined({ name, model, prices, structuredOutput, baseUrl });
}

/** Returns the server to use, and how to reach it: the environment's credentials are for a server that the user named. */
async function openServer(
  { address, cli, ui = false, onProgress = tell }: ReflectionTestEnvironmentOptions,
  closers: Closers,
): Promise<{ settings: TemporalSettings; uiUrl: string | undefined }> {
  const taskQueue = `test-${randomUUID()}`;
  if (address !== undefined) return { settings: temporalSettings({ address, taskQueue }), uiUrl: undefined };
  const server = await connectOrStart({ ui, onProgress, keepAlive: false, ...omitUndefined({ cli }) });
  closers.add(server.stop);
  if (!server.started)
    return { settings: temporalSettings({ address: server.address, taskQueue }), uiUrl: server.uiUrl };
  return {
    settings: { connection: { address: server.address }, namespace: 'default', taskQueue },
    uiUrl: server.uiUrl,
  };
}

async function open(options: ReflectionTestEnvironmentOptions, closers: Closers): Promise<Parts> {
  const { script = [], models = ['scripted'], worker = true, logLevel = 'error', ...rest } = options;
  const { settings, uiUrl } = await openServer(options, closers);
  const model = await ScriptedOpenAI.start({ script, responses: 'background' });
  closers.add(() => model.close());
  const configs = models.map((each) => configureModel(each, model.baseUrl));
  const { connection: connecting, namespace, taskQueue } = settings;
  const channelArgs = { ...LARGE_ANSWERS, ...(connecting['channelArgs'] as object | undefined) };
  const interceptors = interceptorsOf(connecting);
  const connection = await Connection.connect({ ...connecting, channelArgs, interceptors });
  closers.add(() => connection.close());
  // Not as the variables of a production say: a test reads its own payloads.
  const { dataConverter = {} } = options;
  const client = new ReflectionClient(new Client({ connection, namespace, dataConverter }), taskQueue);
  let running: Promise<void> | undefined;
  if (worker) {
    // A user who has installed a runtime has configured its log.
    if (!Runtime._instance) installRuntime({ level: logLevel });
    const native = await NativeConnection.connect(connecting);
    closers.add(() => native.close());
    const { address: _address, cli: _cli, ui: _ui, onProgress: _onProgress, ...work } = rest;
    const created = await createWorker({
      memory: false,
      drainMs: 0,
      ...work,
      dataConverter,
      models: configs,
      connection: native,
      namespace,
      taskQueue,
    });
    const ended = created.run();
    // A failure is thrown by `run` and `teardown`, and must not end the process before.
    ended.catch(() => undefined);
    closers.add(() => {
      created.shutdown();
      return ended;
    });
    running = ended;
  }
  return { client, model, models: configs, settings, uiUrl, running, closers };
}

function tell(message: string): void {
  process.stderr.write(`${message}\n`);
}
