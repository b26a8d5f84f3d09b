import type { ReflectionEvaluation } from './evaluation';
import type { Json } from '../base/json';
import type { TokenUsage } from '../base/tokens';

/** How a version came to be. `override` is a person's own output. */
export type Origin = 'draft' | 'revision' | 'regeneration' | 'override';

export type Trigger = 'completion' | 'step_interval' | 'error' | 'tool_result' | 'manual' | 'quality_drop';

/** An evaluation of work that was not done yet. */
export interface Reflection {
  trigger: Trigger;
  /** Turns of the model before it. */
  afterSteps: number;
  evaluation: ReflectionEvaluation;
  /** ISO 8601. */
  timestamp: string;
}

/** One output of the loop with its evaluation. Iteration 1 is the draft. */
export interface ReflectionVersion {
  iteration: number;
  output: Json;
  /** Size of an output that was left out because the whole would have been too large; `output` is null then. */
  omittedBytes?: number;
  evaluation: ReflectionEvaluation;
  origin: Origin;
  strategy?: string;
  /** The way of revising that was asked for, where the reply was made in another. */
  askedStrategy?: string;
  /** The iteration that it was revised from, where that is not the one before: the one before was worse. */
  basedOn?: number;
  /** The issues that it was asked to fix and that are gone. */
  improvementsApplied: string[];
  trigger: Trigger;
  /** When it was judged, ISO 8601, by the clock of the worker that judged it. */
  timestamp: string;
  /** What generating and judging it cost. */
  tokenUsage: TokenUsage;
  warnings: string[];
  /** Evaluations on the way to it, in order; absent when there were none. They do not count as iterations. */
  reflections?: Reflection[];
  /** The threshold that it was judged by, where it had been lowered (`judge.relaxation`). */
  qualityThreshold?: number;
}
