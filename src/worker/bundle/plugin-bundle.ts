import type { DataConverter } from '@temporalio/common';
import type { BundleOptions } from '@temporalio/worker';
import { INTERCEPTORS } from '../workflow-source';

const OURS = require.resolve('../../workflows');
const BOTH = require.resolve('../../workflows/plugin-bundle-entry');

/** The name under which `workflows/plugin-bundle-entry` asks for the other workflows. */
const YOURS = '__durable_reflection_your_workflows';

/**
 * The module that an owner's workflows import. They get the code of the package that their worker has, even if another copy
 * is nearer to them.
 */
const IMPORTED = 'durable-reflection/workflow';
const WORKFLOW = require.resolve('../../workflow');

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
