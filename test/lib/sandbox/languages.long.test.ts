import type { Json, JsonObject } from '../../../src/lib/json/json';
import type { StepLanguage } from '../../../src/lib/sandbox/languages';
import { CodeFailed, createSandbox, defaultLevel, type Execution, type Sandbox } from '../../../src/lib/sandbox';
import { shortestTime } from '../../../testing/support/measure-again';
import { SNAPSHOTS } from './snapshots';

/** Loading Python takes seconds of processor time, and other tests run beside. */
jest.setTimeout(180_000);

const executions: Execution[] = [];
let sandbox: Sandbox;

beforeAll(() => {
  sandbox = createSandbox({
    poolSize: 1,
    timeMs: 30_000,
    snapshotFolder: SNAPSHOTS,
    onExecution: (execution) => executions.push(execution),
  });
});

afterAll(() => sandbox.close());

const STATE: JsonObject = {
  topic: 'tides',
  limit: 3,
  words: ['ebb', null, 'flow'],
  nested: { deep: { flag: true }, empty: {}, list: [] },
  reflection_iteration: 2,
};

async function run(language: StepLanguage, code: string, output: Json = { name: 'Ada', score: 0.5 }) {
  return sandbox.run({ language, code, inputs: { state: STATE, output } });
}

async function failureOf(language: StepLanguage, code: string): Promise<CodeFailed> {
  const error: unknown = await run(language, code).then(
    () => new Error('it succeeded'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof CodeFailed)) throw error;
  return error;
}

/** The same for every language: what is given, and what the code makes of it. */
interface Case {
  what: string;
  code: Record<StepLanguage, string>;
  gives: Json;
}

const CASES: Case[] = [
  {
    what: 'sets result from output, state and the keys of the state',
    code: {
      javascript:
        'result = { who: output.name, topic, from: state.topic, deep: nested.deep.flag, n: reflection_iteration }',
      lua: 'result = { who = output.name, topic = topic, from = state.topic, deep = nested.deep.flag, n = reflection_iteration }',
      python:
        'result = {"who": output["name"], "topic": topic, "from": state["topic"], "deep": nested["deep"]["flag"], "n": reflection_iteration}',
      prolog:
        'result(_{who: Who, topic: T, from: F, deep: D, n: N}) :- output(O), Who = O.name, state(topic, T), state(S), F = S.topic, D = S.nested.deep.flag, state(reflection_iteration, N).',
    },
    gives: { who: 'Ada', topic: 'tides', from: 'tides', deep: true, n: 2 },
  },
  {
    what: 'keeps lists, null, empty objects, numbers and texts of all kinds',
    code: {
      javascript: 'return [words, nested.empty, nested.list, 1.5, -2, "ü\\n\\"\u2028", false]',
      lua: 'return { words, nested.empty, nested.list, 1.5, -2, "ü\\n\\"\u2028", false }',
      python: 'return [words, nested["empty"], nested["list"], 1.5, -2, "ü\\n\\"\u2028", False]',
      prolog: 'state(words, W), state(nested, N), Result = [W, N.empty, N.list, 1.5, -2, "ü\\n\\"\u2028", false].',
    },
    gives: [['ebb', null, 'flow'], {}, [], 1.5, -2, 'ü\n"\u2028', false],
  },
  {
    what: 'takes the value of the last result',
    code: {
      javascript: 'let result = 1;\nif (limit > 2) { result = [true, "long enough"] }',
      lua: 'local result = 1\nif limit > 2 then result = { true, "long enough" } end',
      python: 'result = 1\nif limit > 2:\n    result = (True, "long enough")',
      prolog: '?- ( state(limit, L), L > 2 -> Result = [true, "long enough"] ; Result = 1 ).',
    },
    gives: [true, 'long enough'],
  },
];

const LANGUAGES: StepLanguage[] = ['javascript', 'lua', 'python', 'prolog'];

describe.each(LANGUAGES)('inline %s', (language) => {
  test.each(CASES)(`$what (${language})`, async ({ code, gives }) => {
    expect(await run(language, code[language])).toEqual(gives);
  });

  test(`an error has its language, line and message (${language})`, async () => {
    const code: Record<StepLanguage, [string, RegExp]> = {
      javascript: ['const a = 1;\nconst b = null;\nb.missing()', /^JavaScript, line 3: TypeError: .*missing/],
      lua: ['local a = 1\nlocal b = nil\nb.missing()', /^Lua, line 3: Error: .*nil value/],
      python: ['a = 1\nb = {}\nb["missing"]', /^Python, line 3: KeyError: 'missing'/],
      prolog: ['fine.\n\nresult(X) :- missing(X).', /^Prolog, line 3: .*unknown procedure missing\/1/],
    };
    const [text, message] = code[language];
    const failure = await failureOf(language, text);
    expect(failure.message).toMatch(message);
    expect(failure).toMatchObject({ language, reason: 'error', line: 3 });
  });

  test(`a text that is no ${language} says where`, async () => {
    const code: Record<StepLanguage, string> = {
      javascript: 'const a = 1;\nconst b = ;',
      lua: 'local a = 1\nlocal b = = 2',
      python: 'a = 1\nb = = 2',
      prolog: 'fine.\nresult(X) :- X = = 2.',
    };
    expect(await failureOf(language, code[language])).toMatchObject({
      line: 2,
      message: expect.stringContaining('SyntaxError'),
    });
  });
});

test('what code changes stays in its process', async () => {
  const given = structuredClone(STATE);
  const job = { language: 'javascript' as const, inputs: { state: given, output: 1 } };
  expect(await sandbox.run({ ...job, code: 'state.topic = "x"; words.push(1); output = 2; return state.topic' })).toBe(
    'x',
  );
  expect(given).toEqual(STATE);
  expect(await sandbox.run({ ...job, code: 'return [state.topic, topic, output]' })).toEqual(['tides', 'tides', 1]);
});

test('the pure modules of Python’s standard library are there', async () => {
  const code = `
import ast, collections, dataclasses, datetime, decimal, difflib, functools, itertools, json, math, random, re
import statistics, string, textwrap, urllib.parse, uuid

def words(text):
    return re.findall(r"\\w+", text)

class Count:
    total = 0

for word in words("to be or not to be"):
    Count.total += 1

try:
    parsed = json.loads("{")
except:
    parsed = None

if parsed is None:
    data = [len(words("a b")), math.floor(2.5), statistics.mean([1, 3]), ast.literal_eval("[1]")]
    topic = topic.upper()
    return {"data": data, "count": Count.total, "topic": topic, "day": datetime.date(2024, 2, 29), "set": {2, 1}}
return None
`;
  expect(await run('python', code)).toEqual({
    data: [2, 2, 2, [1]],
    count: 6,
    topic: 'TIDES',
    day: '2024-02-29',
    set: [1, 2],
  });
});

test('keys of the state may be called as what the runtime uses', async () => {
  const state = {
    JSON: 'j',
    object: 'o',
    array: [1, {}],
    null: 'n',
    pcall: 'p',
    list: [{ a: [] }, null],
    output: 0,
    __proto__: 1,
  };
  const inputs = {
    state: JSON.parse(JSON.stringify(state).replace('{', '{"__proto__":{"a":1},')) as JsonObject,
    output: { b: 1 },
  };
  const code: [StepLanguage, string][] = [
    ['javascript', 'return [JSON, object, array, pcall, list, output.b]'],
    ['lua', 'return { state.JSON, object, state.array, pcall, list, output.b }'],
    ['python', 'return [JSON, object, array, pcall, list, output["b"]]'],
  ];
  for (const [language, text] of code) {
    expect(await sandbox.run({ language, code: text, inputs })).toEqual(['j', 'o', [1, {}], 'p', [{ a: [] }, null], 1]);
  }
});

test('code that neither returns nor sets a result gives none', async () => {
  expect(await run('javascript', 'const a = 1')).toBeUndefined();
  expect(await run('lua', 'local a = 1')).toBeUndefined();
  expect(await run('python', 'a = 1')).toBeUndefined();
  expect(await run('prolog', 'X = 1, ( X = 2 -> Result = 1 ; true )')).toBeUndefined();
});

test('a Prolog goal without Result says whether it holds', async () => {
  expect(await run('prolog', 'state(words, W), memberchk("ebb", W)')).toBe(true);
  expect(await run('prolog', 'state(words, W), memberchk("calm", W).')).toBe(false);
  expect((await failureOf('prolog', 'Result = 1, fail.')).message).toMatch(/no solution/);
});

test('what is no JSON is no result', async () => {
  expect((await failureOf('python', 'result = object()')).message).toMatch(/object, which JSON has not/);
  expect((await failureOf('python', 'result = float("nan")')).message).toMatch(/JSON/);
  expect((await failureOf('lua', 'result = print')).message).toMatch(/function, which JSON has not/);
  expect((await failureOf('lua', 'result = 0/0')).message).toMatch(/number that JSON has not/);
  expect((await failureOf('prolog', 'Result = foo(1).')).message).toMatch(/json expected/);
});

test.each<[StepLanguage, code: string, problem: RegExp]>([
  ['python', 'result = 10**400', /^Python: its result holds a number that is too large for JSON$/],
  ['prolog', 'Result is 10**400.', /^Prolog: its result holds a number that is too large for JSON$/],
  ['prolog', 'Result is inf.', /number that JSON has expected, found 1\.0Inf/],
  ['prolog', 'X is nan, Result = [1, X].', /number that JSON has expected, found 1\.5NaN/],
  ['prolog', 'shell(ls, Result).', /^Prolog, line 1: permission_error: shell\/2/],
  ['prolog', 'shell(ls), Result = 1.', /^Prolog, line 1: permission_error: shell\/2/],
  [
    'prolog',
    "use_foreign_library(foreign('/lib/x86_64-linux-gnu/libc.so.6')), Result = 1.",
    /libc\.so\.6' does not exist/,
  ],
  ['prolog', "system:use_foreign_library('/lib/x.so'), Result = 1.", /foreign_library '\/lib\/x\.so' does not exist/],
  ['prolog', ":- use_foreign_library(foreign('/lib/x.so')).\nresult(1).", /'\/lib\/x\.so' does not exist/],
  ['python', 'import asyncio\nasync def main(): pass\nasyncio.run(main())', /^Python, line 3: .*needs an event loop/],
  ['python', 'import pyodide_js', /^Python, line 1: ModuleNotFoundError: No module named 'pyodide_js'/],
  ['lua', "error('a\\xffb')", /a\ufffdb$/],
])('%s says what is wrong with %j', async (language, code, problem) => {
  expect((await failureOf(language, code)).message).toMatch(problem);
});

test('a forged stack does not say a line that the code has not', async () => {
  const code = "const error = new Error('x'); error.stack = 'at (code:999999999999999999999)'; throw error";
  expect((await failureOf('javascript', code)).line).toBeUndefined();
});

test('libraries that are linked into Prolog can be used', async () => {
  expect(await run('prolog', 'use_module(library(sha)), sha_hash(abc, [Result|_], []).')).toBe(169);
});

test('texts of Lua that were cut within a character, and bytes that are none, have a mark in that place', async () => {
  const code = String.raw`return { ('héllo'):sub(1, 2), string.char(127, 128, 31) .. 'abc', ('aé'):rep(20):sub(1, -2), 'né😀', { ['k\xff'] = 1 } }`;
  const whole = `${'aé'.repeat(19)}a\ufffd`;
  expect(await run('lua', code)).toEqual(['h\ufffd', '\u007f\ufffd\u001fabc', whole, 'né😀', { 'k\ufffd': 1 }]);
});

test('a text of 5 MB in the state of Lua is there at once', async () => {
  const odd = `a"\\\n\r\u0000\u007fé😀\ud800`;
  const state = { text: 'é"\n'.repeat(1_500_000), odd };
  const took = await shortestTime(6_000, async () => {
    const started = performance.now();
    const value = await sandbox.run({ language: 'lua', code: 'return { #text, odd }', inputs: { state } });
    expect(value).toEqual([6_000_000, odd.replace('\ud800', '\ufffd')]);
    return performance.now() - started;
  });
  // It took more than 3 s on a quiet machine.
  expect(took).toBeLessThan(6_000);
});

test('tells what ran, by hash, and nothing of what it was about', async () => {
  executions.length = 0;
  await run('javascript', 'return "a secret"');
  await failureOf('lua', 'error("a secret")');
  expect(executions).toEqual([
    expect.objectContaining({ language: 'javascript', level: defaultLevel(), reason: 'result' }),
    expect.objectContaining({ language: 'lua', reason: 'error' }),
  ]);
  expect(executions[0]!.codeHash).toMatch(/^[0-9a-f]{64}$/);
  expect(executions[0]!.memoryBytes).toBeGreaterThan(1_000_000);
  expect(JSON.stringify(executions)).not.toContain('secret');
});

test.each(['process', 'trusted'] as const)(
  'level %s runs code, and ends what does not end by itself',
  async (level) => {
    const weaker = createSandbox({ level, poolSize: 0 });
    const inputs = { state: {} };
    expect(await weaker.run({ language: 'javascript', code: 'return 1 + 1', inputs })).toBe(2);
    const endless = weaker.run({ language: 'lua', code: 'while true do end', inputs, limits: { timeMs: 300 } });
    await expect(endless).rejects.toMatchObject({ reason: 'time' });
    const cancelled = weaker.run({
      language: 'lua',
      code: 'while true do end',
      inputs,
      signal: AbortSignal.timeout(1_500),
    });
    await expect(cancelled).rejects.toMatchObject({ name: 'TimeoutError' });
    await weaker.close();
  },
);
