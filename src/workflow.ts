/** The entry point for workflow code. It imports nothing that the workflow sandbox forbids. */
export type { ReflectionHooks } from './workflows/loop/loop-run';
export type {
  EvaluateRequest,
  FunctionEvaluation,
  FunctionOutput,
  FunctionUsage,
  GenerateRequest,
  LoopFunctions,
  ReviseRequest,
  SpecWithFunctions,
} from './domain/loop/functions';
export { reflect, type ReflectionHandle, startReflection, type TypedResult } from './workflows/loop/reflect';
export { agentReflection } from './workflows/agents/agent-reflection';
export {
  finishSignal,
  populationProgressQuery,
  reflectionsQuery,
  triggerSignal,
  triggerUpdate,
} from './workflows/agents/agent-messages';
export { batchProgressQuery, pauseUpdate, resumeUpdate } from './workflows/batch/batch-messages';
export { reflectionBatch } from './workflows/batch/reflection-batch';
export { reflectionBatchPage } from './workflows/batch/reflection-batch-page';
export { planProgressQuery, planReflection } from './workflows/plan/plan-reflection';
export { reflectionCorrect } from './workflows/standalone/reflection-correct';
export { reflectionEvaluate } from './workflows/standalone/reflection-evaluate';
export { reflectionLoop } from './workflows/loop/reflection-loop';
export { pipelineProgressQuery, reflectionPipeline } from './workflows/pipeline/reflection-pipeline';
export {
  abortSignal,
  abortUpdate,
  acceptSignal,
  acceptUpdate,
  decideSignal,
  decideUpdate,
  extendSignal,
  extendUpdate,
  guideSignal,
  guideUpdate,
  type HistoryPage,
  historyQuery,
  overrideSignal,
  overrideUpdate,
  progressQuery,
  reflectSignal,
  reflectUpdate,
} from './workflows/messages';
export type {
  AbortPayload,
  AcceptPayload,
  CommandName,
  CommandPayloads,
  DecidePayload,
  Decision,
  ExtendPayload,
  GuidePayload,
  OverridePayload,
  ReflectPayload,
} from './domain/state/command-payloads';
export type { GenerationEvent, HookDecision, ReflectionEvent, RevisionEvent } from './domain/loop/hooks';
export type { BatchLine, BatchProgress, BatchResult } from './contract/results/batch-results';
export type { BatchSpec } from './contract/runs/batch';
export type { PlanProgress, PlanRunResult } from './contract/results/plan-results';
export type { PlanSpec } from './contract/runs/plan';
export type { Progress, ReflectionResult, CorrectionResult } from './contract/results/results';
export type { ReflectionSpec } from './contract/spec/spec';
export type { Typed, TypedSpec } from './domain/spec/typed';
export type { AgentEvent, AgentEventContext } from './domain/agents/population';
export type {
  AgentReflection,
  AgentReflectionReport,
  TriggerAnswer,
  PopulationProgress,
  ReflectionsPage,
} from './contract/results/agent-results';
export type { AgentReflectionSpec, AgentSpec } from './contract/runs/agents';
export type { ReflectionEvaluation } from './contract/results/evaluation';
export type { CorrectionError, CorrectionRequest, EvaluationRequest } from './contract/runs/requests';
