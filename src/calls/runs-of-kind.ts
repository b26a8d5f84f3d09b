import { AlreadyEndedError, AlreadyRunningError, NoAnswerError, ServerRequestError } from '../loop/errors/call-errors';
import { DifferentSpecError, WrongKindError } from '../loop/errors/errors';
import { ANSWER_MS, type CallOptions, type OnceOptions, type StartOptions } from './call-options';
import { isNotFound } from './chain';
import { withTypedErrors } from './errors/with-typed-errors';
import { readKnownSpec, SPEC_FIELD, specDigests } from './known-spec';
import { ask, resultOf } from './questions';
import { endOf, type FoundRun } from './run-end';
import { methodOf, type Place, type RunKind, runOnce, type Started, startRun, withResult } from './run-kind';
import { latestRunOf, partsOf, type RunTarget } from './run-target';

/** Attempts to start a run once while the server deletes the runs that it finds. */
const DELETED_MEANWHILE = 3;

/** The runs of one kind: `plans`, `pipelines`, `agents`, `evaluations` and `corrections` of a client have the same methods. */
export class RunsOfKind<Spec, Result, Now = undefined> {
  constructor(
    protected readonly place: Place,
    protected readonly kind: RunKind<Spec>,
  ) {}

  /**
   * Starts a run and returns at once, with a function that waits for its result.
   * @throws InvalidSpecError if the form of what was given is wrong
   */
  async start(spec: Spec, options: StartOptions = {}): Promise<Started<Result>> {
    return startRun(this.kind, this.place, spec, options);
  }

  /**
   * Starts a run with an id that is used once, and returns at once; where a run that `startOnce` started with an equal spec has
   * or had the id, returns that one, also if it has ended.
   * @throws InvalidSpecError, DifferentSpecError if the run has another spec, or if something else started it
   */
  async startOnce(workflowId: string, spec: Spec, options: OnceOptions = {}): Promise<Started<Result>> {
    const { kind, place } = this;
    const digests = specDigests(kind.type, [spec, kind.parse(spec)]);
    const how = {
      ...options,
      workflowId,
      memo: { ...options.memo, [SPEC_FIELD]: digests },
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      workflowIdConflictPolicy: 'FAIL',
    } as const;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await startRun(kind, place, spec, how, 'startOnce');
      } catch (error) {
        const isThere = error instanceof AlreadyRunningError || error instanceof AlreadyEndedError;
        if (!isThere && !isNotFound(error)) throw error;
        const known = await readKnownSpec(place.temporal, workflowId, options);
        if (known && !known.digests?.some((each) => digests.includes(each))) {
          throw new DifferentSpecError(workflowId, known.digests !== undefined);
        }
        if (known) {
          // The first run of a long chain may be gone.
          const latest = { workflowId, runId: known.latest };
          const wait = (waiting: CallOptions) => resultOf<Result>(place, 'result', latest, waiting);
          return withResult(kind, spec, { workflowId, runId: known.first }, wait);
        }
        // The server deleted it meanwhile.
        if (attempt === DELETED_MEANWHILE) throw error;
      }
    }
  }

  /** Starts a run and waits for its result. Throws InvalidSpecError, and RunFailedError with the type of the failure. */
  async run(spec: Spec, options: StartOptions = {}): Promise<Result> {
    const { result } = await this.start(spec, options);
    return result(options);
  }

  /**
   * Starts a run unless a run has or had the id, and waits for the result of the first one, whatever its spec. Throws as `run`
   * does.
   */
  async runOnce(workflowId: string, spec: Spec, options: OnceOptions = {}): Promise<Result> {
    return runOnce(this.kind, this.place, [workflowId, spec], options);
  }

  /** Waits for the result of a run. Throws InvalidSpecError, RunFailedError with the type of the failure, RunNotFoundError. */
  async result(run: RunTarget, options: CallOptions = {}): Promise<Result> {
    return resultOf(this.place, methodOf(this.kind, 'result'), run, options);
  }

  /**
   * Finds a run: its result or its failure once it has ended, which needs no worker; else its progress, if runs of the kind
   * have one. Throws RunNotFoundError, and WrongKindError for a run of another workflow type.
   */
  async get(run: RunTarget, options: CallOptions = {}): Promise<FoundRun<Result, Now>> {
    const { place } = this;
    const { type, tellsProgress = true } = this.kind;
    const { workflowId } = partsOf(run);
    const look = () =>
      withTypedErrors(place.temporal, { method: 'get', kind: 'list', workflowId }, options, () =>
        latestRunOf(place.temporal, run),
      );
    let found = await look();
    if (found.type !== type) throw new WrongKindError(workflowId, found.type, type);
    if (found.isRunning) {
      const { runId } = found;
      const question = { method: 'get', query: 'progress', run, runId };
      try {
        const progress = tellsProgress ? await ask<Now>(place, question, options) : (undefined as Now);
        return { workflowId, runId, status: 'running', progress };
      } catch (error) {
        const isClosing = error instanceof ServerRequestError && error.code === 'FAILED_PRECONDITION';
        if (!(error instanceof NoAnswerError || isClosing)) throw error;
        // It may have ended since.
        found = await look();
        if (found.isRunning) throw error;
      }
    }
    const ended = { workflowId, runId: found.runId };
    const { timeout = ANSWER_MS } = options;
    const { result, failure } = await endOf(() => resultOf<Result>(place, 'get', ended, { ...options, timeout }));
    return failure
      ? { ...ended, status: 'failed', error: failure }
      : { ...ended, status: 'completed', result: result! };
  }
}

/** The runs of a kind that answer the query `progress`. */
export class RunsWithProgress<Spec, Result, Now> extends RunsOfKind<Spec, Result, Now> {
  /** Reads the progress of a run. Needs a worker. Throws RunNotFoundError. */
  async progress(run: RunTarget, options: CallOptions = {}): Promise<Now> {
    return ask(this.place, { method: methodOf(this.kind, 'progress'), query: 'progress', run }, options);
  }
}
