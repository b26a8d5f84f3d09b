import type { ClientOptions, ClientPlugin } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import type {
  BundleOptions,
  BundlerPlugin,
  NativeConnection,
  ReplayWorkerOptions,
  Worker,
  WorkerOptions,
  WorkerPlugin,
} from '@temporalio/worker';
import { type RecoverySettings, recoverySettings } from '../domain/recovery';
import { closeStorage, dataConverterFrom } from '../storage/index';
import { runWithModels } from './model-worker';
import { bundleBoth } from './plugin-bundle';
import { searchAttributeCheck } from './search-attribute-check';
import { type ServedWork, servedWork } from './served-work';
import type { WorkOptions } from './work-options';
import { workflowSource } from './workflow-source';

export interface ReflectionPluginOptions extends WorkOptions {
  /**
   * Whether this process also serves `<queue>-models`, where model calls wait. Default true. With false, another worker has
   * to: one with this plugin whose own task queue is `<queue>-models`.
   */
  serveModels?: boolean;
  /** Milliseconds that model calls under way get to finish when the worker shuts down. Default 30000. */
  drainMs?: number;
}

/** Options of the contract whose feature is not built yet. */
const LATER_OPTIONS = ['memory', 'schemaRoot'];

const DEFAULT_DRAIN_MS = 30_000;

/** What one worker serves for us. */
interface Served extends ServedWork {
  recovery: RecoverySettings;
  connection?: NativeConnection | undefined;
  running: boolean;
}

/**
 * Adds reflection loops to workers, clients and bundles that somebody has already: `plugins: [new ReflectionPlugin()]` for
 * `Worker.create`, `Client`, `bundleWorkflowCode`, `Worker.runReplayHistory`, or a connection of theirs.
 *
 * - A worker gets our activities, our workflows beside its own, and a second worker in the same process that serves
 *   `<queue>-models` while it runs.
 * - A client and a bundle get the payload converter that `dataConverter` or the environment (`REFLECT_STORAGE`,
 *   `REFLECT_CODEC_KEYS`) asks for, as workers do.
 *
 * It implements the SDK's plugin interfaces itself: they are five methods.
 */
export class ReflectionPlugin implements ClientPlugin, WorkerPlugin, BundlerPlugin {
  readonly name = 'durable-reflection';
  readonly #options: ReflectionPluginOptions;
  readonly #converter: DataConverter | undefined;
  /** By our `prepare` activity: a worker is told from others by what it serves. */
  readonly #served = new WeakMap<object, Served>();

  /** @throws TypeError for an option that is not built yet, InvalidStorageSettings, InvalidCodecKeys */
  constructor(options: ReflectionPluginOptions = {}) {
    for (const name of LATER_OPTIONS) {
      if ((options as Record<string, unknown>)[name] !== undefined) {
        throw new TypeError(`ReflectionPlugin: the option "${name}" is not supported yet`);
      }
    }
    this.#options = options;
    this.#converter = options.dataConverter ?? dataConverterFrom(process.env);
  }

  /** @throws TypeError when the client has a payload converter of its own, too */
  configureClient<Options extends Omit<ClientOptions, 'plugins'>>(options: Options): Options {
    return { ...options, ...this.#converterFor('client', options.dataConverter) };
  }

  /** @throws TypeError when the worker has an activity of a name of ours, or a payload converter of its own */
  configureWorker(options: WorkerOptions): WorkerOptions {
    // The SDK takes plugins of the worker and of its connection, and so may come here twice.
    if (this.#servedBy(options.activities)) return options;
    const place: { connection?: NativeConnection | undefined } = { connection: options.connection };
    const recovery = recoverySettings(this.#options.recovery ?? process.env['REFLECT_RECOVERY']);
    const work = servedWork(this.#options, {
      searchAttributes: searchAttributeCheck(() => place.connection, options.namespace ?? 'default'),
      external: this.#converter?.externalStorage !== undefined,
      heartbeatTimeoutMs: recovery.heartbeatTimeoutMs,
    });
    this.#served.set(work.activities.prepare, Object.assign(place, work, { recovery, running: false }));
    return {
      ...options,
      ...this.#converterFor('worker', options.dataConverter),
      ...this.#workflowsFor(options),
      activities: { ...options.activities, ...withoutClash(work.activities, options.activities) },
      maxHeartbeatThrottleInterval: options.maxHeartbeatThrottleInterval ?? recovery.heartbeatThrottleMs,
      stickyQueueScheduleToStartTimeout: options.stickyQueueScheduleToStartTimeout ?? recovery.stickyMs,
    };
  }

  /** @throws TypeError when the worker has a payload converter of its own, too */
  configureReplayWorker(options: ReplayWorkerOptions): ReplayWorkerOptions {
    return {
      ...options,
      ...this.#converterFor('replay worker', options.dataConverter),
      ...this.#workflowsFor(options),
    };
  }

  configureBundler(options: BundleOptions): BundleOptions {
    return bundleBoth(options, this.#converter);
  }

  async runWorker(worker: Worker, next: (worker: Worker) => Promise<void>): Promise<void> {
    const served = this.#servedBy(Object.fromEntries(worker.options.activities));
    if (!served || served.running) return next(worker);
    served.running = true;
    served.connection = worker.connection;
    const finished = async (): Promise<void> => {
      try {
        await next(worker);
      } finally {
        await served.close();
      }
    };
    if (this.#options.serveModels === false) return finished();
    const { drainMs = DEFAULT_DRAIN_MS } = this.#options;
    const { heartbeatThrottleMs } = served.recovery;
    return runWithModels(worker, finished, served.activities, {
      ...this.#options,
      drainMs,
      heartbeatThrottleMs,
    });
  }

  /** Ends the connections of storages that the environment asked for. Those of a `dataConverter` option are its owner's. */
  async close(): Promise<void> {
    if (!this.#options.dataConverter) await closeStorage(this.#converter);
  }

  #servedBy(activities: object | undefined): Served | undefined {
    const { prepare } = (activities ?? {}) as { prepare?: object };
    return prepare && this.#served.get(prepare);
  }

  #workflowsFor({ workflowsPath, workflowBundle }: ReplayWorkerOptions | WorkerOptions) {
    return workflowsPath === undefined && workflowBundle === undefined ? workflowSource(this.#converter) : {};
  }

  #converterFor(what: string, given: DataConverter | undefined): { dataConverter?: DataConverter } {
    const own = this.#converter;
    if (!own || own === given) return {};
    if (!given) return { dataConverter: own };
    throw new TypeError(
      `This ${what} has a dataConverter, and ReflectionPlugin has another, from its options or from REFLECT_STORAGE and ` +
        'REFLECT_CODEC_KEYS. Payloads are written one way: make them one, and give it to ReflectionPlugin as `dataConverter`.',
    );
  }
}

/** Activities are known by name: with two of one name, runs would be given the wrong one. */
function withoutClash<Ours extends object>(ours: Ours, theirs: object = {}): Ours {
  const taken = Object.keys(ours).filter((name) => Object.hasOwn(theirs, name));
  if (taken.length === 0) return ours;
  throw new TypeError(
    `This worker has activities of its own that are named as those of ReflectionPlugin: ${taken.join(', ')}. ` +
      'Give them other names, or serve reflection loops from a worker of their own.',
  );
}
