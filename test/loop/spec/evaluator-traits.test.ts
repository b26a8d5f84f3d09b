import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { evaluatorTypes } from '../../../src/loop/contract/evaluators';
import { evaluatorPlace, evaluatorTraits } from '../../../src/loop/spec/evaluator-traits';

interface LintSettings {
  overrides: { rules: Record<string, string | (string | { types: string[] })[]> }[];
}

test('the lint rule about types of evaluators knows all of them', () => {
  const file = join(__dirname, '..', '..', '..', '.oxlintrc.json');
  const { overrides } = JSON.parse(readFileSync(file, 'utf8')) as LintSettings;
  const rules = overrides.flatMap(({ rules: each }) => each['repository/evaluator-types'] ?? []);
  const [, options] = rules;
  expect((options as { types: string[] }).types.toSorted()).toEqual(evaluatorTypes().toSorted());
});

test('a comparison without a method asks a model, and any other method is local', () => {
  const comparison = { type: 'comparison', against: 'prior' } as const;
  expect(evaluatorPlace(comparison)).toBe('as_judge');
  expect(evaluatorPlace({ ...comparison, method: 'exact' })).toBe('locally');
});

test.each(['{{ state.type }}', 'constructor'])('the unknown type %s has the usual traits', (type) => {
  expect(evaluatorTraits(type)).toMatchObject({ parts: 'one', acts: false, asksForIssues: false });
});
