import { parseFile, SpecFileError } from '../../../src/apps/yaml';
import { readScalar } from '../../../src/lib/yaml/set-values';
import type { Json } from '../../../src/lib/json/json';

const FILE = `
name: poem
state: { topic: sea }
generator: { action: llm.call, prompt: 'About {{ state.topic }}', temperature: 0.5 }
evaluator:
  - { type: regex, pattern: sea, weight: 2 }
  - { type: criteria, criteria: [clarity] }
max_iterations: 2
`;

/** The spec of the file with values at places of it. */
const set = (path: string, value: Json) => parseFile(FILE, 'poem.yaml', [{ path, value }]);

test.each<[path: string, value: Json, expected: object]>([
  ['max_iterations', 5, { maxIterations: 5 }],
  ['maxIterations', 5, { maxIterations: 5 }],
  ['quality_threshold', 0.9, { qualityThreshold: 0.9 }],
  ['model', 'small', { model: 'small' }],
  ['generator.temperature', 0, { generator: { temperature: 0, prompt: 'About {{ state.topic }}' } }],
  ['evaluator.0.weight', 3, { evaluator: [{ weight: 3, pattern: 'sea' }, {}] }],
  ['revision.strategy', 'full_rewrite', { revision: { strategy: 'full_rewrite' } }],
  ['revision_strategy', 'full_rewrite', { revision: { strategy: 'full_rewrite' } }],
  ['budget.usd', 1.5, { budget: { usd: 1.5 } }],
  ['state.topic', 'hills', { state: { topic: 'hills' } }],
  ['state.other.snake_case', 1, { state: { topic: 'sea', other: { snake_case: 1 } } }],
])('--set %s=%j reaches the spec', (path, value, expected) => {
  expect(set(path, value)).toMatchObject({ spec: expected });
});

test.each([
  ['max_iteration', /--set max_iteration: the file has no field max_iteration \(did you mean max_iterations\?\)\./],
  ['generator.promt', /--set generator\.promt: generator has no field promt \(did you mean prompt\?\)\./],
  ['evaluator.weight', /--set evaluator\.weight: evaluator is a list, so a number from 0 to 1 comes next\./],
  ['evaluator.2.weight', /evaluator is a list, so a number from 0 to 1/],
  ['name.first', /--set name\.first: name is no object, so it has no first\./],
  ['', /the file has no field/],
])('a path that leads nowhere is told: %s', (path, message) => {
  expect(() => set(path, 1)).toThrow(message);
  expect(() => set(path, 1)).toThrow(expect.objectContaining({ type: 'UnknownPath' }));
});

test('a value that does not fit says where it comes from', () => {
  const refused = () => set('max_iterations', 0);
  expect(refused).toThrow(SpecFileError);
  expect(refused).toThrow(/max_?iterations: Too small: expected number to be >=1 \(given by --set\)/i);
});

test('several are set in their order', () => {
  const given = [
    { path: 'max_iterations', value: 5 },
    { path: 'max_iterations', value: 7 },
  ];
  expect(parseFile(FILE, 'poem.yaml', given)).toMatchObject({ spec: { maxIterations: 7 } });
});

test.each<[text: string, value: Json]>([
  ['5', 5],
  ['0.9', 0.9],
  ['true', true],
  ['null', null],
  ['~', null],
  ['', ''],
  ['"5"', '5'],
  ["'a: b'", 'a: b'],
  ['plain words', 'plain words'],
  ['Write: a poem', 'Write: a poem'],
  ['- not a list', '- not a list'],
  ['.nan', '.nan'],
  ['{{ state.a }}', '{{ state.a }}'],
  ['*alias', '*alias'],
  ['"open', '"open'],
])('%j is read as %j', (text, value) => {
  expect(readScalar(text)).toBe(value);
});
