import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadSpec, SpecFileError } from '../../../src';

const LOOP = `generator: { action: llm.call, prompt: Write. }
evaluator: { type: schema, schema: { type: object } }
max_iterations: 2
`;

describe('loadSpec', () => {
  let folder: string;
  const file = (name: string, text: string): string => {
    const place = path.join(folder, name);
    writeFileSync(place, text);
    return place;
  };
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'reflect-load-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('reads YAML with the names of files, and JSON', async () => {
    const expected = { maxIterations: 2, evaluator: { type: 'schema', schema: { type: 'object' } } };
    expect(await loadSpec(file('spec.yaml', LOOP))).toMatchObject(expected);
    const json = { generator: { action: 'llm.call', prompt: 'Write.' }, ...expected };
    expect(await loadSpec(file('spec.json', JSON.stringify(json)))).toEqual(json);
  });

  test('keeps the names of calls, and reads the fields of rules about them', async () => {
    const rules = `{ must: [{ name: run_tests, result: { const: { is_ok: 1 } } }], must_not: [send_mail], at_most: { run_tests: 2 } }`;
    const proof = `{ criteria: [{ name: tested, proof: { call: run_tests, after: { calls: [write_file] } } }] }`;
    const { evaluator } = await loadSpec(file('calls.yaml', `task: Write.\nevaluator: [${rules}, ${proof}]`));
    expect(evaluator).toEqual([
      {
        type: 'calls',
        must: [{ name: 'run_tests', result: { const: { is_ok: 1 } } }],
        mustNot: ['send_mail'],
        atMost: { run_tests: 2 },
      },
      {
        type: 'criteria',
        criteria: [{ name: 'tested', proof: { call: 'run_tests', after: { calls: ['write_file'] } } }],
      },
    ]);
  });

  test('reads pipelines, plans and populations by their kind', async () => {
    const pipeline = await loadSpec(
      file('p.yaml', 'nodes: [{ name: one, run: "return 1", language: lua }]'),
      'pipeline',
    );
    expect(pipeline.nodes).toHaveLength(1);
    expect((await loadSpec(file('g.yaml', 'goal: Go.'), 'plan')).goal).toBe('Go.');
    expect((await loadSpec(file('a.yaml', 'agents: [{ id: a, type: gauge }]'), 'agents')).agents).toHaveLength(1);
  });

  test('tells every mistake with its line and column', async () => {
    const wrong = file('wrong.yaml', LOOP.replace('max_iterations: 2', 'max_iterations: none\nquality_threshold: 2'));
    const error = await loadSpec(wrong).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(SpecFileError);
    expect(error).toMatchObject({
      type: 'InvalidSpec',
      file: wrong,
      problems: [
        { path: 'max_iterations', line: 3, column: expect.any(Number) },
        { path: 'quality_threshold', line: 4, column: expect.any(Number) },
      ],
    });
    await expect(loadSpec(file('broken.yaml', 'a: ['))).rejects.toMatchObject({ type: 'InvalidYaml' });
  });

  test('a file of another kind, or none at all, is said so', async () => {
    const goal = file('goal.yaml', 'goal: Go.');
    await expect(loadSpec(goal)).rejects.toThrow('the file holds a plan (`goal:`), and no spec (`generator:`)');
    await expect(loadSpec(file('s.yaml', LOOP), 'pipeline')).rejects.toThrow('and no pipeline (`nodes:`)');
    await expect(loadSpec(path.join(folder, 'nowhere.yaml'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
