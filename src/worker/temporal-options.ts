import type { WorkerInterceptors, WorkerOptions } from '@temporalio/worker';

/** Options of the SDK that may be given for each of our workers: those that change no run. */
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
  /** Of activities and of the worker's client. Those of workflows are part of a bundle: use `ReflectionPlugin` for them. */
  interceptors?: Pick<WorkerInterceptors, 'activity' | 'client'>;
};

/** The SDK's options of the two workers of a process. */
export interface TemporalOptions {
  /** Of the worker of `<queue>`: runs, steps and checks. */
  loops?: TemporalWorkerOptions;
  /** Of the worker of `<queue>-models`; identity and interceptors default to those of `loops`. */
  models?: TemporalWorkerOptions;
}

/** What the worker of model calls is made with. */
export function ofModels({ loops = {}, models = {} }: TemporalOptions = {}): TemporalWorkerOptions {
  const { identity, interceptors } = loops;
  return { ...(identity === undefined ? {} : { identity }), ...(interceptors ? { interceptors } : {}), ...models };
}

/** Slots are said by a tuner or by numbers: the SDK takes no two of them. */
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
