import type { WorkerOptions } from '@temporalio/worker';

/**
 * The time that one activation of a workflow may take. The SDK ends it after 5 s of wall-clock time, and on Node 20 and 22
 * the process with it ("async hook stack has become corrupted"): on a machine that is short of processor time, or that
 * stalled meanwhile, this ended workers whose workflow code took a fraction of that. Code of ours that would never end is
 * ended by its own guard, see `workflows/shared/progress-guard`. The SDK takes the option, but does not declare it.
 */
export const ACTIVATION_TIME = { isolateExecutionTimeout: '60s' } as Partial<WorkerOptions>;
