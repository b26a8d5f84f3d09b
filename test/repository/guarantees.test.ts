import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { namesInFile } from '../../testing/requirements/table';

const PROJECT = path.join(__dirname, '..', '..');
const read = (file: string) => readFileSync(path.join(PROJECT, file), 'utf8');

/** The promises of the page, each as one line. */
const PROMISES = read('docs/guarantees.md')
  .split(/^- /m)
  .slice(1)
  .map((text) => text.split(/\n\n/)[0]!.replaceAll(/\s+/g, ' '));

describe('docs/guarantees.md', () => {
  test.each(PROMISES)('names what would notice: %s', (promise) => {
    const tests = [...promise.matchAll(/`(test\/[^`]+)`: "([^"]+)"/g)];
    const commands = [...promise.matchAll(/`npm run ([\w:]+)(?: -- [\w ]+)?`: `((?:scripts|testing)\/[^`]+)`/g)];
    expect(tests.length + commands.length).toBeGreaterThan(0);
    // The page may leave out how a name goes on, such as the values of a table.
    const isThere = ([, file, name]: string[]) => namesInFile(file!)?.some((own) => own.startsWith(name!)) ?? false;
    expect(tests.filter((test) => !isThere(test)).map(([text]) => text)).toEqual([]);
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    for (const [, command, file] of commands) {
      expect(scripts).toHaveProperty([command!]);
      expect(existsSync(path.join(PROJECT, file!))).toBe(true);
    }
  });

  test('the checks of `npm run torture` that it names are run', () => {
    const checker = read('testing/torture/check.ts');
    const named = [...read('docs/guarantees.md').matchAll(/testing\/torture\/(checks\/[\w-]+)\.ts/g)].map(
      ([, name]) => name!,
    );
    expect(named).not.toEqual([]);
    for (const name of named) expect(checker).toContain(`'./${name}'`);
  });
});
