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

  test.each([
    [
      '- It begins with a # heading.',
      'loop.yaml:3:5  evaluator[0]: ends at " # heading.", which is a comment; a text with it must stand in quotes',
    ],
    [
      '- It names issue #7 and PR #8.',
      'loop.yaml:3:5  evaluator[0]: ends at " #7 and PR #8.", which is a comment; a text with it must stand in quotes',
    ],
    [
      '- &co is not written.',
      'loop.yaml:3:9  evaluator[0]: loses "&co", which would be an anchor; a text with it must stand in quotes',
    ],
    [
      '- !!str is not written.',
      'loop.yaml:3:11  evaluator[0]: loses its first word, which would be a tag; a text with it must stand in quotes',
    ],
    [
      '- It is short.\ntask: Close issue #7 of the list.',
      'loop.yaml:4:7  task: ends at " #7 of the list.", which is a comment; a text with it must stand in quotes',
    ],
  ])('a sentence of which a part is lost is refused: %s', (lines, expected) => {
    const [first, ...more] = lines.split('\n');
    const text = `generator: {action: llm.call, prompt: x}\nevaluator:\n  ${first}\n${more.join('\n')}`;
    expect(mistakes(text).lines).toEqual([expected]);
  });

  test.each([
    '- It is short. # the judge knows.',
    '- It is short\n  # and plain.',
    '- It is short # TODO: ask Ada.',
    '- "It begins with a # heading."',
    "- 'It is &co # not.'",
    '- &rule It is short.\n  - *rule',
    '- It asks C#7 and R&D.',
  ])('a sentence beside a comment, or in quotes, is read: %s', (lines) => {
    const { spec } = parseSpecFile(`task: Write a note. # short\nevaluator:\n  ${lines}\n`, 'loop.yaml');
    expect(JSON.stringify(spec.evaluator)).toMatch(
      /It (?:is short|begins with a # heading|is &co # not|asks C#7 and R&D)/,
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
