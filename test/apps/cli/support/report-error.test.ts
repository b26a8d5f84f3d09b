import { stripVTControlCharacters } from 'node:util';
import { ServiceError } from '@temporalio/client';
import { reportError } from '../../../../src/apps/cli/support/report-error';
import { parseEvaluationFile } from '../../../../src/apps/yaml';

function reported(work: () => unknown): string {
  const lines: string[] = [];
  const spy = jest.spyOn(console, 'error').mockImplementation((text: unknown) => void lines.push(String(text)));
  try {
    work();
  } catch (error) {
    reportError(error);
  } finally {
    spy.mockRestore();
  }
  return stripVTControlCharacters(lines.join('\n'));
}

test('what the server said of a list is told, and which command adds the search attributes that it lacks', () => {
  const details = 'invalid query: invalid search attribute: ReflectionStatus';
  const cause = Object.assign(new Error(`3 INVALID_ARGUMENT: ${details}`), { code: 3, details });
  const fails = () => {
    throw new ServiceError('Failed to list workflows', { cause });
  };
  expect(reported(fails)).toBe(
    `ServiceError: Failed to list workflows: ${details}\nRegister them with \`npx reflect doctor --fix\`.`,
  );
});

test('an evaluation without data is told which option gives it', () => {
  expect(reported(() => parseEvaluationFile('schema: true', 'check.yaml', {}))).toMatch(
    /check\.yaml:1:1 {2}data: is required.*\nAdd --data, or `data:` to the file\.$/,
  );
});
