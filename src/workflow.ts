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
} from './loop/moves/functions';
export { type AgentItem, type AiSdkStep, callsOfAgentItems, callsOfAiSdkSteps } from './loop/evidence/agent-calls';
export type { ReportedCall } from './loop/evidence/reported-calls';
export type { CallRecord } from './loop/contract/calls';
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
  answerSignal,
  answerUpdate,
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
  AnswerPayload,
  CommandName,
  CommandPayloads,
  DecidePayload,
  Decision,
  ExtendPayload,
  GuidePayload,
  OverridePayload,
  ReflectPayload,
} from './loop/base/command-payloads';
export type { GenerationEvent, HookDecision, ReflectionEvent, RevisionEvent, WaitingEvent } from './loop/moves/hooks';
export type { BatchLine, BatchProgress, BatchResult } from './kinds/batch/contract/batch-results';
export type { BatchSpec } from './kinds/batch/contract/batch';
export type { PlanProgress, PlanRunResult } from './kinds/plan/contract/plan-results';
export type { PlanSpec, PlanSpecInput } from './kinds/plan/contract/plan';
export type { Progress, ReflectionResult, CorrectionResult } from './loop/contract/results';
export type { ReflectionSpecInput } from './loop/contract/short-spec';
export type { ReflectionSpec } from './loop/contract/spec';
export type { Typed, TypedSpec } from './loop/spec/typed';
export type { AgentEvent, AgentEventContext } from './kinds/agents/state/population';
export type {
  AgentReflection,
  AgentReflectionReport,
  TriggerAnswer,
  PopulationProgress,
  ReflectionsPage,
} from './kinds/agents/contract/agent-results';
export type { AgentReflectionSpec, AgentSpec } from './kinds/agents/contract/agents';
export type { ReflectionEvaluation } from './loop/contract/evaluation';
export type { CorrectionError, CorrectionRequest, EvaluationRequest } from './loop/contract/requests';
