/** The door for workflow code: safe inside the sandbox. */
export type { ReflectionHooks } from './workflows/loop-run';
export { reflect, type ReflectionHandle, startReflection } from './workflows/reflect';
export { agentReflection } from './workflows/agent-reflection';
export {
  finishSignal,
  populationProgressQuery,
  reflectionsQuery,
  triggerSignal,
  triggerUpdate,
} from './workflows/agent-messages';
export { planProgressQuery, planReflection } from './workflows/plan-reflection';
export { reflectionCorrect } from './workflows/reflection-correct';
export { reflectionEvaluate } from './workflows/reflection-evaluate';
export { reflectionLoop } from './workflows/reflection-loop';
export { pipelineProgressQuery, reflectionPipeline } from './workflows/reflection-pipeline';
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
} from './domain/command-payloads';
export type { GenerationEvent, HookDecision, ReflectionEvent, RevisionEvent } from './domain/hooks';
export type { PlanProgress } from './domain/plan/plan-page';
export type { PlanRunResult, PlanSpec } from './domain/plan/plan-spec';
export type { Progress } from './domain/progress';
export type { ReflectionResult } from './domain/result';
export type { ReflectionSpec } from './domain/spec';
export type {
  AgentEvent,
  AgentEventContext,
  AgentReflection,
  AgentReflectionReport,
  AgentReflectionSpec,
  AgentSpec,
  TriggerAnswer,
} from './domain/agents/population';
export type { PopulationProgress, ReflectionsPage } from './domain/agents/population-state';
export type { ReflectionEvaluation } from './domain/evaluation';
export type { CorrectionError, CorrectionRequest, CorrectionResult, EvaluationRequest } from './domain/standalone';
