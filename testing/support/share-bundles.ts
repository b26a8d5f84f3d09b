import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowBundle } from '@temporalio/worker';
import { useLineMap } from '../build/line-map';
import { stopIfParsed } from './parsed-bundles';
import { RUN_FOLDER_VARIABLE } from './run-folder';

type Hook = (config: unknown) => unknown;

/** What the SDK's bundler of a worker has, once all plugins have had their say. */
interface Bundler {
  workflowsPath: string;
  workflowInterceptorModules: string[];
  payloadConverterPath?: string;
  failureConverterPath?: string;
  ignoreModules: string[];
  preloadModules: string[];
  webpackConfigHook: Hook;
  createBundle(): Promise<WorkflowBundle>;
}

/** The SDK's module, as a worker uses it. `bundleWorkflowCode` does not: it always bundles. */
export interface BundlerModule {
  WorkflowCodeBundler: new (...args: never[]) => Bundler;
}

/** Writes a value as JSON. Throws where two that differ may be written alike. */
function exactJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (inner instanceof RegExp) return String(inner);
    const plain = [Object.prototype, Array.prototype];
    if (
      typeof inner === 'function' ||
      (Object(inner) === inner && !plain.includes(Object.getPrototypeOf(inner) as object))
    )
      throw new TypeError('no plain value');
    return inner;
  });
}

/** What a hook does to a configuration; undefined where that cannot be told from what it makes of an empty one. */
function effectOf(hook: Hook): string | undefined {
  try {
    return `${String(hook)} ${exactJson(hook({}))}`;
  } catch {
    return undefined;
  }
}

/** Where the bundle is kept during this run of the tests; undefined where it may differ from those that others made. */
function keptAt(bundler: Bundler): string | undefined {
  const folder = process.env[RUN_FOLDER_VARIABLE];
  const { webpackConfigHook } = bundler;
  const hook = effectOf(webpackConfigHook);
  if (folder === undefined || hook === undefined) return undefined;
  const { workflowsPath, workflowInterceptorModules, payloadConverterPath, failureConverterPath } = bundler;
  const { ignoreModules, preloadModules } = bundler;
  const settings = [
    workflowsPath,
    workflowInterceptorModules,
    payloadConverterPath ?? null,
    failureConverterPath ?? null,
    ignoreModules,
    preloadModules,
    hook,
  ];
  return join(folder, `bundle-${createHash('sha256').update(JSON.stringify(settings)).digest('hex')}.json`);
}

/** Gives a lock free that a process left which is gone: tests kill processes. */
function freeIfLeft(lock: string): void {
  try {
    const pid = Number(readFileSync(lock, 'utf8'));
    // Nothing is in it before its process wrote there.
    if (pid > 0) process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') rmSync(lock, { force: true });
  }
}

/** Returns whether this process is the one to make a file, because no other one is at it. */
function begins(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    freeIfLeft(lock);
    return false;
  }
}

/** What is in a file: made by the first who asks, while the others wait. */
async function madeOnce(file: string, make: () => Promise<WorkflowBundle>): Promise<WorkflowBundle> {
  const lock = `${file}.lock`;
  for (;;) {
    if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as WorkflowBundle;
    if (begins(lock)) break;
    await sleep(50);
  }
  try {
    const bundle = await make();
    // Others may look at the same moment: the file is whole, or it is not there.
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, JSON.stringify(bundle));
    renameSync(unfinished, file);
    return bundle;
  } finally {
    rmSync(lock, { force: true });
  }
}

/**
 * Lets workers take the bundle that another worker of the same run of the tests made from the same files, with the same
 * settings: bundling costs seconds of processor time, and nearly every test file has a worker. The folder is new for each
 * run, so no bundle is older than the code.
 */
export function sharingBundles<Module extends BundlerModule>(actual: Module): Module {
  class SharedBundler extends (actual.WorkflowCodeBundler as new (...args: never[]) => Bundler) {
    override async createBundle(): Promise<WorkflowBundle> {
      const file = keptAt(this);
      if (file === undefined) return super.createBundle();
      stopIfParsed(file);
      const hook = this.webpackConfigHook;
      this.webpackConfigHook = (config) => useLineMap(hook(config) as object);
      return madeOnce(file, () => super.createBundle());
    }
  }
  return { ...actual, WorkflowCodeBundler: SharedBundler };
}
