import { randomUUID } from 'node:crypto';
import { type Client, type InternalConnectionLike, InternalConnectionLikeSymbol } from '@temporalio/client';
import type { CallOptions, RunReference, StartOptions } from '../call-options';
import { ask, type Asked, resultOf } from '../questions';
import { type ListedAttributes, startListed } from '../started-attributes';
import { withTypedErrors } from '../with-typed-errors';

/** Where runs are started. */
export interface Place extends Asked {
  taskQueue: string;
}

/** A run that was started, with a function that waits for its result. */
export interface Started<Result> extends RunReference {
  /**
   * Waits for the result. Throws InvalidSpecError or RunFailedError if the run failed, and NoAnswerError,
   * CallAbortedError, ServerRequestError.
   */
  result(options?: CallOptions): Promise<Result>;
}

/** What tells a kind of run from the others. */
export interface RunKindDescription<Spec> {
  /** Workflow type. */
  type: string;
  /** Begins the id of a run that is not given one. */
  prefix: string;
  /** What the run list shows of it at first. Default: runs of the kind are not listed. */
  listedAs?: 'loop' | 'other';
  /** Methods of the client, as errors name them. */
  methods: { start: string; result: string; progress?: string };
  /** The workflow's argument. Throws InvalidSpecError with every mistake of its form. */
  parse(given: Spec): Spec;
  /** What the Web UI shows of a run from its start, in a line. */
  summary(spec: Spec): string;
}

/**
 * Asks the server for the first workflow task along with the start, where the client shares its connection with a worker of the
 * same process: that saves the worker a poll. A server that does not know this, or has no such worker, starts as always.
 */
function eagerStart({ connection }: Client): { requestEagerStart?: true } {
  const { supportsEagerStart } = (connection as InternalConnectionLike)[InternalConnectionLikeSymbol] ?? {};
  return supportsEagerStart ? { requestEagerStart: true } : {};
}

/** A kind of run: how one is started, waited for, and asked where it stands. */
export class RunKind<Spec, Result, Progress = never> {
  constructor(readonly description: RunKindDescription<Spec>) {}

  /** Starts a run and returns at once. Throws InvalidSpecError when the form of what was given is wrong. */
  async start(
    { temporal, taskQueue }: Place,
    given: Spec,
    { workflowId = `${this.description.prefix}-${randomUUID()}`, ...options }: StartOptions,
  ): Promise<Started<Result>> {
    const { type, listedAs, methods, parse, summary } = this.description;
    const argument = parse(given);
    const staticSummary = summary(argument);
    const start = (attributes: ListedAttributes) =>
      temporal.workflow.start(type, {
        ...eagerStart(temporal),
        ...attributes,
        taskQueue,
        workflowId,
        args: [argument],
        staticSummary,
      });
    const handle = await withTypedErrors(temporal, { method: methods.start, kind: 'start', workflowId }, options, () =>
      listedAs ? startListed(temporal, listedAs, start) : start({}),
    );
    return {
      workflowId,
      runId: handle.firstExecutionRunId,
      result: (waiting = {}) =>
        withTypedErrors(temporal, { method: 'result', kind: 'result', workflowId }, waiting, () => handle.result()),
    };
  }

  /** Starts a run and says where it is. */
  async startReference(place: Place, given: Spec, options: StartOptions): Promise<RunReference> {
    const { workflowId, runId } = await this.start(place, given, options);
    return { workflowId, runId };
  }

  /** Starts a run and waits for its result. */
  async run(place: Place, given: Spec, options: StartOptions): Promise<Result> {
    const { result } = await this.start(place, given, options);
    return result(options);
  }

  /** Waits for what a run hands back; a chain of runs is followed to its end. */
  async result(place: Asked, workflowId: string, options: CallOptions): Promise<Result> {
    return resultOf(place, this.description.methods.result, workflowId, options);
  }

  /** Asks a run's worker where it stands. @param question the argument of the query */
  async progress(place: Asked, workflowId: string, options: CallOptions, ...question: unknown[]): Promise<Progress> {
    const { progress: method = 'progress' } = this.description.methods;
    return ask(place, { method, query: 'progress', workflowId }, options, ...question);
  }
}
