import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { correct } from '../../../../src/apps/cli/kinds/standalone/evaluate-correct';

describe('reflect correct --errors', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reflect-errors-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  test.each<[what: string, text: string, says: RegExp]>([
    [
      'the failure of a command',
      '{"error": {"type": "InvalidSpec", "message": "no"}}',
      /\(all of it\): must be a list/,
    ],
    ['an evaluation whose issues are no list', '{"issues": "none"}', /\(all of it\): must be a list/],
    [
      'an error without its message',
      '["no name", {"path": "/age"}]',
      /\/1: must be a text, or an object with `message`/,
    ],
  ])('%s: the file that is wrong is named, and what it should hold', async (_what, text, says) => {
    const spec = file('fix.yaml', 'prompt: Correct it\ndata: 1\n');
    const errors = file('errors.json', text);
    const refused = correct(spec, { errors, state: [], stateFile: [], address: '127.0.0.1:1' });
    await expect(refused).rejects.toMatchObject({
      type: 'InvalidErrors',
      message: expect.stringMatching(says) as string,
      advice: expect.stringContaining('list of texts or of objects with `message`') as string,
    });
    await expect(refused).rejects.toThrow(errors);
    await expect(refused).rejects.not.toThrow('fix.yaml');
  });
});
