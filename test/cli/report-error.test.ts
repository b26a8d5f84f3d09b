import { reportError } from '../../src/cli/report-error';
import { parseEvaluationFile } from '../../src/yaml/index';

test('an evaluation without data is told which option gives it', () => {
  const lines: string[] = [];
  const spy = jest.spyOn(console, 'error').mockImplementation((text: unknown) => void lines.push(String(text)));
  try {
    parseEvaluationFile('schema: true', 'check.yaml', {});
  } catch (error) {
    reportError(error);
  } finally {
    spy.mockRestore();
  }
  expect(lines.join('\n')).toMatch(/check\.yaml:1:1 {2}data: is required.*\nAdd --data, or `data:` to the file\.$/);
});
