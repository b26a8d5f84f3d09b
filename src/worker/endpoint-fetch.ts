import { getGlobalDispatcher } from 'undici';
import { boundedFetchThrough } from '../lib/fetch/bounded-fetch';
import { modelProxy } from '../lib/models/clients';

/** Makes a `fetch` for requests to model endpoints, which go through the proxy of the environment where calls of models do. */
export function endpointFetch(env: NodeJS.ProcessEnv): typeof fetch {
  const proxy = modelProxy(env);
  return boundedFetchThrough(() => proxy ?? getGlobalDispatcher());
}
