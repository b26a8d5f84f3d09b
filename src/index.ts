export type { Duration, TokenUsage } from './contract/values';
/** The entry point for services: the client, its errors, and the shapes of the contract. */
export {
  type AttachmentDetails,
  type BatchClient,
  type BatchReference,
  type BatchStartOptions,
  type CallOptions,
  type ConnectOptions,
  type FirstCommand,
  type OtherRunsClient,
  ReflectionClient,
  type RunListEntry,
  type RunReference,
  type Started,
  type StartedWithUpdate,
  type StartOptions,
  type StreamEvent,
  type StreamOptions,
} from './client';
export { defineSpec, type DefinedSpec, type EvaluatorInput, schemaEvaluator } from './client/typed/define-spec';
export type { OutputOption } from './client/typed/typed-result';
export type { TypedReference, TypedRun } from './client/typed/typed-run';
export type { Typed, TypedSpec } from './domain/spec/typed';
export { UnreadablePayloadError } from './client/errors/unreadable';
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
} from './domain/state/command-payloads';
export type { AgentEvent, AgentEventContext } from './domain/agents/population';
export type {
  AgentReflection,
  AgentReflectionReport,
  TriggerAnswer,
  PopulationProgress,
} from './contract/results/agent-results';
export type { AgentReflectionSpec, AgentSpec, ReflectionConfig } from './contract/runs/agents';
export type { BatchBudget } from './contract/runs/batch';
export type { BatchCounts, BatchLine, BatchProgress, BatchResult, ItemStatus } from './contract/results/batch-results';
export type { ConvergenceReason } from './domain/state/convergence';
export type { GoneItems } from './domain/errors/errors';
export {
  BatchItemsGoneError,
  BatchMismatchError,
  CommandNotTakenError,
  CommandRefusedError,
  InvalidConfigError,
  InvalidSpecError,
  NoReportError,
  ReflectionFailedError,
  RunFailedError,
  RunNotFoundError,
  UnexpectedOutputError,
} from './domain/errors/errors';
export {
  AlreadyEndedError,
  AlreadyRunningError,
  CallAbortedError,
  NoAnswerError,
  ServerRequestError,
} from './domain/errors/call-errors';
export type {
  EvaluatorSummary,
  Issue,
  Outcome,
  ReflectionEvaluation,
  EvaluationState,
} from './contract/results/evaluation';
export type { Json, JsonObject } from './domain/base/json/json';
export type {
  CorrectParameters,
  EvaluateParameters,
  ModelCallDefaults,
  PipelineNode,
  PipelineSettings,
  PipelineSpec,
} from './contract/runs/pipeline';
export type {
  NodeReport,
  PipelineResult,
  NodeProgress,
  NodeStatus,
  PipelineProgress,
} from './contract/results/pipeline-results';
export type {
  PersonEntry,
  Progress,
  ReflectionReport,
  ReflectionHistory,
  ReflectionResult,
  CorrectionResult,
} from './contract/results/results';
export type {
  BatchReport,
  LoopReport,
  PlanReport,
  ReportAction,
  RoleUsage,
  RunReport,
} from './contract/results/run-report';
export { toReflectionState, toEvaluationState } from './domain/step-state/reflection-state';
export { bestVersion, finalVersion } from './domain/versions/result';
export type { Attachment, AttachmentReference } from './contract/spec/attachments';
export type { Corrector, Step } from './contract/spec/steps';
export type { Evaluator } from './contract/spec/evaluators';
export type { QualityCriterion } from './contract/spec/criteria';
export type { ReflectionSpec } from './contract/spec/spec';
export type { SpecProblem } from './contract/spec-problem';
export type { CorrectionError, CorrectionRequest, EvaluationRequest } from './contract/runs/requests';
export type { ReflectionVersion } from './domain/state/loop-state';
export { defaultTriggerConfig, loadTriggerConfig, type ReflectionTriggerConfig } from './domain/agents/trigger-config';
export { ReflectionTrigger } from './domain/agents/defaults';
export { ReflectionEngine, type TriggerContext } from './domain/agents/should-reflect';
export { criteriaFromConfig } from './domain/reflector/criteria';
export type { ReflectionCriteria, Plan, Task, PlanSpec } from './contract/runs/plan';
export type { EpisodeInsight } from './domain/reflector/episode-insights';
export { toDict } from './domain/reflector/failure-patterns';
export type {
  Episode,
  Evaluation,
  FailurePattern,
  TaskResult,
  PlanProgress,
  TaskProgress,
  PlanRunResult,
} from './contract/results/plan-results';
export type { MemorySpec } from './contract/spec/memory';
export { type LlmClient, Reflector, type ReflectorOptions } from './reflector';
export { loadSpec, type SpecKinds } from './yaml/load-spec';
export { type FileProblem, SpecFileError } from './yaml/spec-file-error';
