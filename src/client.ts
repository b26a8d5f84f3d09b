import type { Client } from '@temporalio/client';
import type { z, ZodType } from 'zod';
import type { CallOptions, OnceOptions, RunReference, StartOptions } from './client/call-options';
import { versionsOf } from './client/chain';
import type { Started } from './client/kinds/run-kind';
import { RUN_KINDS } from './client/kinds/run-kinds';
import { listRuns, type RunListEntry } from './client/list-runs';
import { type ConnectOptions, openClient } from './client/open-connection';
import { agentReflections, finishAgents, triggerAgents } from './client/population-calls';
import type { RunTarget } from './client/run-target';
import { sendCommand } from './client/send-command';
import { type OutputOption, typedResult } from './client/typed-result';
import type {
  AgentEvent,
  AgentReflection,
  AgentReflectionReport,
  AgentReflectionSpec,
  TriggerAnswer,
} from './domain/agents/population';
import type { PopulationProgress } from './domain/agents/population-state';
import { DEFAULT_TASK_QUEUE } from './domain/base/names/task-queues';
import type { PlanProgress } from './domain/page/plan-page';
import type { Progress } from './domain/page/progress';
import type { PipelineResult, PipelineSpec } from './domain/pipeline/pipeline';
import type { PipelineProgress } from './domain/pipeline/pipeline-progress';
import type { PlanRunResult, PlanSpec } from './domain/plan/plan-spec';
import type { ReflectionSpec } from './domain/spec/spec';
import type { CommandPayloads } from './domain/state/command-payloads';
import type { ReflectionEvaluation } from './domain/state/evaluation';
import type { ReflectionVersion } from './domain/state/loop-state';
import type { CorrectionRequest, CorrectionResult, EvaluationRequest } from './domain/step-state/standalone';
import type { ReflectionResult } from './domain/versions/result';

export type { CallOptions, OnceOptions, RunReference, StartOptions, TemporalStartOptions } from './client/call-options';
export type { Started } from './client/kinds/run-kind';
export type { RunListEntry } from './client/list-runs';
export type { ConnectOptions } from './client/open-connection';
export type { RunTarget } from './client/run-target';

/**
 * Starts, follows and steers reflection loops, and starts evaluations, corrections, pipelines, plans and populations.
 *
 * Every method takes a `timeout` and a `signal`. No method waits for ever for a worker that is not running: by default,
 * commands, queries, starts and lists fail with NoAnswerError after 30 s. In addition to the errors that each method
 * lists, every method throws NoAnswerError, CallAbortedError and ServerRequestError, and methods that start a run throw
 * AlreadyRunningError.
 */
export class ReflectionClient {
  readonly #close: (() => Promise<void>) | undefined;

  /** Uses a Temporal client that the caller owns; `connect` creates one of its own. */
  constructor(
    readonly temporal: Client,
    readonly taskQueue: string = DEFAULT_TASK_QUEUE,
    close?: () => Promise<void>,
  ) {
    this.#close = close;
  }

  /**
   * Connects with the options, then with the environment; see `temporalSettings`. Waits 10 s, or `timeout`, for a server.
   * @throws NoAnswerError, CallAbortedError, ServerRequestError
   */
  static async connect(options: ConnectOptions = {}): Promise<ReflectionClient> {
    const { temporal, taskQueue, close } = await openClient(options);
    return new ReflectionClient(temporal, taskQueue, close);
  }

  /** Closes the connection that `connect` opened. */
  async close(): Promise<void> {
    await this.#close?.();
  }

  /**
   * Starts a loop and returns at once.
   * @throws InvalidSpecError if the form of the spec is wrong; what only a worker can know is checked by the run itself
   */
  async start(spec: ReflectionSpec, options: StartOptions = {}): Promise<RunReference> {
    return RUN_KINDS.loop.startReference(this, spec, options);
  }

  /**
   * Starts a loop and waits for its result. With a zod schema as `output`, the outputs of the result have its type.
   * @throws InvalidSpecError, ReflectionFailedError, RunFailedError, UnexpectedOutputError
   */
  async run<Schema extends ZodType>(
    spec: ReflectionSpec,
    options: StartOptions & OutputOption<Schema>,
  ): Promise<ReflectionResult<z.output<Schema>>>;
  async run(spec: ReflectionSpec, options?: StartOptions): Promise<ReflectionResult>;
  async run(spec: ReflectionSpec, options: StartOptions & Partial<OutputOption<ZodType>> = {}): Promise<unknown> {
    return this.result(await this.start(spec, options), options);
  }

  /**
   * Starts a loop unless a run has or had the id, and waits for the result of the first one: a request that is sent again
   * pays once, for as long as the server keeps the run. Throws as `run` does.
   */
  async runOnce(workflowId: string, spec: ReflectionSpec, options: OnceOptions = {}): Promise<ReflectionResult> {
    return RUN_KINDS.loop.runOnce(this, workflowId, spec, options);
  }

  /**
   * Waits for the result of a run; `output` as for `run`.
   * @throws ReflectionFailedError after `onFailure: raise`, RunFailedError if the run failed otherwise,
   *   RunNotFoundError, UnexpectedOutputError if the schema rejects the final output
   */
  async result<Schema extends ZodType>(
    run: RunTarget,
    options: CallOptions & OutputOption<Schema>,
  ): Promise<ReflectionResult<z.output<Schema>>>;
  async result(run: RunTarget, options?: CallOptions & Partial<OutputOption<ZodType>>): Promise<ReflectionResult>;
  async result(
    run: RunTarget,
    { output, ...options }: CallOptions & Partial<OutputOption<ZodType>> = {},
  ): Promise<unknown> {
    const result = await RUN_KINDS.loop.result(this, run, options);
    return output ? typedResult(result, output) : result;
  }

  /**
   * Ends the run with its best version, or with the current version if the payload names its iteration, and returns the
   * state after that. A payload without an `id` gets one, so that a command that has to be sent again takes effect once.
   * @throws CommandRefusedError with the run's reason, RunNotFoundError, CommandNotTakenError
   */
  async accept(run: RunTarget, payload: CommandPayloads['accept'] = {}, options: CallOptions = {}): Promise<Progress> {
    return sendCommand(this.temporal, run, 'accept', payload, options);
  }

  /** Ends the run as `aborted`, cancels the call in flight, and returns the state after that. Throws as `accept` does. */
  async abort(run: RunTarget, payload: CommandPayloads['abort'] = {}, options: CallOptions = {}): Promise<Progress> {
    return sendCommand(this.temporal, run, 'abort', payload, options);
  }

  /** Passes a reviewer's text to the next revision. A run that waits continues. Throws as `accept` does. */
  async guide(run: RunTarget, payload: CommandPayloads['guide'], options: CallOptions = {}): Promise<Progress> {
    return sendCommand(this.temporal, run, 'guide', payload, options);
  }

  /** Makes an output the next version and evaluates it; cancels the call in flight. Throws as `accept` does. */
  async override(run: RunTarget, payload: CommandPayloads['override'], options: CallOptions = {}): Promise<Progress> {
    return sendCommand(this.temporal, run, 'override', payload, options);
  }

  /** Raises limits. A run that waits at one of them continues. Throws as `accept` does. */
  async extend(run: RunTarget, payload: CommandPayloads['extend'], options: CallOptions = {}): Promise<Progress> {
    return sendCommand(this.temporal, run, 'extend', payload, options);
  }

  /** Overrides the loop's decision after the evaluation of its current iteration. Throws as `accept` does. */
  async decide(run: RunTarget, payload: CommandPayloads['decide'], options: CallOptions = {}): Promise<Progress> {
    return sendCommand(this.temporal, run, 'decide', payload, options);
  }

  /** Evaluates the current version again; cancels the call in flight. Throws as `accept` does. */
  async reflect(
    run: RunTarget,
    payload: CommandPayloads['reflect'] = {},
    options: CallOptions = {},
  ): Promise<Progress> {
    return sendCommand(this.temporal, run, 'reflect', payload, options);
  }

  /** The state of a run: its phase, iteration, best version and tokens. Throws RunNotFoundError. */
  async progress(run: RunTarget, options: CallOptions = {}): Promise<Progress> {
    return RUN_KINDS.loop.progress(this, run, options);
  }

  /**
   * All versions of a loop, from each run of its chain. Needs a worker. Where the server no longer keeps early runs, their
   * versions are as a later run has them: those with `omittedBytes` have lost their outputs.
   */
  async history(run: RunTarget, options: CallOptions = {}): Promise<ReflectionVersion[]> {
    return versionsOf(this, run, options);
  }

  /** The best version so far; undefined before the first version was judged. */
  async best(run: RunTarget, options: CallOptions = {}): Promise<ReflectionVersion | undefined> {
    const { best } = await this.progress(run, options);
    if (!best) return undefined;
    return (await this.history(run, options)).find((version) => version.iteration === best.iteration);
  }

  /**
   * Evaluates data once, without a loop, and waits for the evaluation. One that fails or is inconclusive is a result, not
   * an error. Throws InvalidSpecError, RunFailedError.
   */
  async evaluate(request: EvaluationRequest, options: StartOptions = {}): Promise<ReflectionEvaluation> {
    return RUN_KINDS.evaluation.run(this, request, options);
  }

  /** Starts `reflectionEvaluate` and returns at once. Throws InvalidSpecError if the form of the request is wrong. */
  async startEvaluation(
    request: EvaluationRequest,
    options: StartOptions = {},
  ): Promise<Started<ReflectionEvaluation>> {
    return RUN_KINDS.evaluation.start(this, request, options);
  }

  /**
   * Corrects data once, without a loop: starts `reflectionCorrect` and waits for it.
   * @throws InvalidSpecError, RunFailedError with the type of the corrector's failure
   */
  async correct(request: CorrectionRequest, options: StartOptions = {}): Promise<CorrectionResult> {
    return RUN_KINDS.correction.run(this, request, options);
  }

  /** Starts `reflectionCorrect` and returns at once. Throws InvalidSpecError if the form of the request is wrong. */
  async startCorrection(request: CorrectionRequest, options: StartOptions = {}): Promise<Started<CorrectionResult>> {
    return RUN_KINDS.correction.start(this, request, options);
  }

  /** Starts `planReflection` and returns at once. Throws InvalidSpecError if the form of the spec is wrong. */
  async startPlan(spec: PlanSpec, options: StartOptions = {}): Promise<Started<PlanRunResult>> {
    return RUN_KINDS.plan.start(this, spec, options);
  }

  /** Starts `planReflection` and waits for its result. Throws RunFailedError with the type of the failure. */
  async runPlan(spec: PlanSpec, options: StartOptions = {}): Promise<PlanRunResult> {
    return RUN_KINDS.plan.run(this, spec, options);
  }

  /** Waits for a plan's result. Throws InvalidSpecError, RunFailedError with the failure's type, RunNotFoundError. */
  async planResult(run: RunTarget, options: CallOptions = {}): Promise<PlanRunResult> {
    return RUN_KINDS.plan.result(this, run, options);
  }

  /** The state of a plan and of its tasks. */
  async planProgress(run: RunTarget, options: CallOptions = {}): Promise<PlanProgress> {
    return RUN_KINDS.plan.progress(this, run, options);
  }

  /** Starts `reflectionPipeline` and returns at once. Throws InvalidSpecError if the form of the pipeline is wrong. */
  async startPipeline(pipeline: PipelineSpec, options: StartOptions = {}): Promise<RunReference> {
    return RUN_KINDS.pipeline.startReference(this, pipeline, options);
  }

  /** Starts `reflectionPipeline` and waits for its result. Throws as `startPipeline` and `pipelineResult` do. */
  async runPipeline(pipeline: PipelineSpec, options: StartOptions = {}): Promise<PipelineResult> {
    return RUN_KINDS.pipeline.run(this, pipeline, options);
  }

  /**
   * Waits for the result of a pipeline.
   * @throws ReflectionFailedError if one of its loops raised, RunFailedError with the type of the failure, RunNotFoundError
   */
  async pipelineResult(run: RunTarget, options: CallOptions = {}): Promise<PipelineResult> {
    return RUN_KINDS.pipeline.result(this, run, options);
  }

  /** The progress of a pipeline, including its state unless the options say `{ state: false }`. */
  async pipelineProgress(
    run: RunTarget,
    { state, ...options }: CallOptions & { state?: boolean } = {},
  ): Promise<PipelineProgress> {
    return RUN_KINDS.pipeline.progress(this, run, options, { state });
  }

  /** Starts `agentReflection` and returns at once. Throws InvalidSpecError if the form of the spec is wrong. */
  async startAgents(spec: AgentReflectionSpec, options: StartOptions = {}): Promise<RunReference> {
    return RUN_KINDS.agents.startReference(this, spec, options);
  }

  /**
   * Sends an event to a population, and returns which agents reflected. An event without an `id` gets one, so that it
   * can be sent again. By default a worker must accept the event within 30 s; the reflections that follow have no time
   * limit. Throws CommandRefusedError with the paths of the mistakes, RunNotFoundError.
   */
  async triggerAgents(run: RunTarget, event: AgentEvent, options: CallOptions = {}): Promise<TriggerAnswer> {
    return triggerAgents(this.temporal, run, event, options);
  }

  /** Ends a population, and waits for its report. Throws RunFailedError, RunNotFoundError. */
  async finishAgents(run: RunTarget, options: CallOptions = {}): Promise<AgentReflectionReport> {
    return finishAgents(this, run, options);
  }

  /** Waits for the report of a population that was told to finish. Throws RunFailedError, RunNotFoundError. */
  async agentsReport(run: RunTarget, options: CallOptions = {}): Promise<AgentReflectionReport> {
    return RUN_KINDS.agents.result(this, run, options);
  }

  /** The state of a population. */
  async agentsProgress(run: RunTarget, options: CallOptions = {}): Promise<PopulationProgress> {
    return RUN_KINDS.agents.progress(this, run, options);
  }

  /** All reflections in the whole chain of runs, or only those of the agent `agentId`. Needs a running worker. */
  async agentReflections(run: RunTarget, options: CallOptions & { agentId?: string } = {}): Promise<AgentReflection[]> {
    return agentReflections(this, run, options);
  }

  /**
   * Lists runs, the latest first. `query` narrows the list, in Temporal's list filter syntax. `limit` is the maximum
   * number of entries; default: all.
   */
  list(options: CallOptions & { query?: string; limit?: number } = {}): AsyncIterable<RunListEntry> {
    return listRuns(this.temporal, options);
  }
}
