import type { Json, JsonObject } from '../../src/lib/json/json';
import { MOST_EVALUATORS, MOST_PARTS } from '../../src/loop/base/maxima';
import { MAXIMUM_NODES } from '../../src/kinds/pipeline/base/defaults';
import { MAXIMUM_REPLANS, MAXIMUM_TASKS } from '../../src/kinds/plan/base/defaults';
import { MOST_AGENTS } from '../../src/kinds/agents/base/defaults';
import type { LimitCase, WorkflowType } from './limit-case';
import { inParts } from './parts';
import { type LargeJudgement, type ModelName, tasksOf } from './work';

const makes = (bytes: number): JsonObject => ({ action: 'makes', with: { bytes } });
const judges = (judgement: LargeJudgement): JsonObject => ({
  type: 'function',
  action: 'judges',
  with: { ...judgement },
});
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const text = (bytes: number): string => 'x'.repeat(bytes);
const asks = (model: ModelName): JsonObject => ({
  action: 'llm.call',
  model,
  prompt: 'Plan how to know the sea. "tasks"',
});

const loop = (bytes: number, more: JsonObject = {}): JsonObject => ({
  generator: makes(bytes),
  evaluator: judges({}),
  convergence: false,
  ...more,
});

function plan(name: string, spec: JsonObject): LimitCase {
  const argument = { goal: 'Know the sea.', enableLlmReflection: false, maxReplanningAttempts: 0, ...spec };
  return { name: `volume plan ${name}`, workflow: 'planReflection', argument, seconds: 120 };
}

const PLANS: readonly LimitCase[] = [
  plan('of 100 tasks at once', { plan: { id: 'p', tasks: tasksOf(MAXIMUM_TASKS) } }),
  plan('of 80 tasks with a state of 60 KB', { plan: { id: 'p', tasks: tasksOf(80) }, state: { filler: text(60_000) } }),
  plan('of 100 tasks with a state of 900 KB', {
    plan: { id: 'p', tasks: tasksOf(MAXIMUM_TASKS) },
    state: { filler: text(900_000) },
  }),
  plan('of 100 tasks of 60 KB, one after the other', {
    plan: { id: 'p', tasks: tasksOf(MAXIMUM_TASKS, 60_000, 'in a line') },
  }),
  plan('of 5 tasks after one of 1 MB', {
    plan: {
      id: 'p',
      tasks: many(6, (index) => ({
        id: `t${index}`,
        description: 'Make it.',
        step: makes(index === 0 ? 1_000_000 : 100),
        ...(index === 0 ? {} : { dependsOn: ['t0'] }),
      })),
    },
  }),
  plan('of 20 tasks of 1.85 MB', { plan: { id: 'p', tasks: tasksOf(20, 1_850_000) } }),
  plan('of 100 loops', {
    plan: {
      id: 'p',
      tasks: many(MAXIMUM_TASKS, (index) => ({ id: `t${index}`, description: 'Loop.', step: { loop: loop(1_000) } })),
    },
  }),
  plan('of 10 loops of 1 MB', {
    plan: {
      id: 'p',
      tasks: many(10, (index) => ({ id: `t${index}`, description: 'Loop.', step: { loop: loop(1_000_000) } })),
    },
  }),
  plan('replanned 20 times with 100 tasks', {
    planner: { action: 'plans', with: { tasks: MAXIMUM_TASKS, bytes: 500, fails: true } },
    plan: { id: 'p', tasks: [{ id: 't', description: 'Fail.', step: { action: 'fails', with: { bytes: 100_000 } } }] },
    maxReplanningAttempts: MAXIMUM_REPLANS,
    enableLlmReflection: true,
    model: 'any',
  }),
  plan('by a model, of 100 tasks', { planner: asks('plans 100 tasks'), maxReplanningAttempts: 1 }),
  plan('of 100 tasks that fail at length', {
    plan: {
      id: 'p',
      tasks: many(MAXIMUM_TASKS, (index) => ({
        id: `t${index}`,
        description: 'Fail.',
        step: { action: 'fails', with: { bytes: 1_000_000 } },
      })),
    },
    enableLlmReflection: true,
    model: 'any',
  }),
];

const pipeline = (name: string, argument: JsonObject): LimitCase => ({
  name: `volume pipeline ${name}`,
  workflow: 'reflectionPipeline',
  argument,
  seconds: 120,
});

const nodes = (count: number, make: (index: number) => JsonObject): Json[] =>
  many(count, (index) => ({ name: `n${index}`, output: `o${index}`, ...make(index) }));

const LARGEST_JUDGES = many(MOST_EVALUATORS, () => judges({ issues: 50, issueLength: 3_000 }));

const judgesNode = (evaluator: JsonObject[]): JsonObject => ({
  nodes: nodes(1, () => ({ uses: 'reflection.evaluate', with: { evaluator, data: 'The sea.' } })),
});

const PIPELINES: readonly LimitCase[] = [
  pipeline('of the most nodes', { nodes: nodes(MAXIMUM_NODES, () => ({ uses: 'makes', with: { bytes: 500 } })) }),
  pipeline('of 40 nodes of 60 KB', { nodes: nodes(40, () => ({ uses: 'makes', with: { bytes: 60_000 } })) }),
  pipeline('of 20 nodes of 1.85 MB that replace each other', {
    nodes: many(20, (index) => ({ name: `n${index}`, output: 'o', uses: 'makes', with: { bytes: 1_850_000 } })),
  }),
  pipeline('of 5 nodes of 940 KB', { nodes: nodes(5, () => ({ uses: 'makes', with: { bytes: 940_000 } })) }),
  // The state just fits; of those around these it outgrows what a run may carry, and they end with the type that says so.
  pipeline('of 30 nodes of 60 KB', { nodes: nodes(30, () => ({ uses: 'makes', with: { bytes: 60_000 } })) }),
  pipeline('of 2 nodes of 930 KB', { nodes: nodes(2, () => ({ uses: 'makes', with: { bytes: 930_000 } })) }),
  pipeline('of 9 loops of 35 KB', { nodes: nodes(9, () => ({ uses: 'reflection.loop', with: loop(35_000) })) }),
  pipeline('with a state of 1.3 MB', {
    state: { filler: text(1_300_000) },
    nodes: nodes(5, () => ({ uses: 'makes', with: { bytes: 100_000 } })),
  }),
  pipeline('of 10 loops of 500 KB', { nodes: nodes(10, () => ({ uses: 'reflection.loop', with: loop(500_000) })) }),
  pipeline('with 100 judges with 50 issues of 3 KB in a node', judgesNode(LARGEST_JUDGES)),
  pipeline('with 500 parts in a node', judgesNode(inParts(MOST_PARTS))),
  pipeline('with 5 judges of outputs of 1 MB', {
    nodes: [
      { name: 'make', uses: 'makes', with: { bytes: 1_000_000 }, output: 'made' },
      {
        name: 'judge',
        uses: 'reflection.evaluate',
        with: { evaluator: many(5, () => judges({})), data: '{{ state.made }}' },
      },
    ],
  }),
  pipeline('with a state of 1.5 MB', {
    state: { filler: text(1_500_000) },
    nodes: nodes(5, () => ({ uses: 'makes', with: { bytes: 100_000 } })),
  }),
];

const alone = (workflow: WorkflowType, name: string, argument: JsonObject): LimitCase => ({
  name: `volume ${name}`,
  workflow,
  argument,
  seconds: 90,
});

const STANDALONE: readonly LimitCase[] = [
  alone('reflectionEvaluate', 'evaluation of 1.8 MB', { data: text(1_800_000), evaluator: judges({}) }),
  alone('reflectionEvaluate', 'evaluation of 1 MB by 20 judges', {
    data: text(1_000_000),
    evaluator: many(20, () => ({ type: 'llm', model: 'any' })),
  }),
  alone('reflectionEvaluate', 'evaluation by 100 judges with 50 issues of 3 KB', {
    data: 'The sea.',
    evaluator: LARGEST_JUDGES,
  }),
  alone('reflectionEvaluate', 'evaluation in 500 parts', { data: 'The sea.', evaluator: inParts(MOST_PARTS) }),
  alone('reflectionCorrect', 'correction of 900 KB with 5,000 errors', {
    data: text(900_000),
    errors: many(5_000, (index) => `error ${index} `.padEnd(100, 'x')),
    corrector: makes(1_850_000),
  }),
  alone('reflectionCorrect', 'correction by a model', {
    data: text(500_000),
    errors: ['Why?'],
    corrector: { action: 'llm.call', model: 'writes 1.85 MB', prompt: 'Correct it.' },
  }),
];

const inside = (name: string, specs: Json[]): LimitCase => ({
  name: `volume inside ${name}`,
  workflow: 'reflectsInside',
  argument: specs,
  seconds: 240,
});

const INSIDE: readonly LimitCase[] = [
  inside('one loop of 150 KB, 200 iterations', [loop(150_000, { maxIterations: 200 })]),
  inside(
    'four loops of 150 KB, 60 iterations',
    many(4, () => loop(150_000, { maxIterations: 60 })),
  ),
  inside(
    '20 loops side by side',
    many(20, () => loop(20_000, { maxIterations: 3 })),
  ),
  inside(
    'ten loops of 1 MB',
    many(10, () => loop(1_000_000, { maxIterations: 4 })),
  ),
];

function population(name: string, argument: JsonObject, events = 1, more: JsonObject = {}): LimitCase {
  return {
    name: `volume population ${name}`,
    workflow: 'agentReflection',
    argument,
    seconds: 240,
    meanwhile: async ({ handle }) => {
      for (let year = 1; year <= events; year += 1) {
        await handle.signal('trigger', { kind: 'crisis', year, context: { description: 'A flood.', ...more } });
      }
      await handle.signal('finish');
    },
  };
}

const agents = (count: number): Json[] =>
  many(count, (index) => ({ id: `agent ${index}`, type: index % 2 ? 'household' : 'government' }));
const reflection = (config: JsonObject): JsonObject => ({
  config: { reflection: config },
  model: 'any',
  timeouts: { retryFor: '10s' },
});

const POPULATIONS: readonly LimitCase[] = [
  population('of 300 with 9 critics in batches of 300', {
    agents: agents(300),
    ...reflection({ method: 'llm', batchSize: 300, critics: many(9, (index) => `critic ${index}`) }),
  }),
  population(
    'of the most agents by template in one batch',
    { agents: agents(MOST_AGENTS), ...reflection({ method: 'template', batchSize: MOST_AGENTS }) },
    3,
  ),
  population('of 2,500 asked at once', {
    agents: agents(2_500),
    ...reflection({ method: 'hybrid', batchSize: 2_500 }),
  }),
  population('with attributes of 900 KB', {
    agents: many(90, (index) => ({ id: `agent ${index}`, type: 'household', attributes: { filler: text(10_000) } })),
    ...reflection({ method: 'hybrid', batchSize: 90 }),
  }),
  population(
    'of 20 and 200 events with contexts of 60 KB',
    { agents: agents(20), ...reflection({ method: 'template' }) },
    200,
    {
      more: text(60_000),
    },
  ),
];

/** Counts and sizes of every shape but a loop's. */
export const OTHER_VOLUMES: readonly LimitCase[] = [...PLANS, ...PIPELINES, ...STANDALONE, ...INSIDE, ...POPULATIONS];
