/**
 * Counts what workflow code runs. It runs in Temporal's sandbox, out of a bundle that jest never sees, so every worker that
 * a test starts gets a bundle with counters, made exactly as jest makes them, and an interceptor that hands them out.
 * jest.config.cjs uses this file with `--coverage` only.
 */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type BundleOptions, Worker, type WorkerOptions } from '@temporalio/worker';
import { RUN_FOLDER_VARIABLE } from '../../../testing/support/run-folder';

type WebpackHook = NonNullable<BundleOptions['webpackConfigHook']>;

interface Counters {
  hash: string;
  s: Record<number, number>;
  f: Record<number, number>;
  b: Record<number, number[]>;
}
/** As istanbul counts: statements, functions, and the arms of branches, by the path of the file. */
export type CountersOfFiles = Record<string, Counters>;

/** What ran: the numbers of statements and functions, and of branches with their arms. */
export type RanOfFiles = Record<string, { hash: string; s: number[]; f: number[]; b: [number, number][] }>;

declare global {
  var __coverage__: CountersOfFiles | undefined;
}

const PROJECT = join(__dirname, '..', '..', '..');

function add(folder: string, ran: RanOfFiles): void {
  const files = (globalThis.__coverage__ ??= {});
  for (const [file, { hash, s, f, b }] of Object.entries(ran)) {
    // The loader left them there.
    files[file] ??= JSON.parse(readFileSync(join(folder, `${relative(PROJECT, file)}.json`), 'utf8')) as Counters;
    const known = files[file];
    // A file that was instrumented in another way has other counters; theirs cannot be added up.
    if (known.hash !== hash) continue;
    for (const id of s) known.s[id]! += 1;
    for (const id of f) known.f[id]! += 1;
    for (const [id, arm] of b) known.b[id]![arm]! += 1;
  }
}

function withCounters(options: WorkerOptions): WorkerOptions {
  const runFolder = process.env[RUN_FOLDER_VARIABLE];
  if (!options.workflowsPath || runFolder === undefined) return options;
  const folder = join(runFolder, 'counted');
  const rule = {
    test: /\/src\/(?:workflows|loop|kinds|lib\/(?:base|json|limits|names|text))\/.*\.ts$/,
    enforce: 'pre' as const,
    loader: require.resolve('./loader.cjs'),
    options: { folder },
  };
  const withRule: WebpackHook = (config) => ({
    ...config,
    module: { ...config.module, rules: [rule, ...(config.module?.rules ?? [])] },
  });
  return {
    ...options,
    sinks: {
      ...options.sinks,
      coverage: { add: { fn: (_info, ran: RanOfFiles) => add(folder, ran), callDuringReplay: true } },
    },
    interceptors: {
      ...options.interceptors,
      workflowModules: [...(options.interceptors?.workflowModules ?? []), require.resolve('./interceptor')],
    },
    bundlerOptions: {
      ...options.bundlerOptions,
      webpackConfigHook: withRule,
    },
  };
}

/** The class is the same one for all test files of a process, which must not count twice. */
const COUNTED = Symbol.for('workflow coverage');
if (!Object.hasOwn(Worker, COUNTED)) {
  const create = Worker.create.bind(Worker);
  Object.assign(Worker, { create: (options: WorkerOptions) => create(withCounters(options)), [COUNTED]: true });
}
