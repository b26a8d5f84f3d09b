import type { Duration } from '../base/duration';
import type { Json, JsonObject } from '../base/json';
import type { MemorySpec } from './memory-spec';
import type { TriggersSpec } from './triggers-spec';
export type { TriggersSpec } from './triggers-spec';

export const STEP_LANGUAGES = ['python', 'lua', 'prolog', 'javascript'] as const;
export type StepLanguage = (typeof STEP_LANGUAGES)[number];

export interface ModelCallStep {
  action: 'llm.call';
  model?: string;
  system?: string;
  prompt?: string;
  messages?: { role: 'system' | 'user' | 'assistant'; content: string }[];
  temperature?: number;
  maxTokens?: number;
  /** Names of registered actions that the model may call; their `input` is what it is told of their parameters. */
  tools?: string[];
  /** Model calls at most, where there are tools; in the last one it may call none. Default 10. */
  maxToolRounds?: number;
}

export interface ActionStep {
  action: string;
  with?: Json;
}

export interface InlineStep {
  run: string;
  language?: StepLanguage;
}

/** What a generator or corrector runs: a model call, a registered action, or inline code. */
export type Step = ModelCallStep | ActionStep | InlineStep;

export type CorrectorMode = 'replace' | 'hint';
export type Corrector = Step & { mode?: CorrectorMode };

interface EvaluatorCommon {
  /** Shown in results and on the page; defaults to the type. */
  name?: string;
  /** 0 or more; default 1. With 0 its verdict counts for the outcome only; where all that judged have 0, all count alike. */
  weight?: number;
  /** A gate that fails decides at once: evaluators after it are not run. */
  gate?: boolean;
}

export interface SchemaEvaluator extends EvaluatorCommon {
  type: 'schema';
  schema: JsonObject | boolean;
  coerce?: boolean;
}

export interface LlmEvaluator extends EvaluatorCommon {
  type: 'llm';
  prompt?: string;
  model?: string;
  examples?: { input: Json; output: Json }[];
}

/** A pattern in RE2 syntax, searched for in the output's text; it takes linear time whatever the pattern. */
export interface RegexEvaluator extends EvaluatorCommon {
  type: 'regex';
  pattern: string;
  /** Any of `i` (ignore case), `m` (`^` and `$` match at lines), `s` (`.` matches line ends too). */
  flags?: string;
  /** Default true; false: the output must not have what the pattern finds. */
  mustMatch?: boolean;
  /** What the issue says, instead of a text made of the pattern. */
  message?: string;
}

/** An action that the worker registered judges the output: see `judgementOfValue` for what it may return. */
export interface FunctionEvaluator extends EvaluatorCommon {
  type: 'function';
  action: string;
  /** Its parameters; templates see the output as `state.reflection_output`. Default `{ output }`. */
  with?: Json;
}

/** Inline code judges the output: see `judgementOfValue` for what it may return or leave in `result`. */
export interface CustomEvaluator extends EvaluatorCommon {
  type: 'custom';
  run: string;
  /** Default `python`. */
  language?: StepLanguage;
}

/** A service, or a program that the worker has registered, judges the output. */
export interface ExternalEvaluator extends EvaluatorCommon {
  type: 'external';
  /** Gets a POST of `{ output, task?, state }`; either this or `command`. */
  url?: string;
  /** Name of a command of the worker, which gets the same on its standard input. */
  command?: string;
  /** Of one attempt. Default `30s`, and never more than `timeouts.step`. */
  timeout?: Duration;
}

export const TASK_TYPES = ['code', 'writing', 'analysis', 'reasoning'] as const;
export type TaskType = (typeof TASK_TYPES)[number];

export const CRITERION_EVALUATORS = ['llm', 'regex', 'function', 'schema', 'custom', 'external', 'comparison'] as const;
export type CriterionEvaluator = (typeof CRITERION_EVALUATORS)[number];

/** One thing that an output is judged by. */
export interface QualityCriterion {
  name: string;
  /** What it measures. A judge is asked about this description; without one, about what the default sets say of the name. */
  description?: string;
  /** 0 or more; default 1. With 0 it counts by its threshold only; where all have 0, all count alike. */
  weight?: number;
  /** 0..1: the score that the output needs here, whatever the mean is. Default 0.7. */
  threshold?: number;
  /** Default `llm`. */
  evaluator?: CriterionEvaluator;
  /**
   * What an evaluator of this type is told, as in `evaluator` of a spec, without `type`. For `llm` also `{ questions }`: the
   * yes/no questions to ask, where yes speaks for the output.
   */
  evaluatorConfig?: JsonObject;
}

export interface CriteriaEvaluator extends EvaluatorCommon {
  type: 'criteria';
  /** Whose default criteria are meant; without it, guessed by the words of the task. */
  taskType?: TaskType;
  /** Names or full criteria. Default: those of the kind of task. */
  criteria?: (string | QualityCriterion)[];
  model?: string;
}

export const COMPARISON_METHODS = ['llm', 'exact', 'similarity'] as const;

export interface ComparisonEvaluator extends EvaluatorCommon {
  type: 'comparison';
  /** `prior`: the version before this one, which was revised into it. A draft has none, and is not judged. */
  against: 'reference' | 'prior';
  /** For `against: reference`. */
  reference?: Json;
  /** Default `llm`: a judge says which one is better, asked twice with the places swapped. */
  method?: (typeof COMPARISON_METHODS)[number];
}

/** Every kind that is built so far. A new kind is one member here and one file in `evaluators/`. */
export type Evaluator =
  SchemaEvaluator | LlmEvaluator | RegexEvaluator | FunctionEvaluator | ExternalEvaluator | OtherEvaluator;
type OtherEvaluator = CriteriaEvaluator | ComparisonEvaluator | CustomEvaluator;
export type EvaluatorType = Evaluator['type'];

export const FAILURE_POLICIES = ['return_best', 'return_last', 'raise'] as const;
export type FailurePolicy = (typeof FAILURE_POLICIES)[number];

export const SELECTIONS = ['highest_score', 'latest', 'first_satisfactory', 'weighted_recency'] as const;
export type BestVersionSelection = (typeof SELECTIONS)[number];

/** Ways to make the next version out of the last. */
export const REVISION_METHODS = ['targeted_edit', 'incremental', 'full_rewrite'] as const;
export type RevisionMethod = (typeof REVISION_METHODS)[number];
/** `hybrid` chooses one of the ways for each revision. */
export const REVISION_STRATEGIES = [...REVISION_METHODS, 'hybrid'] as const;
export type RevisionStrategy = (typeof REVISION_STRATEGIES)[number];

/** How the built-in revision works. A corrector says itself what it does. */
export interface RevisionSpec {
  /** Default `hybrid`. */
  strategy?: RevisionStrategy;
  /** Whether the prompt shows the outputs of earlier versions. Default false. */
  includePriorVersions?: boolean;
  /** Whether the prompt tells in short what was tried and what became of it. Default true. */
  includeReflectionHistory?: boolean;
  /** Output tokens of one revision at most. */
  maxRevisionTokens?: number;
}

/** When a loop that is not satisfied gives up before its limits. */
export interface ConvergenceSpec {
  /** Iterations without a better best version, and gains in a row that are too small. Default 2. */
  plateauIterations?: number;
  /** The least gain of the score, 0..1, that is worth another iteration. Default 0.05. */
  improvementThreshold?: number;
  /** Default true. */
  detectOscillation?: boolean;
  /** Similarity of two texts, 0..1, from which on they count as the same. Default 0.98. */
  stabilityThreshold?: number;
  /** Revisions that may fail at the same issues. Default 2. */
  repeatedIssues?: number;
}

/** Checked before each model call: the loop ends when one of these is spent. */
export interface BudgetSpec {
  /** Prompt and completion tokens of all calls, judges included. */
  tokens?: number;
  /** US dollars, by the prices of the worker's models; every model of the spec must have one. */
  usd?: number;
  /** Calls that were answered, judges included. */
  modelCalls?: number;
  /** From the start of the run, waiting included. Ends a call in flight too. */
  wallClock?: Duration;
}

/** An action that the worker registered, which is given the event (`HookEvents`) as its parameters; or inline code. */
export type Hook = string | InlineStep;

export interface HooksSpec {
  onGeneration?: Hook;
  /** May answer `continue`, `stop`, `auto` or nothing. */
  onReflection?: Hook;
  onRevision?: Hook;
}

export const REVIEW_OCCASIONS = ['never', 'on_exhausted', 'on_satisfactory', 'every_iteration'] as const;
export type ReviewOccasion = (typeof REVIEW_OCCASIONS)[number];

export const UNANSWERED_REVIEWS = ['accept', 'stop', 'fail'] as const;
export type UnansweredReview = (typeof UNANSWERED_REVIEWS)[number];

/** When the loop waits for a person, and what follows when nobody answers. */
export interface ReviewSpec {
  when?: ReviewOccasion;
  /** Default `7d`; at most ten years. Of no use without `when`, which is `never` by default. */
  timeout?: Duration;
  /** `accept` the best version, `stop` for the loop's own reason (default), or `fail` the run. */
  onTimeout?: UnansweredReview;
}

/** `qualityThreshold` falls by `step` after each iteration in which nothing but the score failed, and never below `floor`. */
export interface RelaxationSpec {
  /** 0..1. */
  step: number;
  /** 0..`qualityThreshold`. */
  floor: number;
}

/** How judges (evaluators that ask a model) judge. */
export interface JudgeSpec {
  /** Model of evaluators that name none; wins over `reflectionModel`, which wins over `model`. */
  model?: string;
  /** How often each judge is asked, 1..9. The majority decides, and how far they differ becomes the confidence. Default 1. */
  votes?: number;
  /**
   * Must confirm a pass that is in doubt: a judge names a grave fault in what it passes; or only models judged, and the score is within 0.1 of the threshold, or their
   * confidence is below 0.7, or it is a draft with a score of at least 0.95 and no issue. Its verdict joins as a gate's does.
   */
  second?: Evaluator;
  /** For judges that are never satisfied. Default: the threshold stays. */
  relaxation?: RelaxationSpec;
}

/** The JSON that describes a loop. */
export interface ReflectionSpec {
  /** Shown in the Web UI. */
  name?: string;
  /** Shown to generator, judge and corrector; may be a template. */
  task?: string;
  /** Seen by templates and actions. Default `{}`. */
  state?: JsonObject;
  /** Keys of `state` whose texts others wrote: in prompts these stand between markers, as outputs do. `*`: all. Default: none. */
  material?: string[];
  generator: Step;
  evaluator: Evaluator | Evaluator[];
  corrector?: Corrector;
  /** Versions evaluated at most, 1..10000. Default 3. */
  maxIterations?: number;
  /** 0..1. Decides judgements that only carry a score. Default 0.8. */
  qualityThreshold?: number;
  /** Default `return_best`. */
  onFailure?: FailurePolicy;
  /** Default `highest_score`. */
  bestVersionSelection?: BestVersionSelection;
  revision?: RevisionSpec;
  /** False turns every rule of `ConvergenceSpec` off. */
  convergence?: false | ConvergenceSpec;
  budget?: BudgetSpec;
  triggers?: TriggersSpec;
  review?: ReviewSpec;
  judge?: JudgeSpec;
  /** Default model of every `llm.call`; else the worker's default. */
  model?: string;
  /** Model of the judges, where neither they nor `judge` name one. */
  reflectionModel?: string;
  /** Template of the judges' prompt. */
  reflectionPrompt?: string;
  /** Default true: judges answer in structured output; false: in free text that is parsed. */
  structuredReflection?: boolean;
  /** Default true; false keeps the best and the final version only. */
  preserveAllVersions?: boolean;
  /** What earlier runs learned is recalled for the generator, and what this one learns is kept. */
  memory?: MemorySpec;
  /** Registered actions, or inline code, that are told what happens; `onReflection` may overrule the loop. */
  hooks?: HooksSpec;
  timeouts?: { modelCall?: Duration; step?: Duration; retryFor?: Duration };
}
