import type { CallOptions, OnceOptions, StartOptions } from './call-options';
import type { FoundRun } from './run-end';
import type { Place, RunKind, Started } from './run-kind';
import type { RunTarget } from './run-target';

/** The runs of one kind: `plans`, `pipelines`, `agents`, `evaluations` and `corrections` of a client have the same methods. */
export class RunsOfKind<Spec, Result, Now = undefined> {
  constructor(
    protected readonly place: Place,
    protected readonly kind: RunKind<Spec, Result, Now>,
  ) {}

  /**
   * Starts a run and returns at once, with a function that waits for its result.
   * @throws InvalidSpecError if the form of what was given is wrong
   */
  async start(spec: Spec, options: StartOptions = {}): Promise<Started<Result>> {
    return this.kind.start(this.place, spec, options);
  }

  /**
   * Starts a run with an id that is used once, and returns at once; where a run that `startOnce` started with an equal spec has
   * or had the id, returns that one, also if it has ended.
   * @throws InvalidSpecError, DifferentSpecError if the run has another spec, or if something else started it
   */
  async startOnce(workflowId: string, spec: Spec, options: OnceOptions = {}): Promise<Started<Result>> {
    return this.kind.startOnce(this.place, workflowId, spec, options);
  }

  /** Starts a run and waits for its result. Throws InvalidSpecError, and RunFailedError with the type of the failure. */
  async run(spec: Spec, options: StartOptions = {}): Promise<Result> {
    return this.kind.run(this.place, spec, options);
  }

  /**
   * Starts a run unless a run has or had the id, and waits for the result of the first one, whatever its spec. Throws as `run`
   * does.
   */
  async runOnce(workflowId: string, spec: Spec, options: OnceOptions = {}): Promise<Result> {
    return this.kind.runOnce(this.place, workflowId, spec, options);
  }

  /** Waits for the result of a run. Throws InvalidSpecError, RunFailedError with the type of the failure, RunNotFoundError. */
  async result(run: RunTarget, options: CallOptions = {}): Promise<Result> {
    return this.kind.result(this.place, run, options);
  }

  /**
   * Finds a run: its result or its failure once it has ended, which needs no worker; else its progress, if runs of the kind
   * have one. Throws RunNotFoundError, and WrongKindError for a run of another workflow type.
   */
  async get(run: RunTarget, options: CallOptions = {}): Promise<FoundRun<Result, Now>> {
    return this.kind.get(this.place, run, options);
  }
}

/** The runs of a kind that answer the query `progress`. */
export class RunsWithProgress<Spec, Result, Now> extends RunsOfKind<Spec, Result, Now> {
  /** Reads the progress of a run. Needs a worker. Throws RunNotFoundError. */
  async progress(run: RunTarget, options: CallOptions = {}): Promise<Now> {
    return this.kind.progress(this.place, run, options);
  }
}
