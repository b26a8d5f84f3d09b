/** The types of a loop's spec, which the contract declares. */
export type { Attachment, AttachmentReference } from '../../contract/spec/attachments';
export type {
  ComparisonEvaluator,
  CriteriaEvaluator,
  CustomEvaluator,
  Evaluator,
  EvaluatorType,
  ExternalEvaluator,
  FunctionEvaluator,
  LlmEvaluator,
  RegexEvaluator,
  SchemaEvaluator,
  TaskType,
  WorkflowEvaluator,
} from '../../contract/spec/evaluators';
export type { CriterionEvaluator, QualityCriterion } from '../../contract/spec/criteria';
export type { JudgeSpec, RelaxationSpec } from '../../contract/spec/judge';
export type {
  BestVersionSelection,
  BudgetSpec,
  ConvergenceSpec,
  FailurePolicy,
  HooksSpec,
  ReviewOccasion,
  ReviewSpec,
  RevisionMethod,
  RevisionSpec,
  RevisionStrategy,
  TimeoutsSpec,
  TriggersSpec,
  UnansweredReview,
} from '../../contract/spec/loop-options';
export type { ReflectionSpec } from '../../contract/spec/spec';
export type {
  ActionStep,
  Corrector,
  CorrectorMode,
  Hook,
  InlineStep,
  ModelCallStep,
  Step,
  StepLanguage,
  WorkflowStep,
} from '../../contract/spec/steps';
