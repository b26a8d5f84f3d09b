/** What the harness tells its worker. */
export interface WorkerOrder {
  address: string;
  taskQueue: string;
  modelUrl: string;
}

/** The queue of workflows that reflect inside. */
export const ownQueue = (taskQueue: string): string => `${taskQueue}-own`;
