import type { BundlerModule } from './share-bundles';

jest.mock('@temporalio/worker/lib/workflow/bundler', () => {
  const { sharingBundles } = jest.requireActual<typeof import('./share-bundles')>('./share-bundles');
  return sharingBundles(jest.requireActual<BundlerModule>('@temporalio/worker/lib/workflow/bundler'));
});
