import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Task, TaskKind } from '../task';
import type { Arm } from './arms';
import type { RevisionOutcome } from './revisions';

/** What one arm came to on one task. */
export interface Outcome {
  task: string;
  kind: TaskKind;
  arm: Arm;
  /** Passed the check that the arm sees. */
  valid: boolean;
  /** Is truly right, by the check that no arm sees. */
  right: boolean;
  calls: number;
  promptTokens: number;
  completionTokens: number;
  seconds: number;
  /** Of a loop: each of its revisions beside the version that it was made from, by the hidden check. */
  revisions?: RevisionOutcome[];
  /** Why there is no output; then nothing is known of calls and tokens. */
  error?: string;
}

/** A line of the log. */
interface Line extends Outcome {
  /** Of all that the outcome depends on: another task, model or setting has another one. */
  key: string;
  /** For people who read the log. */
  output?: unknown;
  problems?: string[];
}

/** What outcomes depend on besides task and arm. The address is not among it: a server of one's own has another port each time. */
export interface Settings {
  model: string;
  calls: number;
  temperature?: number;
  seed: number;
}

function keyOf(task: Task, arm: Arm, settings: Settings): string {
  const { truth: _truth, samples: _samples, ...seen } = task;
  return createHash('sha256')
    .update(JSON.stringify([seen, arm, settings]))
    .digest('hex')
    .slice(0, 16);
}

/** The outcomes so far, in a file of a line each, so that a benchmark which was killed goes on where it was. */
export class BenchLog {
  readonly #file: string | undefined;
  readonly #done = new Map<string, Outcome>();

  /** @param file absent: nothing is kept */
  constructor(file: string | undefined) {
    this.#file = file;
    if (file === undefined) return;
    mkdirSync(dirname(file), { recursive: true });
    if (!existsSync(file)) return;
    const text = readFileSync(file, 'utf8');
    for (const line of text.split('\n')) this.#read(line);
    // The next line must not continue one that was cut off.
    if (text !== '' && !text.endsWith('\n')) appendFileSync(file, '\n');
  }

  /** The outcome of a run before; one that failed is tried again. */
  find(task: Task, arm: Arm, settings: Settings): Outcome | undefined {
    return this.#done.get(keyOf(task, arm, settings));
  }

  add(task: Task, arm: Arm, settings: Settings, outcome: Omit<Line, 'key'>): void {
    const line: Line = { key: keyOf(task, arm, settings), ...outcome };
    if (this.#file !== undefined) appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
  }

  #read(text: string): void {
    let line: Line;
    try {
      line = JSON.parse(text) as Line;
    } catch {
      return;
    }
    const { key, output: _output, problems: _problems, ...outcome } = line;
    if (outcome.error === undefined) this.#done.set(key, outcome);
  }
}
