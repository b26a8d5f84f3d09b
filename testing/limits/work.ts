import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Json } from '../../src/lib/json/json';
import { type Action, defineAction, type ExternalCommand, type ModelConfig } from '../../src/worker';
import type { ActionDefinition } from '../../src/actions/types';

/** What a large judgement has so many of, and of what size. */
const judgement = z.object({
  passes: z.boolean().default(false),
  score: z.number().optional(),
  issues: z.number().default(1),
  /** Characters of each message of an issue. */
  issueLength: z.number().default(20),
  suggestions: z.number().default(0),
  suggestionLength: z.number().default(20),
  scores: z.number().default(0),
  /** Characters of each name of a criterion. */
  nameLength: z.number().default(10),
  reasonLength: z.number().default(0),
});
export type LargeJudgement = z.input<typeof judgement>;

/** A text of a length that no other has with the same word before it. */
const long = (word: string, length: number): string => word.padEnd(length, 'x');
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** A judgement in the form that judges, code and services answer with. */
export function judgementOf(given: LargeJudgement = {}): Record<string, Json> {
  const asked = judgement.parse(given);
  return {
    valid: asked.passes,
    score: asked.score ?? (asked.passes ? 1 : 0.3),
    issues: many(asked.passes ? 0 : asked.issues, (index) => ({
      message: long(`issue ${index} `, asked.issueLength),
    })),
    suggestions: many(asked.suggestions, (index) => long(`suggestion ${index} `, asked.suggestionLength)),
    criteriaScores: Object.fromEntries(
      many(asked.scores, (index) => [long(`criterion ${index} `, asked.nameLength), 0.5]),
    ),
    ...(asked.reasonLength > 0 ? { reason: long('reason ', asked.reasonLength) } : {}),
  };
}

/** Tasks of a plan, each of which makes an output of so many bytes, or fails with a message of so many. */
export function tasksOf(
  count: number,
  bytes = 100,
  how: 'side by side' | 'in a line' | 'failing' = 'side by side',
  attempt = 1,
): Json[] {
  return many(count, (index) => ({
    id: `task ${attempt} ${index}`,
    description: `Make output ${index}.`,
    step: { action: how === 'failing' ? 'fails' : 'makes', with: { bytes } },
    ...(how === 'in a line' && index > 0 ? { dependsOn: [`task ${attempt} ${index - 1}`] } : {}),
  }));
}

const NOTHING = z.object({}).loose();

const making = z.object({
  bytes: z.number().default(20),
  keys: z.number().default(0),
  failsFrom: z.number().optional(),
});

/** What the action `makes` gives. */
export function madeBy(given: z.input<typeof making>, iteration: number): Json {
  const { bytes, keys } = making.parse(given);
  const text = long(`output ${iteration} `, bytes);
  return keys === 0 ? text : Object.fromEntries(many(keys, (index) => [`key ${index}`, text.slice(0, bytes / keys)]));
}

const makes: Pick<ActionDefinition<typeof making>, 'input' | 'run'> = {
  input: making,
  run: (given, { iteration }) => {
    if (iteration >= (given.failsFrom ?? Infinity)) throw new Error(`there is no output ${iteration}`);
    return madeBy(given, iteration);
  },
};

/** What specs of the harness may name. Each can be asked without parameters. */
export const ACTIONS: Action[] = [
  defineAction({
    name: 'makes',
    description: 'Gives an output of so many bytes, another one in each iteration.',
    ...makes,
  }),
  defineAction({ name: 'makes here', description: 'The same, where the workflow runs.', local: true, ...makes }),
  defineAction({
    name: 'judges',
    description: 'Gives a judgement.',
    input: judgement,
    run: (asked) => judgementOf(asked),
  }),
  defineAction({
    name: 'judges here',
    description: 'The same, where the workflow runs.',
    local: true,
    input: judgement,
    run: (asked) => judgementOf(asked),
  }),
  defineAction({
    name: 'finds',
    description: 'A tool: gives a text of so many bytes.',
    input: z.object({ bytes: z.number().default(100), words: z.string().optional() }),
    run: ({ bytes }) => long('found ', bytes),
  }),
  defineAction({ name: 'notes', description: 'A hook that says nothing.', input: NOTHING, run: () => null }),
  defineAction({
    name: 'fails',
    description: 'Fails with a message of so many bytes.',
    input: z.object({ bytes: z.number().default(100) }),
    run: ({ bytes }) => {
      throw new Error(long('failed ', bytes));
    },
  }),
  defineAction({
    name: 'plans',
    description: 'Makes a plan.',
    input: z.object({
      tasks: z.number().default(2),
      bytes: z.number().default(100),
      fails: z.boolean().default(false),
    }),
    run: ({ tasks, bytes, fails }, { iteration }) => ({
      tasks: tasksOf(tasks, bytes, fails ? 'failing' : 'side by side', iteration),
    }),
  }),
  defineAction({
    name: 'waits',
    description: 'Takes so many milliseconds.',
    input: z.object({ milliseconds: z.number().default(200) }),
    run: async ({ milliseconds }, { signal, iteration }) => {
      await sleep(milliseconds, undefined, { signal });
      return `waited ${iteration}`;
    },
  }),
];

/** Programs that external evaluators may name. */
export const COMMANDS: Record<string, ExternalCommand> = {
  judge: {
    command: process.execPath,
    args: ['-e', 'process.stdout.write(JSON.stringify({ valid: false, score: 0.3 }))'],
  },
};

/** How a scripted model behaves. */
export interface ModelBehaviour {
  /** Characters of what it writes. */
  writes?: number;
  judges?: LargeJudgement;
  /** Tools that it asks for in each reply, and the characters of their arguments. */
  tools?: { calls: number; argumentLength: number; rounds: number };
  /** Tasks of each plan that it makes. */
  tasks?: number;
}

/** The models of the harness, by their names in specs. */
export const MODELS = {
  any: {},
  'writes 60 KB': { writes: 60_000 },
  'writes 500 KB': { writes: 500_000 },
  'writes 1.85 MB': { writes: 1_850_000 },
  'judges at length': { judges: { issues: 50, issueLength: 3_000, suggestions: 50, suggestionLength: 3_000 } },
  'one long suggestion': { judges: { suggestions: 1, suggestionLength: 1_900_000 } },
  'many long names': { judges: { scores: 100, nameLength: 15_000 } },
  'asks for tools': { tools: { calls: 20, argumentLength: 18_000, rounds: 3 } },
  'asks for 200 tools': { tools: { calls: 200, argumentLength: 20, rounds: 1 } },
  'always asks for tools': { tools: { calls: 1, argumentLength: 2_000, rounds: 1_000 } },
  'plans 100 tasks': { tasks: 100 },
} satisfies Record<string, ModelBehaviour>;
export type ModelName = keyof typeof MODELS;

/** The same as a worker is told of them. The price lets specs have a budget in money. */
export function modelConfigs(baseUrl: string): ModelConfig[] {
  return Object.keys(MODELS).map((name) => ({
    name,
    model: name,
    baseUrl,
    prices: { inputPerMillion: 0.01, outputPerMillion: 0.01 },
  }));
}
