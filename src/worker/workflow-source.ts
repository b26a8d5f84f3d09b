import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DataConverter } from '@temporalio/common';
import { Runtime, type WorkerOptions } from '@temporalio/worker';
import { failureConverterPath } from '../lib/codec/encryption-codec';
import { sdkVersion } from './sdk/sdk-copies';

/** Workflow code in one file, as `npm run build` makes it: a worker that has it starts without bundling. */
const BUNDLE = join(__dirname, '..', 'workflow-bundle.js');

/** The bundle with the failure converter that encryption needs inside: a bundle cannot be given one later. */
const ENCODED_BUNDLE = join(__dirname, '..', 'workflow-bundle-encoded.js');

/** The module that each bundle contains beside workflows. */
export const INTERCEPTORS = require.resolve('../workflows/interceptors');

/** The version of the SDK that built the bundles: its sandboxed part is in them, and must be that of the worker. */
const BUILT_WITH = join(__dirname, '..', 'workflow-bundle-sdk.json');

/** Whether a file says that bundles were built with this version of the SDK. */
export function isBuiltWith(sdk: string, file = BUILT_WITH): boolean {
  return existsSync(file) && (JSON.parse(readFileSync(file, 'utf8')) as { sdk: string }).sdk === sdk;
}

/**
 * Our workflows alone: the bundle that was built for a converter by the same version of the SDK, else their source, which
 * the worker bundles when it starts.
 * @param alone whether no other plugin adds to the bundle: workflow interceptors cannot be added to one that was built before
 */
export function workflowSource(
  converter: DataConverter = {},
  alone = true,
): Pick<WorkerOptions, 'workflowBundle' | 'workflowsPath' | 'interceptors'> {
  const bundle = alone ? bundleFor(converter) : undefined;
  if (bundle !== undefined && existsSync(bundle)) {
    const sdk = sdkVersion();
    if (isBuiltWith(sdk)) return { workflowBundle: { codePath: bundle } };
    Runtime.instance().logger.info('workflow code is bundled anew: the bundle of the package is for another SDK', {
      sdk,
    });
  }
  return {
    workflowsPath: require.resolve('../workflows'),
    interceptors: { workflowModules: [INTERCEPTORS] },
  };
}

export function isOurBundle(bundle: NonNullable<WorkerOptions['workflowBundle']>): boolean {
  return 'codePath' in bundle && [BUNDLE, ENCODED_BUNDLE].includes(bundle.codePath);
}

/** None for converters of the caller's own, with which the code is bundled at the start. */
function bundleFor(converter: DataConverter): string | undefined {
  if (converter.payloadConverterPath !== undefined) return undefined;
  if (converter.failureConverterPath === undefined) return BUNDLE;
  return converter.failureConverterPath === failureConverterPath ? ENCODED_BUNDLE : undefined;
}
