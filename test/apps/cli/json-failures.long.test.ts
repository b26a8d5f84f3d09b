import { reflect } from './reflect-command';

/** Commands that fail without a server: each in its own way. */
const FAILURES: [string, string[], object][] = [
  [
    'no server',
    ['show', 'some-run', '--address', '127.0.0.1:1'],
    { type: 'ServerUnreachable', advice: expect.any(String) },
  ],
  ['no file', ['run', 'no-such-file.yaml'], { type: 'FileUnreadable', advice: 'Check the path.' }],
  [
    'an unknown option',
    ['list', '--lmit', '3'],
    { type: 'InvalidCommandLine', message: expect.stringMatching(/--lmit/) },
  ],
  [
    'mistakes in a file',
    ['run', '-'],
    {
      type: 'InvalidSpec',
      problems: expect.arrayContaining([expect.objectContaining({ path: 'generatr', line: 1, column: 1 })]),
    },
  ],
];

test.each(FAILURES)(
  '%s: with --json one value on standard output, people read standard error, and the exit code is 1',
  async (_what, args, error) => {
    const options = { input: 'generatr: {}\n' };
    const [plain, json] = await Promise.all([reflect(args, options), reflect([...args, '--json'], options)]);
    expect(plain.stdout).toBe('');
    expect(JSON.parse(json.stdout)).toEqual({ error: expect.objectContaining(error) });
    expect(json.stderr).toBe(plain.stderr);
    expect([plain.code, json.code]).toEqual([1, 1]);
  },
  60_000,
);
