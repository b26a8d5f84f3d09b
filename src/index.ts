export type { Duration, TokenUsage } from './lib/contract/values';
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
  type PipelineRuns,
  type PopulationRuns,
  ReflectionClient,
  type RunListEntry,
  type RunReference,
  type RunsOfKind,
  type RunsWithProgress,
  type Started,
  type StartedWithUpdate,
  type StartOptions,
  type StreamEvent,
  type StreamOptions,
} from './client';
export type { OnceOptions, RunOptions, WaitOptions } from './calls/call-options';
export type { FoundRun, RunFailure } from './calls/run-end';
export { defineSpec, type DefinedSpec, type EvaluatorInput, schemaEvaluator } from './client/typed/define-spec';
export type { OutputOption, TypedReference, TypedRun } from './client/typed/typed-run';
export type { Typed, TypedSpec } from './loop/spec/typed';
export { UnreadablePayloadError } from './calls/errors/unreadable';
export type { TemporalOverrides } from './lib/config';
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
export type { AgentEvent, AgentEventContext } from './kinds/agents/state/population';
export type {
  AgentReflection,
  AgentReflectionReport,
  TriggerAnswer,
  PopulationProgress,
} from './kinds/agents/contract/agent-results';
export type { AgentReflectionSpec, AgentSpec, ReflectionConfig } from './kinds/agents/contract/agents';
export type { BatchBudget } from './kinds/batch/contract/batch';
export type {
  BatchCounts,
  BatchLine,
  BatchProgress,
  BatchResult,
  ItemStatus,
} from './kinds/batch/contract/batch-results';
export type { ConvergenceReason } from './loop/base/convergence';
export type { GoneItems } from './loop/errors/errors';
export {
  BatchItemsGoneError,
  BatchMismatchError,
  CommandNotTakenError,
  CommandRefusedError,
  DifferentSpecError,
  InvalidConfigError,
  InvalidSpecError,
  NoReportError,
  ReflectionFailedError,
  RunFailedError,
  RunNotFoundError,
  UnexpectedOutputError,
  WrongKindError,
} from './loop/errors/errors';
export {
  AlreadyEndedError,
  AlreadyRunningError,
  CallAbortedError,
  NoAnswerError,
  ServerRequestError,
} from './loop/errors/call-errors';
export type {
  EvaluatorSummary,
  Issue,
  Outcome,
  ReflectionEvaluation,
  EvaluationState,
} from './loop/contract/evaluation';
export type { Json, JsonObject } from './lib/json/json';
export type {
  CorrectParameters,
  EvaluateParameters,
  ModelCallDefaults,
  PipelineNode,
  PipelineSettings,
  PipelineSpec,
} from './kinds/pipeline/contract/pipeline';
export type {
  NodeReport,
  PipelineResult,
  NodeProgress,
  NodeStatus,
  PipelineProgress,
} from './kinds/pipeline/contract/pipeline-results';
export type {
  PersonEntry,
  Progress,
  ReflectionHistory,
  ReflectionResult,
  CorrectionResult,
} from './loop/contract/results';
export type { ReflectionReport } from './loop/contract/report';
export type { WaitNotice, WaitNotification } from './loop/contract/notification';
export type { BatchReport, LoopReport, PlanReport, ReportAction, RoleUsage, RunReport } from './kinds/report/contract';
export { toReflectionState, toEvaluationState } from './loop/step-state/reflection-state';
export { bestVersion, finalVersion } from './loop/versions/result';
export type { Attachment, AttachmentReference } from './lib/contract/attachments';
export type { Corrector, Step } from './loop/contract/steps';
export type { Evaluator } from './loop/contract/evaluators';
export type { QualityCriterion } from './loop/contract/criteria';
export type { ReflectionSpecInput, ShortEvaluator, UntypedEvaluator } from './loop/contract/short-spec';
export type { ReflectionSpec } from './loop/contract/spec';
export type { SpecProblem } from './lib/contract/spec-problem';
export type { CorrectionError, CorrectionRequest, EvaluationRequest } from './loop/contract/requests';
export type { ReflectionVersion } from './loop/state/loop-state';
export type { ReflectionCriteria, Plan, Task, PlanSpec, PlanSpecInput } from './kinds/plan/contract/plan';
export type { EpisodeInsight } from './kinds/plan/reflector/episode-insights';
export type {
  Episode,
  Evaluation,
  FailurePattern,
  TaskResult,
  PlanProgress,
  TaskProgress,
  PlanRunResult,
} from './kinds/plan/contract/plan-results';
export type { MemorySpec } from './loop/contract/memory';
export { loadSpec } from './apps/yaml/load-spec';
export type { SpecKinds } from './kinds/list/files';
export { type FileProblem, SpecFileError } from './lib/yaml/spec-file-error';
