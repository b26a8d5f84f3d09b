export { defaultCacheDirectory } from './cli-cache';
export { connectOrStart, defaultDatabaseFile } from './connect-or-start';
export { type DevServer, startDevServer } from './dev-server';
export { DatabaseInUse, PortInUse } from './errors';
export { findTemporalCli } from './find-cli';
export { registerSearchAttributes } from './register-search-attributes';
