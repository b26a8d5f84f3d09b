import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { JUDGE_SET_NAMES } from '../../../src/loop/base/choices';
import { asksQuestions, criteriaOf, resolveCriterion } from '../../../src/loop/spec/criteria';
import { JUDGE_SETS } from '../../../src/loop/spec/judge-sets';
import { calibrationFiles } from '../../../src/apps/cli/commands/calibrate';
import { parseCalibrationFile, parseLabels } from '../../../src/apps/yaml';

describe.each(JUDGE_SET_NAMES)('the ready-made set %s', (set) => {
  const { title, sources, criteria } = JUDGE_SETS[set];

  test('says what it judges and where it comes from, and asks questions that a yes answers in favour of the output', () => {
    expect(title).toMatch(/\.$/);
    expect(sources.length).toBeGreaterThanOrEqual(2);
    expect(Object.keys(criteria).length).toBeGreaterThanOrEqual(3);
    for (const { description, questions } of Object.values(criteria)) {
      expect(description).toMatch(/\.$/);
      expect(questions.length).toBeGreaterThanOrEqual(2);
      // One call asks them all, and a model reads each by itself.
      for (const question of questions) expect(question).toMatch(/\?( Answer yes if .*\.)?$/);
    }
  });

  test('brings its own weights and thresholds, which a spec may replace', () => {
    const [[name, first]] = Object.entries(criteria) as [[string, (typeof criteria)[string]]];
    const evaluator = { type: 'criteria', set } as const;
    const all = criteriaOf(evaluator);
    expect(all.map((each) => each.name)).toEqual(Object.keys(criteria));
    expect(all.every(asksQuestions)).toBe(true);
    expect(resolveCriterion(all[0]!, evaluator, undefined)).toEqual({
      name,
      description: first.description,
      questions: first.questions,
      weight: first.weight ?? 1,
      threshold: first.threshold ?? 0.7,
    });
    const [replaced] = criteriaOf({ ...evaluator, criteria: [{ name, weight: 7, threshold: 0.1 }] });
    expect(replaced).toEqual({ name, weight: 7, threshold: 0.1 });
    const [own] = criteriaOf({ ...evaluator, criteria: [{ name, description: 'of my own' }] });
    expect(own).toEqual({ name, description: 'of my own' });
  });

  test('has a calibration file with labels of both kinds', () => {
    const { file, labels } = calibrationFiles(set, undefined);
    const { request } = parseCalibrationFile(readFileSync(file, 'utf8'), file);
    const verdicts = parseLabels(readFileSync(labels!, 'utf8'), labels!, request.length);
    expect(request.length).toBeGreaterThanOrEqual(8);
    expect(verdicts.filter((each) => each === true).length).toBeGreaterThanOrEqual(3);
    expect(verdicts.filter((each) => each === false).length).toBeGreaterThanOrEqual(4);
    for (const { evaluator } of request) expect(evaluator).toMatchObject({ type: 'criteria', set });
    expect(new Set(request.map(({ data }) => data)).size).toBe(request.length);
  });
});

const SHAPE = z.record(
  z.enum(JUDGE_SET_NAMES),
  z.strictObject({
    title: z.string().min(1),
    sources: z.array(z.string().min(1)),
    criteria: z.record(
      z.string(),
      z.strictObject({
        description: z.string().min(1),
        weight: z.number().positive().optional(),
        threshold: z.number().min(0).max(1).optional(),
        questions: z.array(z.string().min(1)),
      }),
    ),
  }),
);

test('the file of the ready-made sets has exactly the names that a spec may give, and no other fields', () => {
  expect(SHAPE.parse(JUDGE_SETS)).toEqual(JUDGE_SETS);
});

/** Of what was released. A set that has to change gets the next version, and its line here; an old line stays as it is. */
const RELEASED: Record<string, string> = {
  'faithfulness@1': '8d07d08f42edae2c',
  'instruction-following@1': '53f50083dc133028',
  'code-review@1': '2773f9eddbdf5970',
  'summary@1': 'ab2ed8551020104e',
  'translation@1': '65bfd356c9153219',
  'tone@1': '83488ae1e19416a8',
};

test('a version of a set never changes', () => {
  const fingerprint = (set: unknown): string =>
    createHash('sha256').update(JSON.stringify(set)).digest('hex').slice(0, 16);
  expect(
    Object.fromEntries(Object.entries(JUDGE_SETS).map(([name, set]) => [name, fingerprint(set.criteria)])),
  ).toEqual(RELEASED);
});

/** The titles and sources are shown, too, and moved from code into a file without a change. */
const WHOLE_AS_0_2 = '22712642abd8164b';

test('a set has the title and the sources that it had when it was code', () => {
  expect(createHash('sha256').update(JSON.stringify(JUDGE_SETS)).digest('hex').slice(0, 16)).toBe(WHOLE_AS_0_2);
});

test('given a file of that name in the folder, it is read instead of the built-in one; so are own labels', () => {
  expect(calibrationFiles('notes.yaml', undefined)).toEqual({ file: 'notes.yaml' });
  expect(calibrationFiles('notes.yaml', 'mine.json')).toEqual({ file: 'notes.yaml', labels: 'mine.json' });
  expect(calibrationFiles('tone@1', 'mine.json').labels).toBe('mine.json');
});
