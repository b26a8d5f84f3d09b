import { parseEvaluationFile } from '../../src/apps/yaml';
import { parseFile } from '../../src/apps/yaml/parse/parse-file';
import { parseBatch } from '../../src/kinds/batch/parse/batch';
import { parsePipeline } from '../../src/kinds/pipeline/parse/pipeline';
import { parsePlanSpec } from '../../src/kinds/plan/parse/plan';
import { parseEvaluation } from '../../src/kinds/standalone/parse/standalone';
import type { SpecProblem } from '../../src/lib/contract/spec-problem';
import { parseSpec } from '../../src/loop/parse/spec';

const VALUES = 'is gone since 0.3; a `function` evaluator compares the values of an output with its inputs';
const DOCKET = 'is gone since 0.3; `convergence: { endsWith: "minor" }` ends a loop that has only minor issues left';
const evaluator = { type: 'schema', schema: {}, valuesFrom: ['mail'] };
const loop = { task: 'Write.', evaluator, judge: { docket: true } };

const problemsOf = (read: object): SpecProblem[] => ('problems' in read ? (read.problems as SpecProblem[]) : []);

describe('a field that a release took away is refused with what takes its place', () => {
  test.each<[where: string, read: object, paths: Record<string, string>]>([
    ['in a spec', parseSpec(loop), { '/evaluator/valuesFrom': VALUES, '/judge/docket': DOCKET }],
    [
      'in the second judge',
      parseSpec({ task: 'Write.', evaluator: 'It is kind.', judge: { second: evaluator } }),
      { '/judge/second/valuesFrom': VALUES },
    ],
    ['in an evaluation', parseEvaluation({ evaluator, data: 'x' }), { '/evaluator/valuesFrom': VALUES }],
    [
      'in the loop of a node',
      parsePipeline({ nodes: [{ name: 'one', uses: 'reflection.loop', with: loop }] }),
      { '/nodes/0/with/evaluator/valuesFrom': VALUES, '/nodes/0/with/judge/docket': DOCKET },
    ],
    [
      'in the evaluation of a node',
      parsePipeline({ nodes: [{ name: 'one', uses: 'reflection.evaluate', with: { evaluator, data: 'x' } }] }),
      { '/nodes/0/with/evaluator/valuesFrom': VALUES },
    ],
    [
      'in the loop of a task',
      parsePlanSpec({ goal: 'Go.', plan: { id: 'p', tasks: [{ id: 'a', description: 'A', step: { loop } }] } }),
      { '/plan/tasks/0/step/loop/evaluator/valuesFrom': VALUES, '/plan/tasks/0/step/loop/judge/docket': DOCKET },
    ],
    [
      'in the loop of a batch',
      parseBatch({ loop, digest: 'x', pages: [1] }),
      { '/loop/evaluator/valuesFrom': VALUES, '/loop/judge/docket': DOCKET },
    ],
  ])('%s', (_where, read, paths) => {
    const found = Object.fromEntries(problemsOf(read).map(({ path, message }) => [path, message]));
    expect(found).toMatchObject(paths);
  });

  test('in files, by the names of files', () => {
    const written = 'evaluator: { type: schema, schema: {}, values_from: [mail] }';
    expect(() => parseFile(`task: Write.\n${written}\njudge: { docket: true }\n`, 'a.yaml')).toThrow(
      new RegExp(`evaluator\\.values_from: is gone since 0\\.3[^]*judge\\.docket: is gone since 0\\.3`),
    );
    expect(() => parseEvaluationFile(`data: x\n${written}\n`, 'a.yaml')).toThrow(/evaluator\.values_from: is gone/);
  });

  test('and a problem of another kind at such a path keeps its own sentence', () => {
    const given = parseSpec({ task: 'Write.', evaluator: 'It is kind.', state: { valuesFrom: Number.NaN } });
    expect(problemsOf(given)).toEqual([
      { path: '/state/valuesFrom', message: expect.not.stringContaining('gone') as string },
    ]);
  });
});
