import type { ClientOptions } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { SimplePlugin } from '@temporalio/plugin';
import type { BundleOptions, NativeConnection, ReplayWorkerOptions, Worker, WorkerOptions } from '@temporalio/worker';
import { activityName } from '../lib/names/activity-names';
import { heartbeatsOf, readingTime, type RecoverySettings, recoverySettings } from '../lib/limits/recovery';
import { attachmentStorageOf, closeStorage, dataConverterFrom, resultStorageOf, valueStorageOf } from '../lib/storage';
import { soundFields } from '../loop/errors/config-fields';
import { runWithModels } from './running/model-worker';
import { assertWholeBundle } from './bundle/own-bundle';
import { assertOneSdk } from './sdk/sdk-copies';
import { tellSdkGaps } from './sdk/sdk-gaps';
import { searchAttributeCheck } from './search-attribute-check';
import { type Serve, serveFrom } from './serve';
import { type WorkerServices, workerServices } from './worker-services';
import { receiverOf } from './notify';
import { workerSwitches } from './switches';
import { WORK, type WorkOptions } from './work-options';
import { workflowSource, INTERCEPTORS } from './workflow-source';

const OURS = require.resolve('../workflows');
const BOTH = require.resolve('../workflows/plugin-bundle-entry');

/** The name under which `workflows/plugin-bundle-entry` asks for the other workflows. */
const YOURS = '__durable_reflection_your_workflows';

/** An owner's workflows get the code of their worker's package, even if another copy is nearer to them. */
const IMPORTED = 'durable-reflection/workflow';
const WORKFLOW = require.resolve('../workflow');

type WebpackHook = NonNullable<BundleOptions['webpackConfigHook']>;

function addOwnerWorkflows(workflowsPath: string, before: WebpackHook | undefined): WebpackHook {
  return (configuration) => {
    const config = before ? before(configuration) : configuration;
    const alias = config.resolve?.alias ?? {};
    const added = Array.isArray(alias)
      ? [
          ...alias,
          { name: YOURS, onlyModule: true, alias: workflowsPath },
          { name: IMPORTED, onlyModule: true, alias: WORKFLOW },
        ]
      : { [`${IMPORTED}$`]: WORKFLOW, ...alias, [`${YOURS}$`]: workflowsPath };
    return { ...config, resolve: { ...config.resolve, alias: added } };
  };
}

/** Adds our workflows to a bundle, and the converters that it must hold to read what clients write. */
export function bundleBoth(options: BundleOptions, converter: DataConverter = {}): BundleOptions {
  const { failureConverterPath, payloadConverterPath } = converter;
  const { workflowsPath, workflowInterceptorModules = [] } = options;
  const added = workflowInterceptorModules.includes(INTERCEPTORS) ? [] : [INTERCEPTORS];
  const isDone = workflowsPath === BOTH || workflowsPath === OURS;
  return {
    ...options,
    workflowInterceptorModules: [...workflowInterceptorModules, ...added],
    ...(failureConverterPath === undefined || options.failureConverterPath ? {} : { failureConverterPath }),
    ...(payloadConverterPath === undefined || options.payloadConverterPath ? {} : { payloadConverterPath }),
    ...(isDone
      ? {}
      : { workflowsPath: BOTH, webpackConfigHook: addOwnerWorkflows(workflowsPath, options.webpackConfigHook) }),
  };
}

export interface ReflectionPluginOptions extends WorkOptions {
  /** Milliseconds that model calls in flight may take to finish when the worker shuts down. Default 30000. */
  drainMs?: number;
}

const DEFAULT_DRAIN_MS = 30_000;

const PREPARE = activityName('prepare');

interface Served extends WorkerServices {
  /** The worker, once it runs: activities run no sooner. */
  place?: { connection: NativeConnection | undefined; namespace: string; throttleMs: number };
}

/**
 * Adds reflection loops to existing workers, clients and bundles: `plugins: [new ReflectionPlugin()]` for
 * `Worker.create`, `Client`, `bundleWorkflowCode`, `Worker.runReplayHistory`, or their connection.
 *
 * - A worker gets our activities, our workflows in addition to its own, and a second worker in the same process that
 *   polls `<queue>-models` while it runs.
 * - A client and a bundle get the payload converter that `dataConverter` or the environment (`REFLECT_STORAGE`,
 *   `REFLECT_CODEC_KEYS`) names, as workers do.
 *
 * It extends the SDK's SimplePlugin, which provides activities, converter and what happens around a run. The methods
 * below add what depends on more than one option of a worker (docs/decisions/plugin.md).
 */
export class ReflectionPlugin extends SimplePlugin {
  readonly #options: ReflectionPluginOptions;
  readonly #converter: DataConverter | undefined;
  readonly #recovery: RecoverySettings;
  readonly #serve: Serve;
  /** The services of each worker by its `prepare` activity: workers are distinguished by the activities that they serve. */
  readonly #served = new WeakMap<object, Served>();
  /** The plugin's storage reads and writes nothing of other namespaces. A replay may be of any namespace. */
  readonly #namespaces: { served: Set<string>; any: boolean };
  #theirConverter: DataConverter | undefined;
  #runs = 0;

  /** @throws InvalidConfigError for an unknown option, InvalidStorageSettings, InvalidCodecKeys, TypeError for invalid switches */
  constructor(asked: ReflectionPluginOptions = {}) {
    const options: ReflectionPluginOptions = soundFields(asked, WORK);
    const namespaces = { served: new Set<string>(), any: false };
    const isServed = (namespace: string): boolean => namespaces.any || namespaces.served.has(namespace);
    const converter = options.dataConverter ?? dataConverterFrom(process.env, { namespaces: isServed });
    super({
      name: 'durable-reflection',
      ...(converter ? { dataConverter: (given) => chooseConverter(converter, given) } : {}),
      activities: (theirs) => this.#withOurs(theirs),
      runContext: (run) => this.#closeAfter(run),
    });
    // Misspelt switches are reported here, and not once a worker is made.
    workerSwitches(options, process.env);
    receiverOf(options, process.env);
    this.#options = options;
    this.#namespaces = namespaces;
    this.#converter = converter;
    this.#serve = serveFrom(options.serve ?? process.env['REFLECT_SERVE']);
    this.#recovery = recoverySettings(options.recovery ?? process.env['REFLECT_RECOVERY']);
    // The first caller says how long reading may take.
    this.#storageOf(converter);
  }

  /**
   * @throws TypeError if the worker has an activity with one of our names, or a payload converter of its own;
   *   SdkCopiesError; WorkflowBundleError if its workflowBundle was made without the plugin
   */
  override configureWorker(options: WorkerOptions): WorkerOptions {
    assertOneSdk();
    tellSdkGaps();
    this.#theirConverter = options.dataConverter;
    this.#namespaces.served.add(options.namespace ?? 'default');
    const configured = super.configureWorker(options);
    const storage = this.#storageOf(configured.dataConverter);
    this.#checkBundle(configured);
    return this.#withWorkflows({ ...configured, ...(storage ? { dataConverter: storage.converter } : {}) });
  }

  override configureClient(options: ClientOptions): ClientOptions {
    this.#namespaces.served.add(options.namespace ?? 'default');
    return super.configureClient(options);
  }

  /** @throws TypeError if the worker also has a payload converter of its own */
  override configureReplayWorker(options: ReplayWorkerOptions): ReplayWorkerOptions {
    this.#namespaces.any = true;
    return this.#withWorkflows(super.configureReplayWorker(options));
  }

  override configureBundler(options: BundleOptions): BundleOptions {
    return bundleBoth(super.configureBundler(options), this.#converter);
  }

  override async runWorker(worker: Worker, next: (worker: Worker) => Promise<void>): Promise<void> {
    const served = this.#findServed(Object.fromEntries(worker.options.activities));
    if (!served || served.place) return next(worker);
    const { namespace, maxHeartbeatThrottleIntervalMs: throttleMs } = worker.options;
    served.place = { connection: worker.connection, namespace, throttleMs };
    return super.runWorker(worker, () => this.#runBoth(worker, () => next(worker), served));
  }

  /**
   * Ends the connections of storages that the environment configures; those of a `dataConverter` option are its owner's. A
   * worker does so by itself when it has stopped: call this where only clients, bundles or replays had the plugin. It may be
   * called again, and a later use of the storage opens it again.
   */
  async close(): Promise<void> {
    if (!this.#options.dataConverter) await closeStorage(this.#converter);
  }

  #runBoth(worker: Worker, run: () => Promise<void>, served: Served): Promise<void> {
    const runThenClose = async (): Promise<void> => {
      try {
        await run();
      } finally {
        await served.close();
      }
    };
    if (this.#serve !== 'both') return runThenClose();
    const { drainMs = DEFAULT_DRAIN_MS } = this.#options;
    return runWithModels(worker, runThenClose, served.activities, { ...this.#options, drainMs });
  }

  /** Closes the storage after a run. Several workers may have one plugin: the storage is theirs until the last has stopped. */
  async #closeAfter(run: () => Promise<void>): Promise<void> {
    this.#runs += 1;
    try {
      await run();
    } finally {
      this.#runs -= 1;
      if (this.#runs === 0) await this.close();
    }
  }

  #withOurs(theirs: object = {}): object {
    // The SDK takes plugins of the worker and of its connection, and so may come here twice.
    if (this.#findServed(theirs)) return theirs;
    let search: (() => Promise<boolean>) | undefined;
    const converter = this.#converter ?? this.#theirConverter;
    const namespace = (): string => work.place?.namespace ?? 'default';
    const work: Served = workerServices(this.#options, {
      searchAttributes: () => {
        search ??= searchAttributeCheck(() => work.place?.connection, namespace());
        return search();
      },
      storage: this.#storageOf(converter),
      attachments: attachmentStorageOf(converter, namespace),
      values: valueStorageOf(converter, namespace),
      // How long heartbeats of steps are held back is for the worker's owner to say.
      heartbeats: () => heartbeatsOf(this.#recovery, work.place?.throttleMs),
    });
    this.#served.set(work.activities[PREPARE], work);
    return { ...theirs, ...refuseClashes(work.activities, theirs) };
  }

  #storageOf(converter: DataConverter | undefined): ReturnType<typeof resultStorageOf> {
    return resultStorageOf(converter, readingTime(this.#recovery));
  }

  #findServed(activities: object): Served | undefined {
    const { [PREPARE]: prepare } = activities as { [PREPARE]?: object };
    return prepare && this.#served.get(prepare);
  }

  /** Checks the bundle of a worker. A worker that serves model calls alone needs no workflows of ours. */
  #checkBundle({ workflowBundle, interceptors }: WorkerOptions): void {
    const ours = this.#serve !== 'models';
    assertWholeBundle(workflowBundle, {
      ours,
      interceptors: ours,
      modules: interceptors?.workflowModules ?? [],
    });
  }

  #withWorkflows<Options extends ReplayWorkerOptions | WorkerOptions>(options: Options): Options {
    if (options.workflowsPath !== undefined || options.workflowBundle !== undefined) return options;
    const { interceptors = {}, plugins = [] } = options;
    // Other plugins may add theirs after this one.
    const alone = (interceptors.workflowModules ?? []).length === 0 && plugins.every((plugin) => plugin === this);
    const { interceptors: own, ...source } = workflowSource(options.dataConverter ?? this.#converter, alone);
    const modules = [...(interceptors.workflowModules ?? []), ...(own?.workflowModules ?? [])];
    return { ...options, ...source, interceptors: { ...interceptors, workflowModules: modules } };
  }
}

function chooseConverter(own: DataConverter, given: DataConverter | undefined): DataConverter {
  // The SDK takes plugins of the worker and of its connection, and so may call this twice, the second time with the first
  // result.
  if (!given || given === own || given === resultStorageOf(own)?.converter) return given ?? own;
  throw new TypeError(
    'A dataConverter was given beside ReflectionPlugin, which has another, from its options or from REFLECT_STORAGE and ' +
      'REFLECT_CODEC_KEYS. Payloads are written one way: make them one, and give it to ReflectionPlugin as `dataConverter`.',
  );
}

/** Activities are known by name: with two of one name, runs would be given the wrong one. */
function refuseClashes<Ours extends object>(ours: Ours, theirs: object): Ours {
  const taken = Object.keys(ours).filter((name) => Object.hasOwn(theirs, name));
  if (taken.length === 0) return ours;
  throw new TypeError(
    `This worker has activities of its own that are named as those of ReflectionPlugin: ${taken.join(', ')}. ` +
      'Give them other names, or serve reflection loops from a worker of their own.',
  );
}
