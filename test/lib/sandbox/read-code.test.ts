import { createSandbox, type Sandbox } from '../../../src/lib/sandbox';
import type { StepLanguage } from '../../../src/lib/sandbox/languages';

const RIGHT: Record<StepLanguage, string[]> = {
  python: ['return output["a"]', 'result = 1', 'import math\ndef f(x):\n    return x\nreturn f(1)', 'raise SystemExit'],
  lua: ['return { output.a, "why" }', 'result = 1', 'local result = 2', 'while true do end'],
  javascript: ['return output.a', 'let result = 1', 'const f = (x) => x\nreturn f(1)', 'for (;;) {}'],
  prolog: ['result(R) :- output(R).', 'Result = 1', '?- output(X), Result = X.', ':- halt.'],
};

const WRONG: Record<StepLanguage, [code: string, said: RegExp][]> = {
  python: [
    ['x = 1\nreturn (x', /^Python, line 2: SyntaxError: .*never closed/],
    ['if True:\nreturn 1', /^Python, line 2: IndentationError/],
    ['x = "\0"', /^Python.*null bytes/],
  ],
  lua: [
    ['local x = 1\nreturn {', /^Lua, line 2: SyntaxError/],
    ['retrun 1', /^Lua, line 1: SyntaxError/],
  ],
  javascript: [
    ['let x = 1;\nreturn {{', /^JavaScript(?:, line 2)?: SyntaxError/],
    ['let x = 1; let x = 2', /^JavaScript.*SyntaxError/],
  ],
  prolog: [
    ['result(R) :- output(R).\nresult(R) :- foo(.', /^Prolog, line 2: SyntaxError/],
    ['result(R :- output(R).', /^Prolog.*SyntaxError/],
  ],
};

describe('code that is read and not run', () => {
  let sandbox: Sandbox;
  beforeAll(() => {
    sandbox = createSandbox({ poolSize: 0 });
  });
  afterAll(() => sandbox.close());

  test.each(Object.keys(RIGHT) as StepLanguage[])(
    '%s: mistakes are told with their lines, and nothing runs',
    async (language) => {
      const wrong = WRONG[language].map(([code]) => code);
      const found = await sandbox.check(language, [...RIGHT[language], ...wrong]);
      expect(found.slice(0, RIGHT[language].length)).toEqual(RIGHT[language].map(() => undefined));
      for (const [index, [, said]] of WRONG[language].entries())
        expect(found[RIGHT[language].length + index]).toMatch(said);
    },
    120_000,
  );

  test('the same code is read once', async () => {
    const again = sandbox.check('javascript', ['return output.a', 'let x = 1; let x = 2']);
    // No process starts and answers within two turns of the event loop.
    const twoTurns = new Promise((resolve) => setImmediate(() => setImmediate(() => resolve('later'))));
    expect(await Promise.race([again, twoTurns])).toEqual([undefined, expect.stringContaining('SyntaxError')]);
  });
});
