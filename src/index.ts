export type { Duration } from './domain/duration';
/** The door for services: the client, its errors, and the shapes of the contract. */
export {
  type CallOptions,
  type ConnectOptions,
  ReflectionClient,
  type RunListEntry,
  type RunReference,
  type Started,
  type StartOptions,
} from './client';
export type { OutputOption } from './client/typed-result';
export { UnreadablePayloadError } from './client/unreadable';
export type { TemporalOverrides } from './config';
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
export type {
  AgentEvent,
  AgentEventContext,
  AgentReflection,
  AgentReflectionReport,
  AgentReflectionSpec,
  AgentSpec,
  TriggerAnswer,
} from './domain/agents/population';
export type { ReflectionConfig } from './domain/agent-config';
export type { ConvergenceReason } from './domain/convergence';
export {
  CommandNotTakenError,
  CommandRefusedError,
  InvalidConfigError,
  InvalidSpecError,
  ReflectionFailedError,
  RunFailedError,
  RunNotFoundError,
  UnexpectedOutputError,
} from './domain/errors';
export { AlreadyRunningError, CallAbortedError, NoAnswerError, ServerRequestError } from './domain/call-errors';
export type { EvaluatorSummary, Issue, Outcome, ReflectionEvaluation } from './domain/evaluation';
export type { Json, JsonObject } from './domain/json';
export type {
  CorrectParameters,
  EvaluateParameters,
  ModelCallDefaults,
  NodeReport,
  PipelineNode,
  PipelineResult,
  PipelineSettings,
  PipelineSpec,
} from './domain/pipeline';
export type { NodeProgress, NodeStatus, PipelineProgress } from './domain/pipeline-progress';
export type { PersonEntry } from './domain/people';
export type { Progress } from './domain/progress';
export { toReflectionState } from './domain/reflection-state';
export type { ReflectionReport } from './domain/report';
export { bestVersion, finalVersion, type ReflectionHistory, type ReflectionResult } from './domain/result';
export type { Corrector, Evaluator, QualityCriterion, ReflectionSpec, Step } from './domain/spec';
export type { SpecProblem } from './domain/spec-problem';
export { toEvaluationState } from './domain/evaluation-state';
export type {
  CorrectionError,
  CorrectionRequest,
  CorrectionResult,
  EvaluationRequest,
  EvaluationState,
} from './domain/standalone';
export type { TokenUsage } from './domain/tokens';
export type { ReflectionVersion } from './domain/version';
export {
  ReflectionTrigger,
  defaultTriggerConfig,
  loadTriggerConfig,
  type ReflectionTriggerConfig,
} from './domain/agents/trigger-config';
export { ReflectionEngine } from './domain/agents/reflection-engine';
export type { TriggerContext } from './domain/agents/should-reflect';
export { criteriaFromConfig, type ReflectionCriteria } from './domain/reflector/criteria';
export type { EpisodeInsight } from './domain/reflector/episode-insights';
export { toDict } from './domain/reflector/failure-patterns';
export type { Episode, Evaluation, FailurePattern, Plan, Task, TaskResult } from './domain/reflector/types';
export type { MemorySpec } from './domain/memory/memory-spec';
export type { PlanProgress, TaskProgress } from './domain/plan/plan-page';
export type { PlanRunResult, PlanSpec } from './domain/plan/plan-spec';
export type { PopulationProgress } from './domain/agents/population-state';
export { type LlmClient, Reflector, type ReflectorOptions } from './reflector';
