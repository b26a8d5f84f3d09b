import type { Json } from '../../src/lib/json/json';
import type { Evaluator } from '../../src/loop/contract/evaluators';

export const TASK_KINDS = ['extraction', 'rewriting', 'code', 'summary'] as const;
export type TaskKind = (typeof TASK_KINDS)[number];

/** One task of the benchmark. */
export interface Task {
  /** Such as `extraction-order-1`. */
  id: string;
  kind: TaskKind;
  /** What is asked for; every arm's first prompt is this, an empty line, and the source. */
  instruction: string;
  /** The text that the task is about; empty where there is none. */
  source: string;
  /** What the arms may check outputs with. */
  evaluators: Evaluator[];
  /** The JSON Schema of the output, for the arms that send it along. */
  schema?: { [key: string]: Json };
  /** Most tokens of one reply. */
  maxTokens: number;
  /**
   * What is really wrong with an output, as the check reads it; empty where it is right. No arm sees this.
   */
  truth: (output: Json) => Promise<string[]> | string[];
  /** Outputs for the tests of the truth, and for the scripted form; no arm sees them. */
  samples: { right: string; wrong: string[] };
}

/** What every arm sends first. */
export function promptOf({ instruction, source }: Task): string {
  return source === '' ? instruction : `${instruction}\n\n${source}`;
}
