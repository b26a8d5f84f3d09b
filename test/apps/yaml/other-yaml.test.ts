import { parseSpecFile, SpecFileError } from '../../../src/apps/yaml';

function mistakes(text: string): { type: string; lines: string[] } {
  try {
    parseSpecFile(text, 'loop.yaml');
  } catch (error) {
    if (!(error instanceof SpecFileError)) throw error;
    return { type: error.type, lines: error.message.split('\n').slice(1) };
  }
  throw new Error('the file was accepted');
}

describe('YAML that would not mean what it says', () => {
  const head = 'generator: {action: llm.call, prompt: x}\nevaluator: {type: llm}\n';
  test.each([
    [
      'a tag that runs code',
      'state: {a: !!js/function "function () {}"}',
      ['loop.yaml:3:12  Unresolved tag: tag:yaml.org,2002:js/function'],
    ],
    [
      'a list of pairs',
      'state: {a: !!omap [x: 1]}',
      [expect.stringMatching(/state\.a\[0\]: is not a value that JSON has/)],
    ],
    ['a key twice', 'state: {a: 1, "a": 2}', ['loop.yaml:3:15  this key stands here twice; keep one']],
    [
      'a key twice, as a number and as a text',
      'state: {1: 1, "1": 2}',
      ['loop.yaml:3:15  this key stands here twice; keep one'],
    ],
    ['a merge', '<<: {name: x}', ['loop.yaml:3:1  <<: unknown field']],
    ['a prototype', '__proto__: {name: x}', ['loop.yaml:3:1  __proto__: unknown field']],
  ])('%s', (_name, text, expected) => {
    expect(mistakes(`${head}${text}\n`).lines).toEqual(
      expected.map((line) => (typeof line === 'string' ? `  ${line}`.trimStart() : line)),
    );
  });

  test('YAML 1.1, where no is false and << is no key', () => {
    expect(mistakes(`%YAML 1.1\n---\n${head}state: {answer: no, <<: {a: 1}}`).lines).toEqual([
      expect.stringMatching(/YAML 1\.1; this reads YAML 1\.2/),
    ]);
  });

  test('keys of a state that mean something to JavaScript stay keys', () => {
    const { spec } = parseSpecFile(`${head}state: {__proto__: {polluted: 1}, constructor: 2}`, 'loop.yaml');
    expect(JSON.stringify(spec.state)).toBe('{"__proto__":{"polluted":1},"constructor":2}');
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});
