import { readFileSync } from 'node:fs';
import type { WorkerOptions } from '@temporalio/worker';
import { isOurBundle } from '../workflow-source';

type Bundle = WorkerOptions['workflowBundle'];

/** Texts that a bundle with our modules contains, also a minified one: exports of these modules. */
const MARKS = {
  workflows: '__durable_reflection_workflows',
  interceptors: '__durable_reflection_interceptors',
};

/** A worker was given a bundle of workflows that was made in advance and lacks what the worker needs. */
export class WorkflowBundleError extends TypeError {
  readonly type = 'WorkflowBundle';

  constructor(
    /** The parts that the bundle lacks: our workflows, our workflow interceptors, or modules of workflow interceptors. */
    readonly missing: readonly string[],
  ) {
    super(
      `The workflowBundle of this worker lacks ${missing.join(', ')}. Nothing can be added to a bundle after it is made: ` +
        'make it with bundleWorkflowCode({ workflowsPath, workflowInterceptorModules, plugins }), with the plugins of the ' +
        'worker, or give the worker workflowsPath instead.',
    );
    this.name = 'WorkflowBundleError';
  }
}

/** Lists the modules of a bundle that is not minified, as webpack names them: `./src/workflows/index.ts`. */
export function modulesIn(code: string): string[] {
  return [...code.matchAll(/^\/\*\*\*\/ "([^"\n]+)"/gm)].map((match) => match[1]!);
}

const PACKAGES = /^.*node_modules\//;

function shortName(file: string): string {
  const [name = '', folder = ''] = file.split('/').toReversed();
  const plain = name.replace(/\.[cm]?[jt]s$/, '');
  return plain === 'index' ? `${folder}/${plain}` : plain;
}

function isAmong(modules: readonly string[], named: string): boolean {
  const given = named.replaceAll('\\', '/');
  const isFile = /^(?:\.|\/|\w:\/)/.test(given);
  if (isFile && !PACKAGES.test(given)) {
    // Packages have files of every usual name.
    return modules.some((module) => !PACKAGES.test(module) && shortName(module) === shortName(given));
  }
  const inPackage = given.replace(PACKAGES, '');
  return modules.some((module) => PACKAGES.test(module) && `${module.replace(PACKAGES, '')}/`.startsWith(inPackage));
}

/** Lists what a bundle lacks, in words; in a minified bundle only our own modules can be identified. */
export function listMissingParts(
  code: string,
  needed: { ours: boolean; interceptors: boolean; modules: readonly string[] },
): string[] {
  const modules = modulesIn(code);
  return [
    ...(needed.ours && !code.includes(MARKS.workflows) ? ['the workflows of durable-reflection'] : []),
    ...(needed.interceptors && !code.includes(MARKS.interceptors) ? ['its workflow interceptors'] : []),
    ...(modules.length === 0 ? [] : needed.modules.filter((given) => !isAmong(modules, given))),
  ];
}

/** Returns the code of an owner's bundle; undefined if the SDK will say what is wrong with it. */
function codeOf(bundle: NonNullable<Bundle>): string | undefined {
  if ('code' in bundle) return bundle.code;
  try {
    return readFileSync(bundle.codePath, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * Looks into a bundle that a worker's owner made: the SDK only logs that what a worker is given beside a bundle is ignored.
 * @param needed whether it must have our workflows and their interceptors, and the modules of workflow interceptors that the
 *   worker was given
 * @throws WorkflowBundleError
 */
export function assertWholeBundle(bundle: Bundle, needed: Parameters<typeof listMissingParts>[1]): void {
  if (bundle === undefined || isOurBundle(bundle)) return;
  const code = codeOf(bundle);
  const missing = code === undefined ? [] : listMissingParts(code, needed);
  if (missing.length > 0) throw new WorkflowBundleError(missing);
}
