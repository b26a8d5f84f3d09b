import type { CustomModel, ModelConfig, ReflectionWorkerOptions, RuntimeSettings } from '../../worker';
import type { Script } from './scripted-model/script';

/**
 * The options of a test's environment. The other options are those of `createWorker`, with defaults for tests: no `memory`, no
 * encryption or storage (`dataConverter`), and a worker that ends at once.
 */
export interface ReflectionTestEnvironmentOptions extends Omit<
  ReflectionWorkerOptions,
  'models' | 'connection' | 'address' | 'namespace' | 'taskQueue' | 'serve' | 'deployment'
> {
  /** The model's replies until `run` or `play` gives another script. Default: none, so that every call fails. */
  script?: Script;
  /**
   * The models that specs may name: names, or the list that your worker has in production. All of their calls get the
   * answers of the script, whatever their `baseUrl`, and whatever their own code (`call`) would do. The first is the default model. Default: one, named `scripted`.
   */
  models?: readonly (string | ModelConfig | CustomModel)[];
  /** An address of a server that runs already. Default: `TEMPORAL_ADDRESS`, or a server of the test's own. */
  address?: string;
  /** A Temporal CLI to start the server with. Default: found or downloaded, as `npx reflect server` does. */
  cli?: string;
  /** Serves the Web UI of the server, at `uiUrl`, on a free port. Default false. */
  ui?: boolean;
  /** False: starts no worker, because your test starts its own on `address` and `taskQueue`. Default true. */
  worker?: boolean;
  /** The log level of Temporal's runtime of this process. Default `error`, or `REFLECT_LOG`. */
  logLevel?: RuntimeSettings['level'];
  /** Receives messages about what takes long, such as a download. Default: written to stderr. */
  onProgress?: (message: string) => void;
}
