import { createActionRegistry } from '../../../src/actions/registry';
import type { Json } from '../../../src/lib/json/json';
import { readOutput } from '../../../src/loop/evaluation/output-reading';
import { evaluatorKind } from '../../../src/evaluators';
import { createModels } from '../../../src/lib/models';
import { FUNCTIONS } from '../functions';
import type { Task } from '../task';

/** What a task's own evaluators say of an output. */
export interface Checked {
  valid: boolean;
  /** Share of the checks that passed, 0 to 1. */
  score: number;
  /** What is wrong, one line each. */
  issues: string[];
  /** The output as the evaluators read it: JSON out of a text, where they found some. */
  value: Json;
}

const CHECK_TIME_MS = 60_000;

const context = {
  models: createModels([], {}),
  actions: createActionRegistry(FUNCTIONS),
  signal: new AbortController().signal,
};

/** Checks an output as the loop does, so that no arm has another check than ours. */
export async function checked(task: Task, output: Json): Promise<Checked> {
  const input = {
    output,
    state: {},
    qualityThreshold: 1,
    iteration: 1,
    workflowId: task.id,
    structured: true,
    timeoutMs: CHECK_TIME_MS,
  };
  const judgements = await Promise.all(
    task.evaluators.map((evaluator) => evaluatorKind(evaluator).evaluate(evaluator, input, context)),
  );
  const reading = judgements.find((each) => each.reading)?.reading;
  return {
    valid: judgements.every(({ outcome }) => outcome === 'pass'),
    score: Math.min(...judgements.map(({ checksPassed, score }) => checksPassed ?? score ?? 0)),
    issues: judgements.flatMap(({ issues, reason, outcome }) =>
      issues.length === 0 && outcome !== 'pass'
        ? [reason ?? 'The output was not accepted.']
        : issues.map(({ path, message }) => (path ? `${path}: ${message}` : message)),
    ),
    value: readOutput(output, reading),
  };
}
