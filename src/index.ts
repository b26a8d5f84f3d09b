export type { Duration } from './domain/base/duration';
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
export type {
  AgentEvent,
  AgentEventContext,
  AgentReflection,
  AgentReflectionReport,
  AgentReflectionSpec,
  AgentSpec,
  ReflectionConfig,
  TriggerAnswer,
} from './domain/agents/population';
export type { BatchBudget, BatchCounts, BatchLine, BatchProgress, BatchResult, ItemStatus } from './domain/batch/batch';
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
export type { EvaluatorSummary, Issue, Outcome, ReflectionEvaluation } from './domain/state/evaluation';
export type { Json, JsonObject } from './domain/base/json/json';
export type {
  CorrectParameters,
  EvaluateParameters,
  ModelCallDefaults,
  NodeReport,
  PipelineNode,
  PipelineResult,
  PipelineSettings,
  PipelineSpec,
} from './domain/pipeline/pipeline';
export type { NodeProgress, NodeStatus, PipelineProgress } from './domain/pipeline/pipeline-progress';
export type { PersonEntry } from './domain/state/command-log';
export type { Progress } from './domain/page/progress';
export type { BatchReport, LoopReport, PlanReport, ReportAction, RoleUsage, RunReport } from './domain/page/run-report';
export { toReflectionState, toEvaluationState } from './domain/step-state/reflection-state';
export type { ReflectionReport } from './domain/versions/report';
export { bestVersion, finalVersion, type ReflectionHistory, type ReflectionResult } from './domain/versions/result';
export type {
  Attachment,
  AttachmentReference,
  Corrector,
  Evaluator,
  QualityCriterion,
  ReflectionSpec,
  Step,
} from './domain/spec/spec';
export type { SpecProblem } from './domain/base/spec-problem';
export type {
  CorrectionError,
  CorrectionRequest,
  CorrectionResult,
  EvaluationRequest,
  EvaluationState,
} from './domain/step-state/standalone';
export type { TokenUsage } from './domain/base/tokens';
export type { ReflectionVersion } from './domain/state/loop-state';
export {
  ReflectionTrigger,
  defaultTriggerConfig,
  loadTriggerConfig,
  type ReflectionTriggerConfig,
} from './domain/agents/trigger-config';
export { ReflectionEngine, type TriggerContext } from './domain/agents/should-reflect';
export { criteriaFromConfig, type ReflectionCriteria } from './domain/reflector/criteria';
export type { EpisodeInsight } from './domain/reflector/episode-insights';
export { toDict } from './domain/reflector/failure-patterns';
export type { Episode, Evaluation, FailurePattern, Plan, Task, TaskResult } from './domain/reflector/types';
export type { MemorySpec } from './domain/spec/memory-spec';
export type { PlanProgress, TaskProgress } from './domain/page/plan-page';
export type { PlanRunResult, PlanSpec } from './domain/plan/plan-spec';
export type { PopulationProgress } from './domain/agents/population-state';
export { type LlmClient, Reflector, type ReflectorOptions } from './reflector';
export { loadSpec, type SpecKinds } from './yaml/load-spec';
export { type FileProblem, SpecFileError } from './yaml/spec-file-error';
