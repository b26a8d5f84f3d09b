import type { ScriptEntry } from '../../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../../src/apps/testing/scripted-model/server';
import type { Task } from '../task';
import { allTasks } from '../tasks';
import { ARMS, type Arm } from './arms';
import type { Outcome } from './log';
import { type BenchOptions, type Pair, pairsOf, runBench } from './run';

/** What a scripted model says to a task: something the check refuses, something that only the truth refuses, or what is right. */
type Said = 'refused' | 'wrong' | 'right';

const CALLS = 3;
const TOKENS = { prompt: 100, completion: 10 };

/** What the model says to each arm, in order; in the form of the benchmark whose numbers are known beforehand. */
const SAID: Record<string, Partial<Record<Arm, Said[]>>> = {
  'extraction-order-1': {
    single: ['wrong'],
    'best-of-n': ['refused', 'right'],
    retry: ['refused', 'refused', 'wrong'],
    schema: ['right'],
    revision: ['refused', 'wrong'],
    ours: ['refused', 'right'],
  },
  'extraction-invoice-1': {
    single: ['refused'],
    'best-of-n': ['refused', 'refused', 'refused'],
    retry: ['refused', 'right'],
    schema: ['wrong'],
    revision: ['refused', 'right'],
    ours: ['right'],
  },
  'rewriting-notice': {
    single: ['right'],
    'best-of-n': ['wrong'],
    retry: ['refused', 'wrong'],
    revision: ['right'],
    ours: ['refused', 'right'],
  },
  'code-slug': {
    single: ['wrong'],
    'best-of-n': ['refused', 'wrong'],
    retry: ['refused', 'right'],
    revision: ['right'],
    ours: ['refused', 'right'],
  },
  'summary-leak': {
    single: ['refused'],
    'best-of-n': ['right'],
    retry: ['refused', 'refused', 'refused'],
    revision: ['wrong'],
    ours: ['wrong'],
  },
};

/** Answers that pass the check of their task and are wrong all the same, by their place among its samples. */
const WRONG: Record<string, number> = { 'code-slug': 2 };

function reply(task: Task, said: Said): string {
  if (said === 'right') return task.samples.right;
  return said === 'wrong' ? task.samples.wrong[WRONG[task.id] ?? 0]! : 'I have no answer.';
}

/** What the scripted form does, in order. */
export function scriptedPairs(): Pair[] {
  return pairsOf(scriptedTasks(), ARMS);
}

function scriptedTasks(): Task[] {
  return allTasks().filter(({ id }) => Object.hasOwn(SAID, id));
}

/** The answers of the scripted model, each used once and in order; so many tokens each. */
export function scriptFor(pairs: readonly Pair[]): ScriptEntry[] {
  return pairs.flatMap(({ task, arm }) =>
    SAID[task.id]![arm]!.map((said) => ({ reply: reply(task, said), usage: TOKENS })),
  );
}

/**
 * Runs the benchmark with a model that plays known answers, so that its arithmetic can be checked.
 *
 * @throws ScriptExhaustedError or ScriptUnusedError when the arms ask for more or less than they should
 */
export async function runScripted(
  options: Pick<BenchOptions, 'address' | 'log' | 'onProgress'> & { script?: ScriptEntry[] },
): Promise<Outcome[]> {
  const { script, ...rest } = options;
  const server = await ScriptedOpenAI.start({ script: script ?? scriptFor(scriptedPairs()) });
  try {
    const outcomes = await runBench({
      tasks: scriptedTasks(),
      arms: ARMS,
      calls: CALLS,
      seed: 1,
      model: 'scripted',
      baseUrl: server.baseUrl,
      ...rest,
    });
    server.assertDone();
    return outcomes;
  } finally {
    await server.close();
  }
}
