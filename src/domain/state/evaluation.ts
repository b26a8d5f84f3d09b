import type { Json } from '../base/json';
import type { TokenUsage } from '../base/tokens';

/** The outcome decides; the score only ranks. `inconclusive`: the evaluator could not judge. */
export type Outcome = 'pass' | 'fail' | 'inconclusive';

export type Severity = 'minor' | 'major' | 'critical';

/** One thing that is wrong with an output. */
export interface Issue {
  message: string;
  /** JSON Pointer into the output, `` for the output as a whole. */
  path?: string;
  criterion?: string;
  severity?: Severity;
  suggestion?: string;
  /** No revision can mend it: a fact is missing that neither the task nor the output holds. */
  missingInformation?: true;
  /** The keyword or rule that found it, where there is one. */
  type?: string;
  /** Name of the evaluator that found it. */
  evaluator: string;
}

/** What one evaluator said, in short, as results and pages show it. */
export interface EvaluatorSummary {
  name: string;
  type: string;
  outcome: Outcome;
  score: number | null;
  checksPassed?: number;
  ms: number;
}

/** A judge's reply that could not be read as it was. */
export interface UnreadReply {
  /** Name of the evaluator. */
  evaluator: string;
  /** As the model wrote it; the end of a very long one is cut. */
  reply: string;
  /** Why it could not be read. */
  problem: string;
  /** True: a second call put it into a form that could be read, and that verdict counts. False: there is no verdict of it. */
  repaired: boolean;
}

/** The judgement of one version by all its evaluators. */
export interface ReflectionEvaluation {
  outcome: Outcome;
  /** `outcome === 'pass'`. */
  satisfactory: boolean;
  /** 0..1; null when inconclusive. */
  overallScore: number | null;
  criteriaScores: Record<string, number>;
  issues: Issue[];
  suggestions: string[];
  /** 0..1: how sure the evaluators are. */
  confidence: number;
  reason?: string;
  evaluators: EvaluatorSummary[];
  /** What judges replied that could not be read as it was; only of an evaluation without a loop, and only where there are any. */
  unreadReplies?: UnreadReply[];
}

/**
 * How a structured value was read out of an output. It is recorded instead of the value: the workflow computes the value
 * again from the output that it already holds (`readOutput`), so history does not keep a second copy.
 */
export interface OutputReading {
  /** Where the JSON text stands in a string output, as UTF-16 offsets; absent when the output is the value already. */
  text?: { start: number; end: number };
  /** Values that were coerced, by JSON Pointer. */
  coerced?: { path: string; value: Json }[];
}

/** What one evaluator returns. */
export interface Verdict {
  name: string;
  type: string;
  outcome: Outcome;
  score: number | null;
  /** Share of checks passed, 0..1; ranks failed versions. */
  checksPassed?: number;
  criteriaScores?: Record<string, number>;
  issues: Issue[];
  suggestions: string[];
  confidence: number;
  /** A pass whose own list names a grave fault: another judge is asked, if there is one. */
  unsure?: true;
  reason?: string;
  ms: number;
  /** Present when the evaluator read the output in a way that later steps must see. */
  reading?: OutputReading;
  /** When it was judged, ISO 8601, by the clock of the worker that did it: unlike the workflow's, a replay gives it again. */
  judgedAt?: string;
  /** A judge's reply that could not be read: one repair call may be made of it, unless it is `final`. */
  unreadable?: { reply: string; problem: string; final?: true };
  tokenUsage?: TokenUsage;
  /** What the evaluator's author should know, such as variables that a template named and nobody defined. */
  warnings?: string[];
}

/** What an evaluator says; its name, type and duration are added by the caller. */
export type Judgement = Omit<Verdict, 'name' | 'type' | 'ms'>;
