import type { Json, JsonObject } from '../../../src/lib/json/json';
import type { ConvergenceReason } from '../../../src/loop/base/convergence';
import { initialState, type ReflectionVersion } from '../../../src/loop/state/loop-state';
import { resultOf } from '../../../src/loop/versions/result';
import { anEvaluation, aVersion, DEFAULT_SETTINGS } from '../../../testing/support/versions';

const FENCED = 'Here it is:\n```json\n{"almost": true}\n```';
const OBJECT: JsonObject = { type: 'object', required: ['done'] };

interface Case {
  output: Json;
  schema?: JsonObject | boolean;
  reason?: ConvergenceReason;
  origin?: ReflectionVersion['origin'];
  outcome?: 'pass' | 'fail';
}

/** What a loop of one version hands back. */
function returned({ output, schema = OBJECT, reason = 'user_accepted', origin = 'draft', outcome = 'fail' }: Case) {
  const evaluation = anEvaluation(outcome, outcome === 'pass' ? 1 : 0);
  evaluation.evaluators[0]!.type = 'schema';
  const state = initialState(0);
  state.versions = [{ ...aVersion(1, evaluation), output, origin }];
  state.bestIteration = 1;
  state.stopped = { reason };
  const plan = { name: 'schema', type: 'schema', weight: 1, gate: false, local: true } as const;
  const judges = { evaluators: [plan], schemas: [schema] };
  const { finalOutput, bestOutput, history } = resultOf(state, DEFAULT_SETTINGS, 0, judges);
  // A version stands in the history as it was judged.
  expect(history.versions[0]?.output).toEqual(output);
  expect(bestOutput).toEqual(finalOutput);
  return finalOutput;
}

describe('what a loop that is judged by a schema hands back', () => {
  test.each<[what: string, given: Case, expected: Json]>([
    ['the JSON of an accepted text', { output: '{"almost":true}' }, { almost: true }],
    ['the JSON in the fence of an accepted text', { output: FENCED }, { almost: true }],
    [
      'the JSON of an overriding text',
      { output: FENCED, reason: 'max_iterations', origin: 'override' },
      { almost: true },
    ],
    [
      'the JSON of what silence accepted',
      { output: '[1]', reason: 'review_timeout', schema: { type: ['array', 'null'] } },
      [1],
    ],
    ['an accepted text without JSON as it is', { output: 'a haiku' }, 'a haiku'],
    ['a number in a text as it is', { output: '42' }, '42'],
    ['an accepted value as it is', { output: { a: 'b' } }, { a: 'b' }],
    ['a text that the schema passed as it is', { output: FENCED, outcome: 'pass', schema: {} }, FENCED],
    ['a text where the schema asks for one as it is', { output: FENCED, schema: { type: 'string' } }, FENCED],
    ['what nobody decided on as it is', { output: FENCED, reason: 'max_iterations' }, FENCED],
    ['what was aborted as it is', { output: FENCED, reason: 'aborted' }, FENCED],
  ])('%s', (_what, given, expected) => {
    expect(returned(given)).toEqual(expected);
  });

  const PROSE = 'See [1] for sources, and {"a":1}.';
  const TODO = '- [ ] water the plants\n- [ ] sweep';
  const LIST: JsonObject = { type: 'array', minItems: 9 };
  const EITHER: JsonObject = { anyOf: [OBJECT, { type: 'null' }] };

  test.each<[what: string, output: string, schema: JsonObject, expected: Json]>([
    ['a list in prose, for an object', PROSE, OBJECT, PROSE],
    ['a list in prose, for a list', PROSE, LIST, PROSE],
    ['a list in prose, for any structure', PROSE, { required: ['done'] }, PROSE],
    ['an empty list of a to-do list', TODO, LIST, TODO],
    ['a list, for an object', ' [1]\n', OBJECT, ' [1]\n'],
    ['a list, for a list', ' [1]\n', LIST, [1]],
    ['an object, for a list', '{"a":1}', LIST, '{"a":1}'],
    ['an object, for properties', '{"a":1}', { required: ['done'] }, { a: 1 }],
    ['a list, for properties', '[1]', { required: ['done'] }, '[1]'],
    ['a list, for items', '[1]', { items: { type: 'string' } }, [1]],
    ['an object, for a pattern', '{"a":1}', { pattern: '^x' }, '{"a":1}'],
    ['an object, for a length', '{"a":1}', { maxLength: 3 }, '{"a":1}'],
    ['a list, for an enumeration', '[1]', { enum: ['[2]'] }, '[1]'],
    ['an object, for a reference', '{"a":1}', { $ref: '#/$defs/x', $defs: { x: { maxLength: 3 } } }, '{"a":1}'],
    ['an object, for a text or an object', '{"a":1}', { type: ['string', 'object'], maxLength: 3 }, '{"a":1}'],
    ['an object, for one of texts', '{"a":1}', { anyOf: [{ type: 'string', maxLength: 3 }, OBJECT] }, '{"a":1}'],
    ['an object, for one of anything', '{"a":1}', { oneOf: [{ maxLength: 3 }, OBJECT] }, '{"a":1}'],
    ['an object, for one of structures', '{"a":1}', EITHER, { a: 1 }],
    ['the object of a fence', FENCED, OBJECT, { almost: true }],
    ['the object of a fence, for a list', FENCED, LIST, FENCED],
    ['one of two fences', `${FENCED}\n${FENCED}`, OBJECT, `${FENCED}\n${FENCED}`],
    ['a fence of a program', '```js\n{"a":1}\n```', OBJECT, '```js\n{"a":1}\n```'],
  ])('of an accepted text: %s', (_what, output, schema, expected) => {
    expect(returned({ output, schema })).toEqual(expected);
  });

  test('where no schema judges, a text stays a text', () => {
    const state = initialState(0);
    state.versions = [{ ...aVersion(1, anEvaluation('fail', 0)), output: FENCED }];
    state.bestIteration = 1;
    state.stopped = { reason: 'user_accepted' };
    const evaluators = [{ name: 'a', type: 'llm', weight: 1, gate: false, local: false }];
    expect(resultOf(state, DEFAULT_SETTINGS, 0, { evaluators }).finalOutput).toBe(FENCED);
  });
});
