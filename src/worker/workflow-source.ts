import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DataConverter } from '@temporalio/common';
import type { WorkerOptions } from '@temporalio/worker';
import { failureConverterPath } from '../codec/index';

/** Workflow code in one file, as `npm run build` makes it: a worker that has it starts without bundling. */
const BUNDLE = join(__dirname, '..', 'workflow-bundle.js');

/** The same, with the failure converter that encryption needs inside: a bundle cannot be given one later. */
const ENCODED_BUNDLE = join(__dirname, '..', 'workflow-bundle-encoded.js');

/** Our workflows alone: the bundle that was built for a converter, else their source. */
export function workflowSource(
  converter: DataConverter = {},
): Pick<WorkerOptions, 'workflowBundle' | 'workflowsPath' | 'interceptors'> {
  const bundle = bundleFor(converter);
  if (bundle !== undefined && existsSync(bundle)) return { workflowBundle: { codePath: bundle } };
  return {
    workflowsPath: require.resolve('../workflows/index'),
    interceptors: { workflowModules: interceptorModules(converter) },
  };
}

/** What goes into a bundle beside workflows, as long as payloads are written in the way that it knows. */
export function interceptorModules({ payloadConverterPath }: DataConverter): string[] {
  return payloadConverterPath === undefined ? [require.resolve('../workflows/interceptors')] : [];
}

/** The bundle that was built for a converter; none for converters of the caller's own, which are bundled at the start. */
function bundleFor(converter: DataConverter): string | undefined {
  if (converter.payloadConverterPath !== undefined) return undefined;
  if (converter.failureConverterPath === undefined) return BUNDLE;
  return converter.failureConverterPath === failureConverterPath ? ENCODED_BUNDLE : undefined;
}
