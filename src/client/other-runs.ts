import type { Client } from '@temporalio/client';
import type { CallOptions, RunReference, StartOptions } from './calls/call-options';
import type { Started } from './calls/run-kind';
import { RUN_KINDS } from '../kinds/list/client';
import { BatchClient } from '../kinds/batch/client/batch-client';
import { agentReflections, finishAgents, triggerAgents } from '../kinds/agents/client/population-calls';
import type { RunTarget } from './calls/run-target';
import type { AgentEvent } from '../kinds/agents/state/population';
import type {
  AgentReflection,
  AgentReflectionReport,
  TriggerAnswer,
  PopulationProgress,
} from '../kinds/agents/contract/agent-results';
import type { AgentReflectionSpec } from '../kinds/agents/contract/agents';
import { DEFAULT_TASK_QUEUE } from '../lib/names/task-queues';
import type { PlanProgress, PlanRunResult } from '../kinds/plan/contract/plan-results';
import type { PipelineResult, PipelineProgress } from '../kinds/pipeline/contract/pipeline-results';
import type { PipelineSpec } from '../kinds/pipeline/contract/pipeline';
import type { PlanSpecInput } from '../kinds/plan/contract/plan';
import type { ReflectionEvaluation } from '../loop/contract/evaluation';
import type { CorrectionRequest, EvaluationRequest } from '../kinds/standalone/contract/requests';
import type { CorrectionResult } from '../loop/contract/results';

/** The methods of `ReflectionClient` for all other kinds of run: evaluations, corrections, plans, pipelines and populations. */
export class OtherRunsClient {
  /** Batches: a loop for each of many items. */
  readonly batch: BatchClient;

  /** Uses a Temporal client that the caller owns. */
  constructor(
    readonly temporal: Client,
    readonly taskQueue: string = DEFAULT_TASK_QUEUE,
  ) {
    this.batch = new BatchClient(this);
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
  async startPlan(spec: PlanSpecInput, options: StartOptions = {}): Promise<Started<PlanRunResult>> {
    return RUN_KINDS.plan.start(this, spec, options);
  }

  /** Starts `planReflection` and waits for its result. Throws RunFailedError with the type of the failure. */
  async runPlan(spec: PlanSpecInput, options: StartOptions = {}): Promise<PlanRunResult> {
    return RUN_KINDS.plan.run(this, spec, options);
  }

  /** Waits for a plan's result. Throws InvalidSpecError, RunFailedError with the failure's type, RunNotFoundError. */
  async planResult(run: RunTarget, options: CallOptions = {}): Promise<PlanRunResult> {
    return RUN_KINDS.plan.result(this, run, options);
  }

  /** Reads the state of a plan and of its tasks. */
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

  /** Reads the progress of a pipeline, including its state unless the options say `{ state: false }`. */
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

  /** Waits for the report of a population that was asked to finish. Throws RunFailedError, RunNotFoundError. */
  async agentsReport(run: RunTarget, options: CallOptions = {}): Promise<AgentReflectionReport> {
    return RUN_KINDS.agents.result(this, run, options);
  }

  /** Reads the state of a population. */
  async agentsProgress(run: RunTarget, options: CallOptions = {}): Promise<PopulationProgress> {
    return RUN_KINDS.agents.progress(this, run, options);
  }

  /** Reads all reflections in the whole chain of runs, or only those of the agent `agentId`. Needs a running worker. */
  async agentReflections(run: RunTarget, options: CallOptions & { agentId?: string } = {}): Promise<AgentReflection[]> {
    return agentReflections(this, run, options);
  }
}
