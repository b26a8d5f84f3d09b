import type { Client } from '@temporalio/client';
import type { CallOptions, RunReference, StartOptions } from './calls/call-options';
import type { Started } from './calls/run-kind';
import type { RunTarget } from './calls/run-target';
import { RunsOfKind, RunsWithProgress } from './calls/runs-of-kind';
import { RUN_KINDS } from '../kinds/list/client';
import { BatchClient } from '../kinds/batch/client/batch-client';
import { PipelineRuns } from '../kinds/pipeline/client/pipeline-runs';
import { PopulationRuns } from '../kinds/agents/client/population-runs';
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

/**
 * The parts of `ReflectionClient` for all other kinds of run, each with the same methods: evaluations, corrections, plans,
 * pipelines, populations of agents, and batches. The methods beside them are older names, which 1.0 removes.
 */
export class OtherRunsClient {
  /** Evaluations of data without a loop. One that fails or is inconclusive is a result, not an error. */
  readonly evaluations: RunsOfKind<EvaluationRequest, ReflectionEvaluation>;
  /** Corrections of data without a loop. */
  readonly corrections: RunsOfKind<CorrectionRequest, CorrectionResult>;
  /** Plans: tasks that reach a goal, with their evaluation and replanning. */
  readonly plans: RunsWithProgress<PlanSpecInput, PlanRunResult, PlanProgress>;
  /** Pipelines: nodes one after the other, over one state. */
  readonly pipelines: PipelineRuns;
  /** Populations of agents that reflect on events. */
  readonly agents: PopulationRuns;
  /** Batches: a loop for each of many items. */
  readonly batches: BatchClient;

  /** Uses a Temporal client that the caller owns. */
  constructor(
    readonly temporal: Client,
    readonly taskQueue: string = DEFAULT_TASK_QUEUE,
  ) {
    this.evaluations = new RunsOfKind(this, RUN_KINDS.evaluation);
    this.corrections = new RunsOfKind(this, RUN_KINDS.correction);
    this.plans = new RunsWithProgress(this, RUN_KINDS.plan);
    this.pipelines = new PipelineRuns(this);
    this.agents = new PopulationRuns(this);
    this.batches = new BatchClient(this);
  }

  /** Batches. @deprecated Use `batches`. */
  get batch(): BatchClient {
    return this.batches;
  }

  /** Evaluates data once and waits for the evaluation. @deprecated Use `evaluations.run`. */
  async evaluate(request: EvaluationRequest, options: StartOptions = {}): Promise<ReflectionEvaluation> {
    return this.evaluations.run(request, options);
  }

  /** Starts an evaluation. @deprecated Use `evaluations.start`. */
  async startEvaluation(
    request: EvaluationRequest,
    options: StartOptions = {},
  ): Promise<Started<ReflectionEvaluation>> {
    return this.evaluations.start(request, options);
  }

  /** Corrects data once and waits for the correction. @deprecated Use `corrections.run`. */
  async correct(request: CorrectionRequest, options: StartOptions = {}): Promise<CorrectionResult> {
    return this.corrections.run(request, options);
  }

  /** Starts a correction. @deprecated Use `corrections.start`. */
  async startCorrection(request: CorrectionRequest, options: StartOptions = {}): Promise<Started<CorrectionResult>> {
    return this.corrections.start(request, options);
  }

  /** Starts a plan. @deprecated Use `plans.start`. */
  async startPlan(spec: PlanSpecInput, options: StartOptions = {}): Promise<Started<PlanRunResult>> {
    return this.plans.start(spec, options);
  }

  /** Starts a plan and waits for its result. @deprecated Use `plans.run`. */
  async runPlan(spec: PlanSpecInput, options: StartOptions = {}): Promise<PlanRunResult> {
    return this.plans.run(spec, options);
  }

  /** Waits for a plan's result. @deprecated Use `plans.result`. */
  async planResult(run: RunTarget, options: CallOptions = {}): Promise<PlanRunResult> {
    return this.plans.result(run, options);
  }

  /** Reads the state of a plan and of its tasks. @deprecated Use `plans.progress`. */
  async planProgress(run: RunTarget, options: CallOptions = {}): Promise<PlanProgress> {
    return this.plans.progress(run, options);
  }

  /** Starts a pipeline. @deprecated Use `pipelines.start`. */
  async startPipeline(pipeline: PipelineSpec, options: StartOptions = {}): Promise<RunReference> {
    return this.pipelines.start(pipeline, options);
  }

  /** Starts a pipeline and waits for its result. @deprecated Use `pipelines.run`. */
  async runPipeline(pipeline: PipelineSpec, options: StartOptions = {}): Promise<PipelineResult> {
    return this.pipelines.run(pipeline, options);
  }

  /** Waits for the result of a pipeline. @deprecated Use `pipelines.result`. */
  async pipelineResult(run: RunTarget, options: CallOptions = {}): Promise<PipelineResult> {
    return this.pipelines.result(run, options);
  }

  /** Reads the progress of a pipeline. @deprecated Use `pipelines.progress`. */
  async pipelineProgress(run: RunTarget, options: CallOptions & { state?: boolean } = {}): Promise<PipelineProgress> {
    return this.pipelines.progress(run, options);
  }

  /** Starts a population. @deprecated Use `agents.start`. */
  async startAgents(spec: AgentReflectionSpec, options: StartOptions = {}): Promise<RunReference> {
    return this.agents.start(spec, options);
  }

  /** Sends an event to a population. @deprecated Use `agents.trigger`. */
  async triggerAgents(run: RunTarget, event: AgentEvent, options: CallOptions = {}): Promise<TriggerAnswer> {
    return this.agents.trigger(run, event, options);
  }

  /** Ends a population, and waits for its report. @deprecated Use `agents.finish`. */
  async finishAgents(run: RunTarget, options: CallOptions = {}): Promise<AgentReflectionReport> {
    return this.agents.finish(run, options);
  }

  /** Waits for the report of a population. @deprecated Use `agents.result`. */
  async agentsReport(run: RunTarget, options: CallOptions = {}): Promise<AgentReflectionReport> {
    return this.agents.result(run, options);
  }

  /** Reads the state of a population. @deprecated Use `agents.progress`. */
  async agentsProgress(run: RunTarget, options: CallOptions = {}): Promise<PopulationProgress> {
    return this.agents.progress(run, options);
  }

  /** Reads the reflections of a population. @deprecated Use `agents.reflections`. */
  async agentReflections(run: RunTarget, options: CallOptions & { agentId?: string } = {}): Promise<AgentReflection[]> {
    return this.agents.reflections(run, options);
  }
}
