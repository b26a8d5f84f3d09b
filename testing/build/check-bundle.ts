import { modulesIn } from '../../src/worker/bundle/own-bundle';

/** What may be in the workflow bundle: our deterministic rooms, the SDK's sandboxed part, and what that brings along. */
const OWN_ROOMS =
  /^\.\/(?:src|dist)\/(?:workflows|loop(?!\/(?:contract|parse)\/)|kinds(?!\/list\/|\/[\w-]+\/(?:cli|client|contract|file|parse)\b)|lib\/(?:base|json|limits|names|text))\//;
/** What a bundle for encrypted payloads has beside them. */
const FAILURE_CONVERTER = /^\.\/(?:src|dist)\/lib\/codec\/failure-converter\.[jt]s$/;
const PACKAGES = ['@temporalio/common', '@temporalio/workflow', 'long', 'ms', 'nexus-rpc'];

/** The modules of a bundle that `bundleWorkflowCode` made, as webpack names them: `./src/workflows/index.ts`. */
export function modulesOf(code: string): string[] {
  const names = modulesIn(code);
  if (names.length === 0) throw new Error('No modules were found in the bundle: did the bundler change its format?');
  return names;
}

/** The modules that have no business in workflow code. */
export function strangersAmong(modules: readonly string[]): string[] {
  return modules.filter((module) => {
    // An import that the bundler was told to leave empty, such as a custom payload converter that nobody configured.
    if (module.startsWith('?')) return false;
    const inPackage = /.*(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(module);
    if (inPackage) return !PACKAGES.includes(inPackage[1]!);
    if (FAILURE_CONVERTER.test(module)) return false;
    return !OWN_ROOMS.test(module);
  });
}
