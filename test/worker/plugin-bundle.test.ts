import { bundleBoth } from '../../src/worker/plugin';
import { workflowSource } from '../../src/worker/workflow-source';

const OURS = require.resolve('../../src/workflows/interceptors');
const payloadConverterPath = '/theirs/converter.js';

test('what reads payloads written by hand is in each bundle, once, beside the interceptors of its owner', () => {
  const modules = (...given: Parameters<typeof bundleBoth>) => bundleBoth(...given).workflowInterceptorModules;
  const workflowsPath = '/theirs/workflows.js';
  expect(modules({ workflowsPath })).toEqual([OURS]);
  expect(modules({ workflowsPath, workflowInterceptorModules: ['a', OURS] })).toEqual(['a', OURS]);
  expect(workflowSource()).toMatchObject({ interceptors: { workflowModules: [OURS] } });
});

test('it is there, too, where payloads are written in a way of its owner: it makes texts well-formed', () => {
  const workflowsPath = '/theirs/workflows.js';
  // The SDK names options that it was not given, too.
  const unnamed = { workflowsPath, payloadConverterPath: undefined } as never;
  expect(bundleBoth(unnamed, { payloadConverterPath }).workflowInterceptorModules).toEqual([OURS]);
  expect(bundleBoth({ workflowsPath, payloadConverterPath }).workflowInterceptorModules).toEqual([OURS]);
});
