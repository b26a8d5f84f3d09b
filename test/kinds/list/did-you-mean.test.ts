import { unknownActionMessage } from '../../../src/actions/registry';
import { nameProblem } from '../../../src/lib/models/model-names';
import { nearestName } from '../../../src/lib/names/nearest-name';
import { SpecFileError } from '../../../src/apps/yaml';
import { parseFile } from '../../../src/apps/yaml/parse/parse-file';
import { parseSpec } from '../../../src/loop/parse/spec';

test.each([
  ['maxIteration', 'maxIterations'],
  ['max_iterations', 'maxIterations'],
  ['MAXITERATIONS', 'maxIterations'],
  ['promt', 'prompt'],
  ['colour', undefined],
  ['url', undefined],
  ['shape', undefined],
  ['prompt', undefined],
  ['x'.repeat(100_000), undefined],
])('%s is nearest to %s', (typed, meant) => {
  expect(nearestName(typed, ['prompt', 'maxIterations', 'name', 'use'])).toBe(meant);
});

/** What is said of each unknown field of a spec on the wire, by its path. */
function said(more: object): Record<string, string> {
  const generator = { action: 'llm.call', prompt: 'x' };
  const parsed = parseSpec({ generator, evaluator: { type: 'schema', schema: true }, ...more });
  const problems = 'problems' in parsed ? parsed.problems : [];
  return Object.fromEntries(problems.map(({ path, message }) => [path, message]));
}

test.each([
  [{ max_iterations: 2 }, '/max_iterations', 'unknown field (did you mean maxIterations?)'],
  [{ convergence: { minimumGian: 1 } }, '/convergence/minimumGian', /^unknown field/],
  [{ generator: { action: 'llm.call', promt: 'x' } }, '/generator/promt', 'unknown field (did you mean prompt?)'],
  [{ evaluator: { type: 'schema', shema: true } }, '/evaluator/shema', 'unknown field (did you mean schema?)'],
  [{ evaluator: [{ type: 'llm', promt: 'x' }] }, '/evaluator/0/promt', 'unknown field (did you mean prompt?)'],
  [{ budget: { token: 5 } }, '/budget/token', 'unknown field (did you mean tokens?)'],
  [{ colour: 'red' }, '/colour', 'unknown field'],
])('on the wire %j is told at %s', (more, path, message) => {
  expect(said(more)[path]).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
});

function mistakesOf(text: string): SpecFileError {
  try {
    parseFile(text, 'a.yaml');
  } catch (error) {
    if (error instanceof SpecFileError) return error;
    throw error;
  }
  throw new Error('the file was taken');
}

const inFile = (text: string): string => mistakesOf(text).message;

const LOOP = 'generator: { action: llm.call, prompt: x }\nevaluator: { type: schema, schema: true }\n';

test.each([
  [`${LOOP}max_iteration: 2`, 'a.yaml:3:1  max_iteration: unknown field (did you mean max_iterations?)'],
  [`${LOOP}maxIteration: 2`, 'a.yaml:3:1  maxIteration: unknown field (did you mean maxIterations?)'],
  [`${LOOP}revision_stratgy: x`, 'a.yaml:3:1  revision_stratgy: unknown field (did you mean revision_strategy?)'],
  [`${LOOP}review: { wen: x }`, 'a.yaml:3:11  review.wen: unknown field (did you mean when?)'],
  ['generatr: {}', 'a.yaml:1:1  generatr: unknown field (did you mean generator?)'],
  ['gaol: go', 'a.yaml:1:1  gaol: unknown field (did you mean goal?)'],
  ['node: []', 'a.yaml:1:1  node: unknown field (did you mean nodes?)'],
  ['goal: go\nenable_reflecton: true', 'a.yaml:2:1  enable_reflecton: unknown field (did you mean enable_reflection?)'],
])('the file %j is told what was meant, as files write it', (text, line) => {
  expect(inFile(text).split('\n')).toContain(line);
});

test('of many mistakes the first twenty are told, and how many there are; the error has all', () => {
  const text = LOOP + Array.from({ length: 25 }, (_, index) => `colour_${index}: red`).join('\n');
  const lines = inFile(text).split('\n');
  expect(lines).toHaveLength(1 + 20 + 1);
  expect(lines[0]).toBe('a.yaml has 25 mistakes:');
  expect(lines.at(-1)).toBe('… and 5 more');
  expect(mistakesOf(text).problems).toHaveLength(25);
});

test('names of actions and models that are mistyped are told which one was meant', () => {
  expect(unknownActionMessage('llm.cal', ['translate'])).toContain('(did you mean llm.call?)');
  expect(unknownActionMessage('transalte', ['translate'])).toContain('(did you mean translate?)');
  const served = { configs: [{ name: 'small', model: 'x' }], defaultModel: 'small' };
  expect(nameProblem(served, 'smal')).toBe(
    'model "smal" is not configured on this worker (did you mean small?); it has small',
  );
});
