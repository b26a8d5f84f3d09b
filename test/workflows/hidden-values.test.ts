import { z } from 'zod';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { defineAction } from '../../src/worker';
import { WriterAndJudge } from '../../testing/support/writer-and-judge';

const files = defineAction({
  name: 'files.write',
  description: 'Writes a file.',
  input: z.object({ text: z.string() }),
  run: () => 'written',
});
const keys = defineAction({
  name: 'keys.show',
  description: 'Shows a key.',
  input: z.object({}),
  run: () => 'the key is sk-abcdefghijk',
});
const key = 'sk-abcdefghijk';
const long = `${'x'.repeat(9_000)}!`;
const text = (schema: object) => ({ arguments: { properties: { text: schema } } });

describe('rules about values that records hide or shorten, on a real server', () => {
  let world: WriterAndJudge;

  beforeAll(async () => {
    world = await WriterAndJudge.start({ actions: [files, keys] });
  });
  afterAll(() => world.close());

  test.each<[what: string, name: string, given: object, rule: object, isBroken: boolean]>([
    ['a key in arguments', 'files.write', { text: key }, text({ pattern: 'sk-' }), true],
    ['anything but a key in arguments', 'files.write', { text: key }, text({ not: { pattern: 'sk-' } }), false],
    ['the end of a long text', 'files.write', { text: long }, text({ pattern: '!$' }), true],
    ['a long text itself', 'files.write', { text: long }, text({ const: long }), true],
    ['a longer text', 'files.write', { text: long }, text({ minLength: 9_002 }), false],
    ['a key in a result', 'keys.show', {}, { result: { pattern: 'sk-' } }, true],
    ['a result without a key', 'keys.show', {}, { result: { not: { pattern: 'sk-' } } }, false],
  ])('a rule that bars %s is decided by the call as it was made', async (_what, name, given, rule, isBroken) => {
    const spec = {
      task: 'Do it.',
      generator: { action: 'llm.call', model: 'writer', tools: [name] },
      evaluator: { type: 'calls', mustNot: [{ call: name, ...rule }] },
      maxIterations: 1,
    } as ReflectionSpec;
    const toolCalls = [{ name: name.replace('.', '_'), arguments: given }];
    const { history } = await world.run(spec, [{ toolCalls } as never, { reply: 'Done.' }]);
    const { evaluation, calls } = history.versions[0]!;
    expect(JSON.stringify(calls)).not.toContain(key);
    expect(calls![0]!.altered).toHaveLength(1);
    expect(evaluation.outcome).toBe(isBroken ? 'fail' : 'pass');
    expect(evaluation.issues.map(({ type }) => type)).toEqual(isBroken ? [`must_not: ${name}`] : []);
  });
});
