import type { Client } from '@temporalio/client';
import type { StartOptions } from '../calls/call-options';
import type { RunsOfKind, RunsWithProgress } from '../calls/runs-of-kind';
import { RUN_KINDS, runsOf } from '../kinds/list/client';
import { BatchClient } from '../kinds/batch/client/batch-client';
import { PipelineRuns } from '../kinds/pipeline/client/pipeline-runs';
import { PopulationRuns } from '../kinds/agents/client/population-runs';
import { DEFAULT_TASK_QUEUE } from '../lib/names/task-queues';
import type { PlanProgress, PlanRunResult } from '../kinds/plan/contract/plan-results';
import type { PlanSpecInput } from '../kinds/plan/contract/plan';
import type { ReflectionEvaluation } from '../loop/contract/evaluation';
import type { CorrectionRequest, EvaluationRequest } from '../loop/contract/requests';
import type { CorrectionResult } from '../loop/contract/results';

/**
 * The parts of `ReflectionClient` for all other kinds of run, each with the same methods: evaluations, corrections, plans,
 * pipelines, populations of agents, and batches.
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
    this.evaluations = runsOf(this, 'evaluation');
    this.corrections = runsOf(this, 'correction');
    this.plans = runsOf(this, 'plan');
    this.pipelines = new PipelineRuns(this, RUN_KINDS.pipeline);
    this.agents = new PopulationRuns(this, RUN_KINDS.agents);
    this.batches = new BatchClient(this, runsOf(this, 'batch'));
  }
  /** Evaluates data once, and waits for the evaluation: in short for `evaluations.run`. */
  evaluate(request: EvaluationRequest, options: StartOptions = {}): Promise<ReflectionEvaluation> {
    return this.evaluations.run(request, options);
  }
}
