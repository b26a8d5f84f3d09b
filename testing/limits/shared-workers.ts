import { randomUUID } from 'node:crypto';
import type { WorkerProcess } from './fleet';
import type { LimitsWorld } from './world';

/** The worker that cases share, and those that a case has for itself. */
export class Fleet {
  private constructor(
    private readonly world: LimitsWorld,
    readonly taskQueue: string,
    readonly worker: WorkerProcess,
  ) {}

  static async start(world: LimitsWorld): Promise<Fleet> {
    const taskQueue = `limits-${randomUUID()}`;
    return new Fleet(world, taskQueue, await world.startWorker(taskQueue));
  }

  /** The name of a queue that nobody serves yet. */
  ownQueue(): string {
    return `limits-${randomUUID()}`;
  }

  /** A worker for such a queue. Whoever asked for it stops it. */
  own(taskQueue: string): Promise<WorkerProcess> {
    return this.world.startWorker(taskQueue);
  }
}
