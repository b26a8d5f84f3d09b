import type { Client } from '@temporalio/client';
import type {
  AgentEvent,
  AgentReflection,
  AgentReflectionReport,
  AgentReflectionSpec,
  TriggerAnswer,
} from '../domain/agents/population';
import type { PopulationProgress } from '../domain/agents/population-state';
import type { ReflectionEvaluation } from '../domain/evaluation';
import type { PipelineResult, PipelineSpec } from '../domain/pipeline';
import type { PipelineProgress } from '../domain/pipeline-progress';
import type { PlanProgress } from '../domain/plan/plan-page';
import type { PlanRunResult, PlanSpec } from '../domain/plan/plan-spec';
import type { CorrectionRequest, CorrectionResult, EvaluationRequest } from '../domain/standalone';
import { agentReflections, agentsProgress, agentsReport, finishAgents, startAgents, triggerAgents } from './agents';
import { pipelineProgress, pipelineResult, startPipeline } from './pipelines';
import { planProgress, planResult, startPlan } from './plans';
import { type Started, startCorrection, startEvaluation } from './standalone';
import type { RunReference, StartOptions } from './start-options';

/** What a client does with runs that are no loops: evaluations, corrections, pipelines, plans and populations. */
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
    return result();
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
    return result();
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
    return result();
  }

  /** Waits for a plan's result. Throws InvalidSpecError, RunFailedError with the type of what failed, RunNotFoundError. */
  async planResult(workflowId: string): Promise<PlanRunResult> {
    return planResult(this, workflowId);
  }

  /** Where a plan stands. */
  async planProgress(workflowId: string): Promise<PlanProgress> {
    return planProgress(this, workflowId);
  }

  /** Starts `reflectionPipeline` and returns at once. Throws InvalidSpecError when the pipeline's form is wrong. */
  async startPipeline(pipeline: PipelineSpec, options: StartOptions = {}): Promise<RunReference> {
    return startPipeline(this, pipeline, options);
  }

  /** Starts `reflectionPipeline` and waits for its result. Throws as `startPipeline` and `pipelineResult` do. */
  async runPipeline(pipeline: PipelineSpec, options: StartOptions = {}): Promise<PipelineResult> {
    const { workflowId } = await this.startPipeline(pipeline, options);
    return this.pipelineResult(workflowId);
  }

  /**
   * Waits for a pipeline's result.
   *
   * @throws ReflectionFailedError when a loop of it raised, RunFailedError with the type of what failed, RunNotFoundError
   */
  async pipelineResult(workflowId: string): Promise<PipelineResult> {
    return pipelineResult(this, workflowId);
  }

  /** Where a pipeline stands, with the state so far unless the question says `{ state: false }`. */
  async pipelineProgress(workflowId: string, question: { state?: boolean } = {}): Promise<PipelineProgress> {
    return pipelineProgress(this, workflowId, question);
  }

  /** Starts `agentReflection` and returns at once. Throws InvalidSpecError when the spec's form is wrong. */
  async startAgents(spec: AgentReflectionSpec, options: StartOptions = {}): Promise<RunReference> {
    return startAgents(this, spec, options);
  }

  /** Tells a population of an event; says who reflected. Throws CommandRefusedError with the paths, RunNotFoundError. */
  async triggerAgents(workflowId: string, event: AgentEvent): Promise<TriggerAnswer> {
    return triggerAgents(this.temporal, workflowId, event);
  }

  /** Ends a population, and waits for its report. Throws RunFailedError, RunNotFoundError. */
  async finishAgents(workflowId: string): Promise<AgentReflectionReport> {
    return finishAgents(this.temporal, workflowId);
  }

  /** The report of a population that was told to finish; waits for it. Throws RunFailedError, RunNotFoundError. */
  async agentsReport(workflowId: string): Promise<AgentReflectionReport> {
    return agentsReport(this.temporal, workflowId);
  }

  /** Where a population stands. */
  async agentsProgress(workflowId: string): Promise<PopulationProgress> {
    return agentsProgress(this.temporal, workflowId);
  }

  /** Who reflected, when and why, in the whole chain of runs; of one agent, if it is named. Needs a live worker. */
  async agentReflections(workflowId: string, options: { agentId?: string } = {}): Promise<AgentReflection[]> {
    return agentReflections(this.temporal, workflowId, options.agentId);
  }
}
