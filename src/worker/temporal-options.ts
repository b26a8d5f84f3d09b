import type { WorkerInterceptors, WorkerOptions } from '@temporalio/worker';

/** Options of the SDK that can be set for each of our workers: those that do not change the behaviour of runs. */
export type TemporalWorkerOptions = Partial<
  Pick<
    WorkerOptions,
    | 'activityTaskPollerBehavior'
    | 'identity'
    | 'maxActivitiesPerSecond'
    | 'maxCachedWorkflows'
    | 'maxConcurrentActivityTaskExecutions'
    | 'maxConcurrentActivityTaskPolls'
    | 'maxConcurrentLocalActivityExecutions'
    | 'maxConcurrentWorkflowTaskExecutions'
    | 'maxConcurrentWorkflowTaskPolls'
    | 'maxEagerActivityReservationsPerWorkflowTask'
    | 'nonStickyToStickyPollRatio'
    | 'sinks'
    | 'stickyQueueScheduleToStartTimeout'
    | 'tuner'
    | 'workflowTaskPollerBehavior'
    | 'workflowThreadPoolSize'
  >
> & {
  /**
   * Interceptors of activities and of the worker's client. Interceptors of workflows are part of a bundle: use
   * `ReflectionPlugin` for them.
   */
  interceptors?: Pick<WorkerInterceptors, 'activity' | 'client'>;
};

/** The SDK's options for the two workers of a process. */
export interface TemporalOptions {
  /** For the worker of `<queue>`: runs, steps and checks. */
  loops?: TemporalWorkerOptions;
  /** For the worker of `<queue>-models`. Identity and interceptors default to those of `loops`. */
  models?: TemporalWorkerOptions;
}

export function ofModels({ loops = {}, models = {} }: TemporalOptions = {}): TemporalWorkerOptions {
  const { identity, interceptors } = loops;
  return { ...(identity === undefined ? {} : { identity }), ...(interceptors ? { interceptors } : {}), ...models };
}

/** Returns options with numbers of slots, unless there is a tuner: the SDK accepts one of them, but not both. */
export function withSlots(
  slots: Pick<WorkerOptions, 'maxConcurrentActivityTaskExecutions' | 'maxTaskQueueActivitiesPerSecond'>,
  given: TemporalWorkerOptions,
): Partial<WorkerOptions> {
  const { maxConcurrentActivityTaskExecutions: most, ...others } = slots;
  return {
    ...(given.tuner || most === undefined ? {} : { maxConcurrentActivityTaskExecutions: most }),
    ...others,
    ...given,
  };
}
