import type { Json, JsonObject } from '../../../src/lib/json/json';
import type { ReflectionSpec } from '../../../src/loop/contract/spec';
import type { ScriptEntry } from '../../../src/apps/testing/scripted-model/script';

/** The shape that most scenarios ask for. */
export const PERSON: JsonObject = {
  type: 'object',
  required: ['name', 'age'],
  properties: { name: { type: 'string' }, age: { type: 'integer', minimum: 0 } },
};

export const bad = { name: 'Ada' };
export const good = { name: 'Ada', age: 30 };

/** A loop whose versions are given. */
export function answering(list: Json[], more: Partial<ReflectionSpec> = {}, failAt?: number): ReflectionSpec {
  return {
    generator: { action: 'answers', with: { list, ...(failAt === undefined ? {} : { failAt }) } },
    evaluator: { type: 'schema', schema: PERSON },
    ...more,
  };
}

/** A loop that a model writes for and the schema judges. */
export function modelled(model: string, more: Partial<ReflectionSpec> = {}): ReflectionSpec {
  return {
    model,
    generator: { action: 'llm.call', prompt: 'Describe a person.' },
    evaluator: { type: 'schema', schema: PERSON },
    maxIterations: 5,
    convergence: false,
    ...more,
  };
}

const WRITER = 'You write';
const JUDGE = 'You judge';

/** A loop that one prompt of a model writes for and another judges. */
export function judged(model: string, more: Partial<ReflectionSpec> = {}): ReflectionSpec {
  return {
    model,
    task: 'A haiku about {{ state.subject }}',
    state: { subject: 'rain' },
    generator: { action: 'llm.call', system: `${WRITER} poems.`, prompt: '{{ task }}' },
    evaluator: { type: 'llm', prompt: `${JUDGE} poems. Is this good?\n{{ state.reflection_output }}` },
    ...more,
  };
}

type Plain<Entry> = Entry extends unknown ? Omit<Entry, 'match'> : never;

/** What the model says when it writes, and when it judges. */
export const written = (entry: Plain<ScriptEntry>): ScriptEntry => ({ match: WRITER, ...entry }) as ScriptEntry;
export const judgement = (entry: Plain<ScriptEntry>): ScriptEntry => ({ match: JUDGE, ...entry }) as ScriptEntry;

export const vivid = { valid: true, score: 0.9, reason: 'vivid', issues: [], suggestions: [], confidence: 0.8 };
export const flat = {
  valid: false,
  score: 0.4,
  reason: 'flat',
  issues: [{ message: 'eight syllables', path: null, criterion: null, severity: 'major', suggestion: 'drop a word' }],
  suggestions: ['count again'],
  confidence: 0.9,
};

/** A call that never ends by itself. */
export const hang: ScriptEntry = { fault: 'hang', times: 'always' };
