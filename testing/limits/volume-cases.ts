import type { JsonObject } from '../../src/lib/json/json';
import { NAME_CHARACTERS, SENTENCE_CHARACTERS } from '../../src/lib/base/maxima';
import { MOST_EVALUATORS, MOST_PARTS } from '../../src/loop/base/maxima';
import { SECONDS_OF_MOST_ITERATIONS } from './field-cases';
import { inParts } from './parts';
import type { LimitCase } from './limit-case';
import { merged } from './shapes';
import type { LargeJudgement, ModelName } from './work';

/** One thing of a loop that is large: what it changes of a spec. Those of one group replace each other. */
interface Volume {
  name: string;
  group: string;
  spec: JsonObject;
  /** Calls that each iteration makes with it, where they are many. */
  calls?: number;
}

const makes = (bytes: number, more: JsonObject = {}): JsonObject => ({ action: 'makes', with: { bytes, ...more } });
const judges = (judgement: LargeJudgement): JsonObject => ({
  type: 'function',
  action: 'judges',
  with: { ...judgement },
});
const model = (name: ModelName): JsonObject => ({ action: 'llm.call', prompt: 'Write about the sea.', model: name });
const criteria = (count: number): JsonObject => ({
  type: 'criteria',
  model: 'any',
  criteria: Array.from({ length: count }, (_, index) => ({ name: `criterion ${index}`, description: 'It is met.' })),
});
const times = (count: number, make: (index: number) => JsonObject): JsonObject[] =>
  Array.from({ length: count }, (_, index) => make(index));

const longPattern = (index: number): JsonObject => ({
  type: 'regex',
  // All together have a time in which they are compiled; the longest one is a case of its own.
  pattern: `^never ${index} `.padEnd(500, 'x'),
  message: `${index} `.padEnd(SENTENCE_CHARACTERS, 'm'),
});

/** Counts and sizes that a run meets at run time, at what the contract, the server or a worker lets through at most. */
export const VOLUMES: readonly Volume[] = [
  { name: 'outputs of 60 KB', group: 'generator', spec: { generator: makes(60_000) } },
  { name: 'outputs of 300 KB', group: 'generator', spec: { generator: makes(300_000) } },
  { name: 'outputs of 1 MB', group: 'generator', spec: { generator: makes(1_000_000) } },
  { name: 'outputs of 1.85 MB', group: 'generator', spec: { generator: makes(1_850_000) } },
  { name: 'outputs with 20,000 keys', group: 'generator', spec: { generator: makes(200_000, { keys: 20_000 }) } },
  {
    name: 'a generator that fails at length',
    group: 'generator',
    spec: { generator: { action: 'fails', with: { bytes: 1_900_000 } } },
  },
  { name: 'a model that writes 500 KB', group: 'generator', spec: { generator: model('writes 500 KB') } },
  { name: 'a model that writes 1.85 MB', group: 'generator', spec: { generator: model('writes 1.85 MB') } },
  {
    name: 'tools with long arguments',
    group: 'generator',
    spec: { generator: { ...model('asks for tools'), tools: ['finds'] } },
  },
  {
    name: '200 tools at once',
    calls: 130,
    group: 'generator',
    spec: { generator: { ...model('asks for 200 tools'), tools: ['finds'] } },
  },
  {
    name: '100 rounds of tools',
    calls: 300,
    group: 'generator',
    spec: {
      generator: { ...model('always asks for tools'), tools: ['finds'], maxToolRounds: 100 },
      triggers: { reflectionInterval: 1, reflectOnTools: ['finds'] },
      maxIterations: 1,
    },
  },
  // A run hands over after fifty; many more are cases of their own.
  { name: '60 iterations', group: 'iterations', spec: { maxIterations: 60 } },
  { name: '50 issues of 3 KB', group: 'evaluator', spec: { evaluator: judges({ issues: 50, issueLength: 3_000 }) } },
  {
    name: '40 evaluators with 50 issues of 3 KB',
    calls: 40,
    group: 'evaluator',
    spec: { evaluator: times(40, () => judges({ issues: 50, issueLength: 3_000 })) },
  },
  {
    name: 'a suggestion of 1.8 MB',
    group: 'evaluator',
    spec: { evaluator: judges({ suggestions: 1, suggestionLength: 1_800_000 }) },
  },
  {
    name: '100 scores with names of 15 KB',
    group: 'evaluator',
    spec: { evaluator: judges({ scores: 100, nameLength: 15_000 }) },
  },
  { name: 'a reason of 1.8 MB', group: 'evaluator', spec: { evaluator: judges({ reasonLength: 1_800_000 }) } },
  {
    name: '100 patterns of 500 characters with messages of 4,000',
    group: 'evaluator',
    spec: { evaluator: times(MOST_EVALUATORS, longPattern) },
  },
  {
    name: '100 evaluators with the longest names',
    calls: 100,
    group: 'evaluator',
    spec: {
      evaluator: times(MOST_EVALUATORS, (index) => ({ ...judges({}), name: `${index} `.padEnd(NAME_CHARACTERS, 'n') })),
    },
  },
  {
    name: '50 criteria with 9 votes',
    calls: 9,
    group: 'evaluator',
    spec: { evaluator: criteria(50), judge: { votes: 9 } },
  },
  {
    name: 'a judge with a suggestion of 1.9 MB',
    group: 'evaluator',
    spec: { evaluator: { type: 'llm', model: 'one long suggestion' } },
  },
  {
    name: 'a judge at length with 9 votes',
    calls: 9,
    group: 'evaluator',
    spec: { evaluator: { type: 'llm', model: 'judges at length' }, judge: { votes: 9 } },
  },
  {
    name: 'a comparison in both orders with 9 votes',
    calls: 18,
    group: 'evaluator',
    spec: {
      evaluator: { type: 'comparison', against: 'reference', reference: 'r'.repeat(200_000) },
      judge: { votes: 9 },
    },
  },
  {
    name: 'a checker at work for every kind',
    calls: 12,
    group: 'evaluator',
    spec: {
      evaluator: [
        judges({}),
        { type: 'llm', model: 'any' },
        criteria(3),
        { type: 'schema', schema: { type: 'object', required: ['done'] } },
        { type: 'regex', pattern: '^never$' },
        { type: 'comparison', against: 'prior', method: 'similarity' },
        { type: 'external', command: 'judge' },
        { type: 'custom', run: 'return false', language: 'lua' },
      ],
    },
  },
  {
    name: 'a second judge',
    group: 'second',
    spec: { judge: { second: { type: 'llm', model: 'judges at length' }, votes: 9 } },
  },
  { name: 'a state of 900 KB', group: 'state', spec: { state: { filler: 's'.repeat(900_000) } } },
  { name: 'a state of 60 KB', group: 'state', spec: { state: { filler: 's'.repeat(60_000) } } },
  {
    name: 'a state with 20,000 keys',
    group: 'state',
    spec: { state: Object.fromEntries(times(20_000, () => ({})).map((_, index) => [`key ${index}`, index])) },
  },
  { name: 'a hint', group: 'corrector', spec: { corrector: { ...makes(100_000), mode: 'hint' } } },
  {
    name: 'a corrector that fails at length',
    group: 'corrector',
    spec: { corrector: { action: 'fails', with: { bytes: 1_900_000 } } },
  },
  {
    name: 'a corrector that reads the history',
    group: 'corrector',
    spec: {
      corrector: {
        ...model('writes 60 KB'),
        prompt: '{{ state.reflection_history | tojson }} {{ state.reflection_best }}',
      },
    },
  },
  {
    name: 'prior versions',
    group: 'revision',
    spec: { revision: { includePriorVersions: true }, preserveAllVersions: true },
  },
  {
    name: 'hooks',
    calls: 3,
    group: 'hooks',
    spec: { hooks: { onGeneration: 'notes', onReflection: 'notes', onRevision: 'notes' } },
  },
  {
    name: 'hooks that give 1 MB',
    calls: 3,
    group: 'hooks',
    spec: { hooks: { onGeneration: 'makes', onReflection: 'makes', onRevision: 'makes' } },
  },
  { name: 'a memory', group: 'memory', spec: { memory: { agent: 'limits', recall: 50 } } },
  { name: 'raise', group: 'failure', spec: { onFailure: 'raise' } },
  {
    name: 'a budget',
    group: 'budget',
    spec: { budget: { tokens: 1_000_000_000, usd: 1_000, modelCalls: 100_000, wallClock: '1h' } },
  },
];

const BASE: JsonObject = {
  generator: makes(2_000),
  evaluator: judges({}),
  convergence: false,
  timeouts: { retryFor: '10s' },
};

const USUAL_SECONDS = 90;

function caseOf(name: string, spec: JsonObject, seconds = USUAL_SECONDS): LimitCase {
  return { name, workflow: 'reflectionLoop', argument: merged(BASE, spec), seconds };
}

/** What takes more than one volume, each of them seen on a server before there was this harness. */
const KNOWN: readonly { name: string; spec: JsonObject; seconds?: number }[] = [
  {
    name: 'three checks from elsewhere of outputs of 1.5 MB',
    spec: { generator: makes(1_500_000), evaluator: times(3, () => ({ type: 'external', command: 'judge' })) },
  },
  { name: '30 iterations of 1 MB', spec: { generator: makes(1_000_000), maxIterations: 30 } },
  {
    // The hint is there, and the generator that should use it fails: the run waits for a person, with a history that is large enough to be handed over.
    name: 'waiting with a hint, outputs of 1.1 MB',
    spec: {
      generator: { action: 'makes', with: { bytes: 1_100_000, failsFrom: 4 } },
      corrector: { action: 'makes', with: { bytes: 100 }, mode: 'hint' },
      maxIterations: 10,
      review: { when: 'on_exhausted', timeout: '20s' },
    },
  },
  {
    name: 'unknown keys of 1.7 MB',
    spec: Object.fromEntries(times(60_000, () => ({})).map((_, index) => [`unknown key number ${index}`, 1])),
  },
  { name: 'one unknown key of 1.7 MB', spec: { ['k'.repeat(1_700_000)]: 1 } },
  { name: '400 iterations', spec: { maxIterations: 400 }, seconds: 180 },
  {
    // As many as there may be: with actions that run where the workflow runs, they take minutes and not hours.
    name: '10,000 iterations',
    spec: {
      generator: { action: 'makes here', with: { bytes: 100 } },
      evaluator: { type: 'function', action: 'judges here', with: {} },
      maxIterations: 10_000,
    },
    seconds: SECONDS_OF_MOST_ITERATIONS,
  },
  {
    name: '100 evaluators with 50 issues of 3 KB',
    spec: { evaluator: times(MOST_EVALUATORS, () => judges({ issues: 50, issueLength: 3_000 })) },
    seconds: 180,
  },
  { name: '500 parts', spec: { evaluator: inParts(MOST_PARTS) }, seconds: 240 },
  { name: 'the longest name', spec: { name: '&'.repeat(200) } },
];

/** Each volume alone. */
export function volumeCases(): LimitCase[] {
  return [
    ...KNOWN.map(({ name, spec, seconds }) => caseOf(`volume ${name}`, spec, seconds)),
    ...VOLUMES.map(({ name, spec }) => caseOf(`volume ${name}`, spec)),
  ];
}

/** Calls of a run of two volumes. More of the same kind takes an hour and shows nothing new: each volume is there alone, too. */
const MOST_CALLS = 6_200;
/** Calls of one second, with room for a machine that is busy. */
const CALLS_PER_SECOND = 20;
const USUAL_ITERATIONS = 3;
/** Drafts or revisions, and what judges them. */
const USUAL_CALLS = 2;

/** Calls that a run of two volumes makes. */
function callsOfBoth(first: Volume, second: Volume, { maxIterations }: JsonObject): number {
  const each = USUAL_CALLS + (first.calls ?? 0) + (second.calls ?? 0);
  return each * (typeof maxIterations === 'number' ? maxIterations : USUAL_ITERATIONS);
}

/** All pairs of volumes that can stand in one spec. */
export function volumePairs(): LimitCase[] {
  return VOLUMES.flatMap((first, index) =>
    VOLUMES.slice(index + 1)
      .filter(({ group }) => group !== first.group)
      .flatMap((second) => {
        const spec = merged(first.spec, second.spec) as JsonObject;
        const calls = callsOfBoth(first, second, spec);
        if (calls > MOST_CALLS) return [];
        return [caseOf(`pair ${first.name} + ${second.name}`, spec, USUAL_SECONDS + calls / CALLS_PER_SECOND)];
      }),
  );
}
