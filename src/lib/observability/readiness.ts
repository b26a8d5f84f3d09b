import type { NativeConnection, Worker } from '@temporalio/worker';

/** Whether a worker takes tasks, and if not, why. */
export interface Readiness {
  ready: boolean;
  why?: string;
}

const DEADLINE_MS = 2_000;

/** Returns whether all workers poll, and the server answers. Not ready while starting, draining or cut off. */
export async function readinessOf(workers: readonly Worker[], connection: NativeConnection): Promise<Readiness> {
  const states = workers.map((worker) => worker.getState());
  if (states.some((state) => state !== 'RUNNING')) return { ready: false, why: states.join(', ').toLowerCase() };
  try {
    await connection.withDeadline(Date.now() + DEADLINE_MS, () => connection.workflowService.getSystemInfo({}));
    return { ready: true };
  } catch {
    return { ready: false, why: 'the Temporal server does not answer' };
  }
}
