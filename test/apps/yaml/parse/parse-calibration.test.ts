import { parseCalibrationFile, parseEvaluationFile, parseLabels, parseSpecFile } from '../../../../src/apps/yaml';

const FILE = 'evaluator: { type: llm }\noutputs: [one, { max_tokens: 2 }]\n';

describe('files of a calibration', () => {
  test('each output is a request of its own, and stays as it is', () => {
    const { name, request } = parseCalibrationFile(`name: tone\nstate: { a_b: 1 }\n${FILE}`, 'tone.yaml');
    expect(name).toBe('tone');
    expect(request).toEqual([
      { evaluator: { type: 'llm' }, state: { a_b: 1 }, data: 'one' },
      { evaluator: { type: 'llm' }, state: { a_b: 1 }, data: { max_tokens: 2 } },
    ]);
    const flat = parseCalibrationFile('evaluator_type: regex\npattern: x\noutputs: [x]\n', 'flat.yaml');
    expect(flat.request).toEqual([{ evaluator: { type: 'regex', pattern: 'x' }, data: 'x' }]);
  });

  test('evaluators may be sentences, as in a loop, and problems keep their places', () => {
    const text = 'task: Answer.\nevaluator:\n  - It names a price.\n  - { pattern: x, flags: i }\noutputs: [a, b]\n';
    const { request, locate } = parseCalibrationFile(text, 'short.yaml');
    const loop = parseSpecFile(text.replace('outputs: [a, b]\n', ''), 'short.yaml').spec.evaluator;
    expect(request).toEqual(['a', 'b'].map((data) => ({ task: 'Answer.', evaluator: loop, data })));
    expect(locate({ path: '/evaluator/0/criteria/0', message: 'x' })).toMatchObject([{ line: 3 }]);
    const [first] = request;
    expect(parseEvaluationFile(text.replace('outputs: [a, b]', 'data: a'), 'short.yaml').request).toEqual(first);
    const wrong = 'evaluator:\n  - It names a price.\n  - completness\noutputs: [a]\n';
    expect(() => parseCalibrationFile(wrong, 'f.yaml')).toThrow(/f\.yaml:3:5 {2}evaluator\[1\]: must be a sentence/);
  });

  test.each<[string, string, RegExp]>([
    ['no outputs', 'evaluator: { type: llm }\n', /file\.yaml:1:1 {2}outputs: must list/],
    ['data beside outputs', `${FILE}data: x\n`, /file\.yaml:3:1 {2}data: has no use/],
    ['a wrong evaluator', 'evaluator: { type: magic }\noutputs: [a]\n', /file\.yaml:1:14 {2}evaluator\.type/],
  ])('%s', (_name, text, says) => {
    expect(() => parseCalibrationFile(text, 'file.yaml')).toThrow(says);
  });

  test('labels are scores, verdicts or nothing, one for each output', () => {
    expect(parseLabels('[0.5, true, null]', 'labels.yaml', 3)).toEqual([0.5, true, null]);
    expect(() => parseLabels('[1]', 'labels.yaml', 2)).toThrow(/has 1 label for 2 outputs/);
    for (const wrong of ['[good]', '[2]', '{ a: 1 }']) {
      expect(() => parseLabels(wrong, 'labels.yaml', 1)).toThrow(/scores from 0 to 1/);
    }
  });
});
