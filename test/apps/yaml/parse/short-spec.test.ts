import { parseSpecFile, SpecFileError } from '../../../../src/apps/yaml';

function mistakes(text: string): string[] {
  try {
    parseSpecFile(text, 'loop.yaml');
  } catch (error) {
    if (!(error instanceof SpecFileError)) throw error;
    return error.message.split('\n').slice(1);
  }
  throw new Error('the file was accepted');
}

describe('a file with a spec in its short form', () => {
  test('two lines are a whole spec, and its long form is what is read', () => {
    const { spec } = parseSpecFile('task: Write a note.\nevaluator: [It names the change., clarity]\n', 'loop.yaml');
    expect(spec).toEqual({
      task: 'Write a note.',
      generator: { action: 'llm.call', prompt: expect.stringMatching(/^\{\{ task \}\}/) },
      evaluator: [
        {
          type: 'criteria',
          criteria: [
            { name: 'it_names_the_change', threshold: 1, evaluatorConfig: { questions: ['It names the change.'] } },
            'clarity',
          ],
        },
      ],
    });
  });

  test('a short form is told with the line that it stands in, also where a worker finds what is wrong', () => {
    const text = `task: Write.
evaluator:
  - It is kind.
  - pattern: x
    must_match: 3
  - clartiy
  - { patern: x }
quality_criteria:
  - { name: short, wait: 1 }
`;
    expect(mistakes(text)).toEqual([
      expect.stringMatching(/^loop\.yaml:5:5 {2}evaluator\[1\]\.must_match: /),
      expect.stringMatching(/^loop\.yaml:6:5 {2}evaluator\[2\]: .*did you mean clarity/),
      expect.stringMatching(/^loop\.yaml:7:5 {2}evaluator\[3\]: .*did you mean pattern/),
      expect.stringMatching(/^loop\.yaml:9:20 {2}quality_criteria\[0\]\.wait: unknown field/),
    ]);
    const good = 'task: Write.\nevaluator:\n  - It is kind.\n  - It is short.\n  - { run: x }\n';
    const { locate } = parseSpecFile(good, 'loop.yaml');
    const lineOf = (path: string) => locate({ path, message: 'm' }).map(({ line }) => line);
    expect(lineOf('/evaluator/1/run')).toEqual([5]);
    expect(lineOf('/evaluator/0/criteria/1/evaluatorConfig')).toEqual([4]);
  });
});
