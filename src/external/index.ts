export { postJson } from './post-json';
export type { ExternalRequest } from './post-json';
export { runCommand } from './run-command';
export { ExternalCallFailed, ExternalUnavailable } from './types';
export type { ExternalCalls, ExternalCommand, Resolver } from './types';
export { urlProblem } from './url-problems';
