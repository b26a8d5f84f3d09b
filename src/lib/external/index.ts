export { hostEntryProblem } from '../base/allowed-hosts';
export { post, postJson } from './post-json';
export { readBeginning } from './read-answer';
export { secretsIn, secretsProblem, signedHeaders } from './signature';
export type { ExternalRequest } from './post-json';
export { runCommand } from './run-command';
export { CALLS_ARE_OFF, ExternalCallFailed, ExternalUnavailable } from './types';
export type { ExternalCalls, ExternalCommand } from './types';
export { urlProblem } from './url-problems';
