import type { AgentReflectionReport, PopulationProgress } from '../agents/contract/agent-results';
import type { AgentReflectionSpec } from '../agents/contract/agents';
import type { BatchProgress, BatchResult } from '../batch/contract/batch-results';
import type { BatchSpec } from '../batch/contract/batch';
import type { SpecProblem } from '../../lib/contract/spec-problem';
import { InvalidSpecError } from '../../loop/errors/errors';
import { renderBatchLine } from '../batch/page/batch-page';
import { renderPipelineSummary } from '../pipeline/page/pipeline-page';
import { renderPlanSummary } from '../plan/page/plan-page';
import type { PlanProgress, PlanRunResult } from '../plan/contract/plan-results';
import { renderPopulationLine } from '../agents/page/population-page';
import type { Progress, CorrectionResult, ReflectionResult } from '../../loop/contract/results';
import { renderSummaryLine } from '../../loop/page/run-page';
import { renderCorrectionLine, renderEvaluationLine } from '../standalone/page/standalone-page';
import type { PipelineResult, PipelineProgress } from '../pipeline/contract/pipeline-results';
import type { PipelineSpec } from '../pipeline/contract/pipeline';
import type { PlanSpec } from '../plan/contract/plan';
import type { ReflectionSpec } from '../../loop/contract/spec';
import type { ReflectionEvaluation } from '../../loop/contract/evaluation';
import type { CorrectionRequest, EvaluationRequest } from '../standalone/contract/requests';
import {
  parseAgentReflection,
  parseBatch,
  parseCorrection,
  parseEvaluation,
  parsePipeline,
  parsePlanSpec,
  parseSpec,
} from '../schemas';
import { RunKind } from '../../client/calls/run-kind';

/** Returns the parsed value. Throws InvalidSpecError with every mistake. */
function requireValid<Parsed extends object>(parsed: Parsed | { problems: SpecProblem[] }): Parsed {
  if ('problems' in parsed) throw new InvalidSpecError(parsed.problems);
  return parsed;
}

/**
 * Every kind of run that this package has. A new one is an entry here, its workflow, and an entry of `RUN_VIEWS` in
 * `src/apps/cli/kinds`, which says how the command shows it.
 */
export const RUN_KINDS = {
  loop: new RunKind<ReflectionSpec, ReflectionResult, Progress>({
    type: 'reflectionLoop',
    prefix: 'reflection',
    listedAs: 'loop',
    methods: { start: 'start', result: 'result', progress: 'progress' },
    parse: (given) => requireValid(parseSpec(given)).spec,
    summary: renderSummaryLine,
  }),
  pipeline: new RunKind<PipelineSpec, PipelineResult, PipelineProgress>({
    type: 'reflectionPipeline',
    prefix: 'pipeline',
    listedAs: 'other',
    methods: { start: 'startPipeline', result: 'pipelineResult', progress: 'pipelineProgress' },
    parse: (given) => requireValid(parsePipeline(given)).pipeline,
    summary: renderPipelineSummary,
  }),
  plan: new RunKind<PlanSpec, PlanRunResult, PlanProgress>({
    type: 'planReflection',
    prefix: 'plan',
    listedAs: 'other',
    methods: { start: 'startPlan', result: 'planResult', progress: 'planProgress' },
    parse: (given) => requireValid(parsePlanSpec(given)).spec,
    summary: ({ goal }) => renderPlanSummary(goal),
  }),
  agents: new RunKind<AgentReflectionSpec, AgentReflectionReport, PopulationProgress>({
    type: 'agentReflection',
    prefix: 'agents',
    listedAs: 'other',
    methods: { start: 'startAgents', result: 'agentsReport', progress: 'agentsProgress' },
    parse: (given) => requireValid(parseAgentReflection(given)).spec,
    summary: renderPopulationLine,
  }),
  batch: new RunKind<BatchSpec, BatchResult, BatchProgress>({
    type: 'reflectionBatch',
    prefix: 'batch',
    listedAs: 'other',
    methods: { start: 'batch.start', result: 'batch.result', progress: 'batch.status' },
    parse: (given) => requireValid(parseBatch(given)).spec,
    summary: renderBatchLine,
  }),
  evaluation: new RunKind<EvaluationRequest, ReflectionEvaluation>({
    type: 'reflectionEvaluate',
    prefix: 'reflection',
    methods: { start: 'startEvaluation', result: 'result' },
    parse: (given) => requireValid(parseEvaluation(given)).request,
    summary: renderEvaluationLine,
  }),
  correction: new RunKind<CorrectionRequest, CorrectionResult>({
    type: 'reflectionCorrect',
    prefix: 'reflection',
    methods: { start: 'startCorrection', result: 'result' },
    parse: (given) => requireValid(parseCorrection(given)).request,
    summary: renderCorrectionLine,
  }),
};

export type RunKindName = keyof typeof RUN_KINDS;

/** Returns the name of the kind of a workflow type; undefined for the workflows of others. */
export function runKindOf(workflowType: string): RunKindName | undefined {
  const names = Object.keys(RUN_KINDS) as RunKindName[];
  return names.find((name) => RUN_KINDS[name].description.type === workflowType);
}
