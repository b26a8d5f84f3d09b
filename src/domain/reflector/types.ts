import type { Json } from '../base/json';
import type { Task } from '../../contract/plan';
export type { Plan, Task } from '../../contract/plan';

/** What came of a task. */
export interface TaskResult {
  taskId: string;
  success: boolean;
  output?: Json;
  /** What went wrong; absent when nothing did. */
  error?: string;
  /** Milliseconds that it took. */
  ms: number;
}

/** What an evaluation needs to know of a task. */
export type EvaluatedTask = Pick<Task, 'id'> & Partial<Pick<Task, 'description' | 'dependsOn' | 'expectedMs'>>;

/** What an evaluation needs to know of a plan. */
export interface EvaluatedPlan {
  id: string;
  tasks: readonly EvaluatedTask[];
}

/** What was found about a task or about a plan. */
export interface Evaluation {
  /** Of an evaluation of a task. */
  taskId?: string;
  /** Of an evaluation of a plan. */
  planId?: string;
  success: boolean;
  /** 0..1: how sure the evaluation is. */
  confidence: number;
  issues: string[];
  suggestions: string[];
  /** Whether another plan could help. */
  shouldReplan: boolean;
}

export const PATTERN_TYPES = ['repeated_errors', 'sequential_failures', 'low_success_rate'] as const;

/** Failures of several tasks that look as if they had one cause. */
export interface FailurePattern {
  patternType: (typeof PATTERN_TYPES)[number];
  description: string;
  /** How often it was seen. */
  occurrences: number;
  /** Ids, in the plan's order. */
  affectedTasks: string[];
  suggestedFix?: string;
  /** ISO 8601. */
  detectedAt: string;
}

/** A goal, what was planned and done for it, and what was thought of that. */
export interface Episode {
  goal: string;
  plan: EvaluatedPlan;
  results: TaskResult[];
  /** Of the plan. */
  evaluation: Evaluation;
  /** ISO 8601. */
  startedAt: string;
  endedAt: string;
}
