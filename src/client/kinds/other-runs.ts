import type { Client } from '@temporalio/client';
import type {
  AgentEvent,
  AgentReflection,
  AgentReflectionReport,
  AgentReflectionSpec,
  TriggerAnswer,
} from '../../domain/agents/population';
import type { PopulationProgress } from '../../domain/agents/population-state';
import type { ReflectionEvaluation } from '../../domain/state/evaluation';
import type { PipelineResult, PipelineSpec } from '../../domain/pipeline/pipeline';
import type { PipelineProgress } from '../../domain/pipeline/pipeline-progress';
import type { PlanProgress } from '../../domain/page/plan-page';
import type { PlanRunResult, PlanSpec } from '../../domain/plan/plan-spec';
import type { CorrectionRequest, CorrectionResult, EvaluationRequest } from '../../domain/step-state/standalone';
import { agentReflections, finishAgents, startAgents, triggerAgents } from './agents';
import type { CallOptions } from '../call-options';
import { startPipeline } from './pipelines';
import { startPlan } from './plans';
import { startCorrection, startEvaluation } from './standalone';
import type { RunReference, StartOptions } from '../start-options';
import { ask, resultOf, type Started } from '../start-run';

/**
 * What a client does with runs that are no loops: evaluations, corrections, pipelines, plans and populations. Every method takes a
 * `timeout` and a `signal`, and throws NoAnswerError, CallAbortedError and ServerRequestError.
 */
export abstract class OtherRuns {
  constructor(
    readonly temporal: Client,
    readonly taskQueue: string,
  ) {}

  /**
   * Judges data once, without a loop: starts `reflectionEvaluate` and waits for it. An evaluation that fails, or that no
   * evaluator could make, is a result and no error.
   *
   * @throws InvalidSpecError, RunFailedError
   */
  async evaluate(request: EvaluationRequest, options: StartOptions = {}): Promise<ReflectionEvaluation> {
    const { result } = await this.startEvaluation(request, options);
    return result(options);
  }

  /** Starts `reflectionEvaluate` and returns at once. Throws InvalidSpecError when the request's form is wrong. */
  async startEvaluation(
    request: EvaluationRequest,
    options: StartOptions = {},
  ): Promise<Started<ReflectionEvaluation>> {
    return startEvaluation(this, request, options);
  }

  /**
   * Corrects data once, without a loop: starts `reflectionCorrect` and waits for it.
   *
   * @throws InvalidSpecError, RunFailedError with the type of what went wrong in the corrector
   */
  async correct(request: CorrectionRequest, options: StartOptions = {}): Promise<CorrectionResult> {
    const { result } = await this.startCorrection(request, options);
    return result(options);
  }

  /** Starts `reflectionCorrect` and returns at once. Throws InvalidSpecError when the request's form is wrong. */
  async startCorrection(request: CorrectionRequest, options: StartOptions = {}): Promise<Started<CorrectionResult>> {
    return startCorrection(this, request, options);
  }

  /** Starts `planReflection` and returns at once. Throws InvalidSpecError when the spec's form is wrong. */
  async startPlan(spec: PlanSpec, options: StartOptions = {}): Promise<Started<PlanRunResult>> {
    return startPlan(this, spec, options);
  }

  /** Starts `planReflection` and waits for its result. Throws RunFailedError with the type of what failed. */
  async runPlan(spec: PlanSpec, options: StartOptions = {}): Promise<PlanRunResult> {
    const { result } = await this.startPlan(spec, options);
    return result(options);
  }

  /** Waits for a plan's result. Throws InvalidSpecError, RunFailedError with the type of what failed, RunNotFoundError. */
  async planResult(workflowId: string, options: CallOptions = {}): Promise<PlanRunResult> {
    return resultOf(this, 'planResult', workflowId, options);
  }

  /** Where a plan stands. */
  async planProgress(workflowId: string, options: CallOptions = {}): Promise<PlanProgress> {
    return ask(this, { method: 'planProgress', query: 'progress', workflowId }, options);
  }

  /** Starts `reflectionPipeline` and returns at once. Throws InvalidSpecError when the pipeline's form is wrong. */
  async startPipeline(pipeline: PipelineSpec, options: StartOptions = {}): Promise<RunReference> {
    const { workflowId, runId } = await startPipeline(this, pipeline, options);
    return { workflowId, runId };
  }

  /** Starts `reflectionPipeline` and waits for its result. Throws as `startPipeline` and `pipelineResult` do. */
  async runPipeline(pipeline: PipelineSpec, options: StartOptions = {}): Promise<PipelineResult> {
    const { result } = await startPipeline(this, pipeline, options);
    return result(options);
  }

  /**
   * Waits for a pipeline's result.
   *
   * @throws ReflectionFailedError when a loop of it raised, RunFailedError with the type of what failed, RunNotFoundError
   */
  async pipelineResult(workflowId: string, options: CallOptions = {}): Promise<PipelineResult> {
    return resultOf(this, 'pipelineResult', workflowId, options);
  }

  /** Where a pipeline stands, with the state so far unless the question says `{ state: false }`. */
  async pipelineProgress(
    workflowId: string,
    { state, ...options }: CallOptions & { state?: boolean } = {},
  ): Promise<PipelineProgress> {
    const question = state === undefined ? {} : { state };
    return ask(this, { method: 'pipelineProgress', query: 'progress', workflowId }, options, question);
  }

  /** Starts `agentReflection` and returns at once. Throws InvalidSpecError when the spec's form is wrong. */
  async startAgents(spec: AgentReflectionSpec, options: StartOptions = {}): Promise<RunReference> {
    const { workflowId, runId } = await startAgents(this, spec, options);
    return { workflowId, runId };
  }

  /**
   * Tells a population of an event; says who reflected. An event without an `id` gets one, so that it can be sent again. By default a
   * worker must take it within 30 s, and its agents then reflect as long as they do. Throws CommandRefusedError with the paths,
   * RunNotFoundError.
   */
  async triggerAgents(workflowId: string, event: AgentEvent, options: CallOptions = {}): Promise<TriggerAnswer> {
    return triggerAgents(this.temporal, workflowId, event, options);
  }

  /** Ends a population, and waits for its report. Throws RunFailedError, RunNotFoundError. */
  async finishAgents(workflowId: string, options: CallOptions = {}): Promise<AgentReflectionReport> {
    return finishAgents(this, workflowId, options);
  }

  /** The report of a population that was told to finish; waits for it. Throws RunFailedError, RunNotFoundError. */
  async agentsReport(workflowId: string, options: CallOptions = {}): Promise<AgentReflectionReport> {
    return resultOf(this, 'agentsReport', workflowId, options);
  }

  /** Where a population stands. */
  async agentsProgress(workflowId: string, options: CallOptions = {}): Promise<PopulationProgress> {
    return ask(this, { method: 'agentsProgress', query: 'progress', workflowId }, options);
  }

  /** Who reflected, when and why, in the whole chain of runs; of one agent, if it is named. Needs a live worker. */
  async agentReflections(
    workflowId: string,
    options: CallOptions & { agentId?: string } = {},
  ): Promise<AgentReflection[]> {
    return agentReflections(this, workflowId, options);
  }
}
