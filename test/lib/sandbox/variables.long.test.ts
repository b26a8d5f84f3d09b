import type { Json } from '../../../src/lib/json/json';
import type { StepLanguage } from '../../../src/lib/sandbox/languages';
import { createSandbox, type Sandbox } from '../../../src/lib/sandbox';
import { SNAPSHOTS } from './snapshots';

/** Loading Python takes seconds of processor time, and other tests run beside. */
jest.setTimeout(180_000);

let sandbox: Sandbox;

beforeAll(() => {
  sandbox = createSandbox({ poolSize: 1, timeMs: 30_000, snapshotFolder: SNAPSHOTS });
});

afterAll(() => sandbox.close());

describe('a key of the state that is called result', () => {
  const withResult = (language: StepLanguage, code: string, result: Json = { content: 'old' }) =>
    sandbox.run({ language, code, inputs: { state: { result } } });

  test.each<[StepLanguage, string]>([
    ['python', 'return {"was": result["content"]}'],
    ['javascript', 'return { was: result.content }'],
    ['lua', 'return { was = result.content }'],
    ['javascript', 'for (const key of Object.keys(result)) return { was: result[key] }'],
    ['lua', 'for key, value in pairs(result) do return { was = value } end'],
  ])('is a variable in %s', async (language, code) => {
    expect(await withResult(language, code)).toEqual({ was: 'old' });
  });

  test.each<[StepLanguage, string]>([
    ['python', 'x = result["content"]'],
    ['javascript', 'const x = result.content;'],
    ['lua', 'local x = result.content'],
  ])('is no result of code in %s that sets none', async (language, code) => {
    expect(await withResult(language, code)).toBeUndefined();
  });

  test.each<[StepLanguage, string, Json]>([
    ['python', 'result = state["result"]', 7],
    ['python', 'for result in [1, 7]:\n    pass', 7],
    ['javascript', 'result = state.result', 7],
    ['javascript', 'const { result } = state', 7],
    ['javascript', 'let total = 0, result = 7', 7],
    ['lua', 'result = state.result', 7],
    ['lua', 'local a, result = 1, 7', 7],
  ])('stands back for what code in %s sets: %s', async (language, code, wanted) => {
    expect(await withResult(language, code, 7)).toBe(wanted);
  });
});

test('Python has the modules that agents of other engines use without an import', async () => {
  const code =
    'return [json.loads("7"), re.findall("[0-9]", "a1")[0], math.floor(2.5), state["json"] if "json" in state else 0]';
  expect(await sandbox.run({ language: 'python', code, inputs: { state: {} } })).toEqual([7, '1', 2, 0]);
});

test.each<[string, Json]>([
  ['return [best.get("content", "none"), best["content"], best.get("title", "none")]', ['prose', 'prose', 'none']],
  ['return [card.get("content", "none"), card["title"], card.get("title")]', ['none', 'late', 'late']],
  [
    'return [best, best[0], best[1:3], isinstance(best, str), json.dumps(best), {best: 1}]',
    ['prose', 'p', 'ro', true, '"prose"', { prose: 1 }],
  ],
  [
    'return [state["best"].get("content"), state.get("best").upper(), state.get("none", {}).get("content")]',
    ['prose', 'PROSE', null],
  ],
])('a text of the state is read by Python as what it holds, or as a reply: %s', async (code, wanted) => {
  const state = { best: 'prose', card: '{"title": "late"}' };
  expect(await sandbox.run({ language: 'python', code, inputs: { state } })).toEqual(wanted);
});

test('a text of the state has no other keys, and an output is no reply', async () => {
  const failing = (code: string) =>
    sandbox.run({ language: 'python', code, inputs: { state: { best: 'prose' }, output: 'prose' } });
  await expect(failing('return best["title"]')).rejects.toThrow('string indices must be integers');
  await expect(failing('return output.get("content")')).rejects.toThrow("'str' object has no attribute 'get'");
});
