/**
 * Counts what workflow code runs. It runs in Temporal's sandbox, out of a bundle that jest never sees, so every worker that
 * a test starts gets a bundle with counters, made exactly as jest makes them, and an interceptor that hands them out.
 * jest.config.cjs uses this file with `--coverage` only.
 */
import { type BundleOptions, Worker, type WorkerOptions } from '@temporalio/worker';

type WebpackHook = NonNullable<BundleOptions['webpackConfigHook']>;

interface Counters {
  hash: string;
  s: Record<string, number>;
  f: Record<string, number>;
  b: Record<string, number[]>;
}
export type CoverageOfFiles = Record<string, Counters>;

declare global {
  var __coverage__: CoverageOfFiles | undefined;
}

function add(data: CoverageOfFiles): void {
  globalThis.__coverage__ ??= {};
  for (const [file, counted] of Object.entries(data)) {
    const known = globalThis.__coverage__[file];
    // A file that was instrumented in another way has other counters; theirs cannot be added up.
    if (known?.hash !== counted.hash) {
      globalThis.__coverage__[file] ??= counted;
      continue;
    }
    for (const [id, count] of Object.entries(counted.s)) known.s[id]! += count;
    for (const [id, count] of Object.entries(counted.f)) known.f[id]! += count;
    for (const [id, counts] of Object.entries(counted.b))
      known.b[id] = known.b[id]!.map((each, index) => each + counts[index]!);
  }
}

function withCounters(options: WorkerOptions): WorkerOptions {
  if (!options.workflowsPath) return options;
  const rule = {
    test: /\/src\/(?:domain|workflows)\/.*\.ts$/,
    enforce: 'pre' as const,
    loader: require.resolve('./loader.cjs'),
  };
  const withRule: WebpackHook = (config) => ({
    ...config,
    module: { ...config.module, rules: [rule, ...(config.module?.rules ?? [])] },
  });
  return {
    ...options,
    sinks: {
      ...options.sinks,
      coverage: { add: { fn: (_info, data: CoverageOfFiles) => add(data), callDuringReplay: true } },
    },
    interceptors: {
      ...options.interceptors,
      workflowModules: [...(options.interceptors?.workflowModules ?? []), require.resolve('./interceptor')],
    },
    bundlerOptions: {
      ...options.bundlerOptions,
      // Every test file's counters are the same.
      webpackConfigHook: Object.assign(withRule, { sharedAs: 'counters' }),
    },
  };
}

/** The class is the same one for all test files of a process, which must not count twice. */
const COUNTED = Symbol.for('workflow coverage');
if (!Object.hasOwn(Worker, COUNTED)) {
  const create = Worker.create.bind(Worker);
  Object.assign(Worker, { create: (options: WorkerOptions) => create(withCounters(options)), [COUNTED]: true });
}
