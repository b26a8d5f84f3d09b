import type { JsonObject } from '../../src/lib/json/json';

/** How a block of a document is run, and what must come of it. */
export interface Scenario {
  /** What stands around a fragment. An agent and a list of nodes are run as they are. */
  wrap?: (text: string) => string;
  /** What `--state` would say. */
  state?: JsonObject;
  /** What the model answers, in this order. */
  replies: unknown[];
  /** The state after a pipeline, or what a loop's result says. */
  expected: object;
  /** What the model must have been asked, one pattern for each call. */
  asked: RegExp[];
}

const WRITER = 'generator: { action: llm.call, prompt: "Write it." }\n';
const LOOSE = '\nevaluator: { type: schema, schema: { type: object, required: [email] } }\n';

/** A fragment that shows alternatives below comments `# Option 1`, `# Option 2`: its first line, and one of them. */
const option = (number: number, after: string) => (text: string) => {
  const [head, ...lines] = text.split('\n');
  const starts = lines.flatMap((line, index) => (/^ *# Option \d/.test(line) ? [index] : []));
  return [head, ...lines.slice(starts[number - 1], starts[number])].join('\n') + after;
};

const judged = (valid: boolean, reason: string) => ({ valid, score: valid ? 1 : 0.2, reason });
const person = { name: 'Ada', email: 'ada@example.com' };
const nameless = { name: '', email: 'nowhere' };

/** What loops of fragments come to: a first version that fails, and a second that passes. */
const secondPasses = { success: true, iterationsUsed: 2, convergenceReason: 'quality_met' };

/** Agents, lists of nodes, and fragments in a wrapper, by document and line. */
export const SCENARIOS: Record<string, Scenario> = {
  'reflection-actions.md:48 (option 1)': {
    wrap: option(1, LOOSE),
    replies: [{ name: 'Ada' }, person],
    expected: { ...secondPasses, finalOutput: person },
    asked: [/user profile/i, /email/],
  },
  'reflection-actions.md:48 (option 2)': {
    wrap: option(2, LOOSE),
    replies: [],
    expected: { success: true, iterationsUsed: 1, finalOutput: { name: 'test', email: 'test@example.com' } },
    asked: [],
  },
  'reflection-actions.md:69': {
    wrap: (text) => WRITER + text,
    replies: [nameless, person],
    expected: { ...secondPasses, finalOutput: person },
    asked: [/Write it/, /email/],
  },
  'reflection-actions.md:93': {
    wrap: (text) => WRITER + text,
    replies: [nameless, judged(false, 'no name'), person, judged(true, 'fine')],
    expected: { ...secondPasses, bestOutput: JSON.stringify(person) },
    // The judge is shown the output and the examples; the revision is told what the judge found.
    asked: [/Write it/, /nowhere.*john@test\.com|john@test\.com.*nowhere/s, /no name/, /ada@example/],
  },
  'reflection-actions.md:116': {
    wrap: (text) => WRITER + text,
    replies: [{ email: 'ada@example.com' }, person],
    expected: { ...secondPasses, history: { versions: [{ evaluation: { overallScore: 0.5 } }, {}] } },
    asked: [/Write it/, /Missing required fields/],
  },
  'reflection-actions.md:141': {
    wrap: (text) => WRITER + LOOSE.trimStart() + text,
    replies: [{ name: 'Ada' }, person],
    expected: { ...secondPasses, finalOutput: person },
    asked: [/Write it/, /Original: .*Errors:.*email/s],
  },
  'reflection-actions.md:213': {
    state: { request: 'Ada, who is thirty' },
    replies: [person, { ...person, age: 30 }],
    expected: {
      success: true,
      valid: true,
      reflection_iteration: 2,
      profile: { ...person, age: 30 },
      name: 'Ada',
      age: 30,
      message: 'Created profile for Ada',
    },
    asked: [/Ada, who is thirty/, /Path: .*age/],
  },
  'reflection-actions.md:294': {
    state: { generated_json: { status: 'ok' } },
    replies: [],
    expected: {
      validation: { valid: false, score: 0, outcome: 'fail', errors: [{ message: expect.stringContaining('data') }] },
      status: 'invalid',
      errors: [{ message: expect.stringContaining('data') }],
    },
    asked: [],
  },
  'reflection-actions.md:332': {
    state: { invalid_json: { age: 'x' }, validation_errors: [{ message: 'age must be a number' }] },
    replies: [{ age: 4 }],
    expected: { corrected: { age: 4 }, invalid_json: { age: 'x' } },
    asked: [/Fix this JSON.*\\"age\\".*age must be a number/s],
  },
  'reflection-actions.md:370': {
    replies: ['No JSON here.', { title: 'late' }, { content: 'At last.' }],
    expected: { success: true, reflection_iteration: 3, result: { content: 'At last.' }, content: 'At last.' },
    asked: [/Generate content/, /No JSON here/, /late/],
  },
  'reflection-actions.md:370 (prose to the end)': {
    replies: ['No JSON here.', 'Nor is any here.', 'There is none.'],
    expected: { success: false, reflection_best: 'No JSON here.', content: 'No JSON here.' },
    asked: [/Generate content/, /No JSON here/, /Make a new one from the start/],
  },
  'reflection-actions.md:370 (objects without content)': {
    replies: [{ title: 'one' }, { title: 'two' }, { title: 'three' }],
    expected: { success: false, exhausted: true, content: 'Default content' },
    asked: [/Generate content/, /one/, /Generate content/],
  },
  'reflection-loop-story.md:165': {
    replies: [{ name: 'Ada' }, person],
    expected: { success: true, exhausted: false, reflection_iteration: 2, ...person },
    asked: [/Generate JSON/, /Original: .*Errors: .*email/s],
  },
};

/**
 * Scenarios that wait for something that is not built yet. Their files must load but for that. Once it is built, its lines
 * here go, and nothing else has to change.
 */
export const WAITING: Record<string, { reason: string; says: RegExp }> = {};

/** Configuration, and what it says once defaults are filled in. */
export const CONFIGURATION: Record<string, object> = {
  'reflection-triggers.md:204': {
    globalConfig: {
      reflection: {
        interval: 1,
        batchSize: 10,
        importanceBoost: 0.85,
        method: 'hybrid',
        triggers: {
          crisis: true,
          periodicInterval: 5,
          decisionTypes: ['elevate_house', 'buyout_program', 'relocate'],
          institutionalThreshold: 0.05,
        },
      },
    },
  },
  'reflection-triggers.md:425': {
    globalConfig: {
      reflection: {
        interval: 1,
        batchSize: 10,
        importanceBoost: 0.9,
        method: 'hybrid',
        triggers: {
          crisis: true,
          periodicInterval: 5,
          decisionTypes: ['elevate_house', 'relocate'],
          institutionalThreshold: 0.05,
        },
      },
    },
  },
  'reflector-api.md:193': { agent: { enableReflection: true, maxReplanningAttempts: 2 } },
};

/** What looks like YAML and is none, with why. */
export const NOT_YAML: Record<string, string> = {
  'reflection-actions.md:181': 'two values one after the other, with dots where the rest is left out',
};
