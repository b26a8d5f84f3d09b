import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ScriptedOpenAI } from '../../../../src/apps/testing/scripted-model/server';
import { parseFile, type FileOf, problemLine, SpecFileError } from '../../../../src/apps/yaml';
import { type LoopWorld, startWorld } from '../../../../testing/support/loop-world';

const textOf = (file: string): string => readFileSync(path.join(__dirname, file), 'utf8');

function read(file: string, change = (text: string): string => text): FileOf<'pipeline'> {
  const parsed = parseFile(change(textOf(file)), file);
  if (parsed.kind !== 'pipeline') throw new Error(`${file} was read as ${parsed.kind}`);
  return parsed;
}

const ENDPOINT = 'is ignored: which endpoint is called is configured on the worker (`models`, OPENAI_BASE_URL)';
const PEOPLE = 'is ignored: it says nothing about how the file runs';

describe('agent files that others wrote', () => {
  let world: LoopWorld;
  let scripted: ScriptedOpenAI;

  beforeAll(async () => {
    scripted = await ScriptedOpenAI.start({ script: [] });
    const model = (name: string) => ({ name, model: `${name}-1`, baseUrl: scripted.baseUrl });
    world = await startWorld({ models: [model('small'), model('large')] });
  });
  afterAll(async () => {
    await world.close();
    await scripted.close();
  });

  test.each<[file: string, answers: unknown[], expected: object, asked: string[], model?: string]>([
    ['release-note.yaml', ['Exports are streamed.'], { note: 'Exports are streamed.', links: [] }, ['about: exports']],
    ['wrapped-parameters.yaml', ['?', { cause: 'the moon' }], { cause: 'the moon' }, ['Explain tides', 'cause']],
    [
      'typed-state.yaml',
      ['Try again.', { score: 0.9, valid: true }],
      { answer: 'Try again.' },
      ['Welsh: no printer', 'polite'],
    ],
    [
      'merged-keys.yaml',
      ['So it is.'],
      { size: 3, first: 'one', both: { left: 1, right: 2 }, said: 'So it is.' },
      ['Size 3, first <<<MATERIAL '],
    ],
    [
      'told-by-code.yaml',
      ['Otters swim.', 'Otters swim. In short: they do.'],
      { report: 'Otters swim. In short: they do.', first: [0.4, false, 'summary', ''] },
      ['about otters', 'End with a summary of 1 sentence.'],
    ],
    [
      'replaced-by-code.yaml',
      ['A teapot, 12.50 euros.'],
      { card: { name: 'teapot', price: 12.5 }, line: 'teapot for 12.5' },
      ['Describe a teapot'],
    ],
    [
      'bare-names.yaml',
      ['Kelp grows.', { score: 0.9, valid: true }, 'Kelp.'],
      { text: 'Kelp grows.', short: 'Kelp.' },
      ['about kelp, in a dry tone', 'Is this dry? <<<OUTPUT', 'about kelp: <<<MATERIAL'],
      'large-1',
    ],
    [
      'braces-in-code.yaml',
      ['Hello, Ida.'],
      { greeting: 'Hello, Ida.', shown: '{{ greeting | upper }}' },
      ['Greet Ida'],
    ],
    [
      'earlier-result.yaml',
      ['It has 10 legs.'],
      { result: 'It has 10 legs.', legs: 10, asked: 'How many legs has a crab?', line: '10 legs: It has 10 legs.' },
      ['How many legs'],
    ],
    ['judged-elsewhere.yaml', ['the cat'], { words: 2 }, ['spelling']],
  ])('%s runs as it is', async (file, answers, expected, asked, model = 'small-1') => {
    const before = scripted.ledger.filter(({ kind }) => kind === 'request').length;
    scripted.play(answers.map((reply) => ({ reply })));
    const { state } = await world.client.pipelines.run(read(file).spec);
    expect(state).toMatchObject(expected);
    scripted.assertDone();
    const requests = scripted.ledger.filter(({ kind }) => kind === 'request').slice(before);
    expect(requests.map(({ body }) => body!.model)).toEqual(answers.map(() => model));
    for (const [index, words] of asked.entries()) expect(JSON.stringify(requests[index]!.body)).toContain(words);
  });

  test('what changes nothing is a warning with its place, and so is a state of another type', () => {
    const file = 'release-note.yaml';
    const lines = (given?: { words: number; audience: number }): string[] =>
      read(file)
        .warnings(given)
        .map((warning) => problemLine(file, warning));
    const ignored = [
      `${file}:4:1  author: ${PEOPLE}`,
      `${file}:14:3  settings.logging: is ignored: logs, metrics and traces are configured on the worker`,
      `${file}:16:5  settings.llm.provider: ${ENDPOINT}`,
      `${file}:17:5  settings.llm.api_key: is ignored: the key is OPENAI_API_KEY where the worker runs`,
      `${file}:21:5  nodes[0].tags: ${PEOPLE}`,
      `${file}:24:7  nodes[0].with.provider: ${ENDPOINT}`,
    ];
    const words = `${file}:7:3  state_schema.words: declares int, and the state has a text there`;
    const audience = `${file}:8:3  state_schema.audience: declares Optional[str], and the state has a number there`;
    expect(lines()).toEqual([ignored[0], words, ...ignored.slice(1)]);
    expect(lines({ words: 9, audience: 3 })).toEqual([ignored[0], audience, ...ignored.slice(1)]);
    expect(read('wrapped-parameters.yaml').warnings()).toEqual([]);
    const paths = (other: string): string[] =>
      read(other)
        .warnings()
        .map((each) => `${each.line}:${each.path}`);
    expect(paths('typed-state.yaml')).toEqual([
      '4:metadata',
      '10:state_schema.properties.urgent',
      '13:settings.observability',
      '14:settings.llm.base_url',
      '19:nodes[0].with.generator.provider',
      '21:nodes[0].with.evaluator[0].provider',
    ]);
    expect(paths('judged-elsewhere.yaml')).toEqual(['2:author', '4:settings.checkpointer', '7:nodes[0].labels']);
  });

  test('a template in inline code is a warning, of the file and of the run', async () => {
    const file = 'braces-in-code.yaml';
    const { spec, warnings } = read(file);
    const found = ['`{{ state.name }}` stays as it is: read `state.name`', '`{{ greeting | upper }}` stays as it is'];
    expect(warnings().map((warning) => problemLine(file, warning))).toEqual([
      expect.stringContaining(`${file}:11:9  nodes[0].with.evaluator.run: inline code is no template, so ${found[0]}`),
      expect.stringContaining(`${file}:17:5  nodes[1].run: inline code is no template, so ${found[1]}`),
    ]);
    scripted.play([{ reply: 'Hello, Ida.' }]);
    const { nodes } = await world.client.pipelines.run(spec);
    const [loop, code] = nodes.map((node) => node.warnings);
    expect(loop).toEqual([expect.stringContaining(`/evaluator/run: inline code is no template, so ${found[0]}`)]);
    expect(code).toEqual([expect.stringContaining(`/run: inline code is no template, so ${found[1]}`)]);
  });

  test.each([
    ['a key in the file', '${LLM_KEY}', 'sk-1', 'release-note.yaml:17:5  settings.llm.api_key: a key does not belong'],
    [
      'two words for the state',
      'author: docs team',
      'state: {}',
      'release-note.yaml:10:1  initial_state: says the same',
    ],
    ['a word with a meaning', 'author: docs team', 'imports: []', 'release-note.yaml:4:1  imports: not supported'],
  ])('%s stays a mistake', (_what, from, to, message) => {
    const change = (text: string): string => text.replace(from, () => to);
    expect(() => read('release-note.yaml', change)).toThrow(SpecFileError);
    expect(() => read('release-note.yaml', change)).toThrow(message);
  });
});
