import { type Place, requireValid, type RunKind } from '../../calls/run-kind';
import { RunsOfKind, RunsWithProgress } from '../../calls/runs-of-kind';
import type { ReflectionEvaluation } from '../../loop/contract/evaluation';
import type { CorrectionRequest, EvaluationRequest } from '../../loop/contract/requests';
import type { CorrectionResult, Progress, ReflectionResult } from '../../loop/contract/results';
import type { ReflectionSpecInput } from '../../loop/contract/short-spec';
import { renderSummaryLine } from '../../loop/page/run-page';
import { parseSpec } from '../../loop/parse/spec';
import { expandSpec } from '../../loop/spec/short-form';
import type { AgentReflectionReport, PopulationProgress } from '../agents/contract/agent-results';
import type { AgentReflectionSpec } from '../agents/contract/agents';
import { renderPopulationLine } from '../agents/page/population-page';
import { parseAgentReflection } from '../agents/parse/agents';
import type { BatchSpec } from '../batch/contract/batch';
import type { BatchProgress, BatchResult } from '../batch/contract/batch-results';
import { renderBatchLine } from '../batch/page/batch-page';
import { parseBatch } from '../batch/parse/batch';
import type { PipelineSpec } from '../pipeline/contract/pipeline';
import type { PipelineProgress, PipelineResult } from '../pipeline/contract/pipeline-results';
import { renderPipelineSummary } from '../pipeline/page/pipeline-page';
import { parsePipeline } from '../pipeline/parse/pipeline';
import { expandPipeline } from '../pipeline/state/pipeline';
import type { PlanSpecInput } from '../plan/contract/plan';
import type { PlanProgress, PlanRunResult } from '../plan/contract/plan-results';
import { renderPlanSummary } from '../plan/page/plan-page';
import { parsePlanSpec } from '../plan/parse/plan';
import { expandPlanSpec } from '../plan/state/plan-spec';
import { renderCorrectionLine, renderEvaluationLine } from '../standalone/page/standalone-page';
import { parseCorrection, parseEvaluation } from '../standalone/parse/standalone';

/** The runs of each kind. */
interface Runs {
  loop: RunsWithProgress<ReflectionSpecInput, ReflectionResult, Progress>;
  pipeline: RunsWithProgress<PipelineSpec, PipelineResult, PipelineProgress>;
  plan: RunsWithProgress<PlanSpecInput, PlanRunResult, PlanProgress>;
  agents: RunsWithProgress<AgentReflectionSpec, AgentReflectionReport, PopulationProgress>;
  batch: RunsWithProgress<BatchSpec, BatchResult, BatchProgress>;
  evaluation: RunsOfKind<EvaluationRequest, ReflectionEvaluation>;
  correction: RunsOfKind<CorrectionRequest, CorrectionResult>;
}

export type RunKindName = keyof Runs;

type SpecOf<Name extends RunKindName> = Runs[Name] extends RunsOfKind<infer Spec, unknown, unknown> ? Spec : never;

export const RUN_KINDS: { [Name in RunKindName]: RunKind<SpecOf<Name>> } = {
  loop: {
    type: 'reflectionLoop',
    prefix: 'reflection',
    listedAs: 'loop',
    parse: (given) => requireValid(parseSpec(given)).spec,
    expand: expandSpec,
    summary: renderSummaryLine,
  },
  pipeline: {
    type: 'reflectionPipeline',
    prefix: 'pipeline',
    listedAs: 'other',
    part: 'pipelines',
    parse: (given) => requireValid(parsePipeline(given)).pipeline,
    expand: expandPipeline,
    summary: renderPipelineSummary,
  },
  plan: {
    type: 'planReflection',
    prefix: 'plan',
    listedAs: 'other',
    part: 'plans',
    parse: (given) => requireValid(parsePlanSpec(given)).spec,
    expand: expandPlanSpec,
    summary: ({ goal }) => renderPlanSummary(goal),
  },
  agents: {
    type: 'agentReflection',
    prefix: 'agents',
    listedAs: 'other',
    part: 'agents',
    parse: (given) => requireValid(parseAgentReflection(given)).spec,
    summary: renderPopulationLine,
  },
  batch: {
    type: 'reflectionBatch',
    prefix: 'batch',
    listedAs: 'other',
    part: 'batches',
    parse: (given) => requireValid(parseBatch(given)).spec,
    summary: renderBatchLine,
  },
  evaluation: {
    type: 'reflectionEvaluate',
    prefix: 'reflection',
    part: 'evaluations',
    tellsProgress: false,
    parse: (given) => requireValid(parseEvaluation(given)).request,
    summary: renderEvaluationLine,
  },
  correction: {
    type: 'reflectionCorrect',
    prefix: 'reflection',
    part: 'corrections',
    tellsProgress: false,
    parse: (given) => requireValid(parseCorrection(given)).request,
    summary: renderCorrectionLine,
  },
};

export function runsOf<Name extends RunKindName>(place: Place, name: Name): Runs[Name] {
  const kind = RUN_KINDS[name] as RunKind<never>;
  const Made = kind.tellsProgress === false ? RunsOfKind : RunsWithProgress;
  return new Made<never, never, never>(place, kind) as unknown as Runs[Name];
}

/** The name of the kind of a workflow type; undefined for the workflows of others. */
export function runKindOf(workflowType: string): RunKindName | undefined {
  const names = Object.keys(RUN_KINDS) as RunKindName[];
  return names.find((name) => RUN_KINDS[name].type === workflowType);
}
