import { readJudgeReply } from '../../src/evaluators/judge/judge-reply';
import { redact } from '../../src/lib/redact';
import { parseSpecFile } from '../../src/apps/yaml';
import { within } from './within';

describe('texts that are made to break who reads them', () => {
  const head = 'generator: {action: llm.call, prompt: x}\nevaluator: {type: llm}\n';
  const lines = (count: number, line: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => line(at)).join('\n');
  test.each<[string, string]>([
    ['8,000 keys', `${head}state:\n${lines(8_000, (at) => `  a${at}: 1`)}`],
    ['8,000 anchors', `${head}state:\n${lines(8_000, (at) => `  a${at}: &a${at} 1`)}`],
    ['a list without end', `${head}state: {a: ${'['.repeat(20_000)}`],
    ['comments', `${head}${'#'.repeat(1_900_000)}`],
    ['blanks', `${head}${' '.repeat(1_900_000)}x`],
  ])('a file of %s is read or refused', async (_name, text) => {
    const read = await within(() => parseSpecFile(text, 'large.yaml'));
    expect(read instanceof Error ? read.name : 'read').toMatch(/^(?:SpecFileError|read)$/);
  });

  test('a failure of dots and letters is searched for secrets', async () => {
    const text = `${'a.'.repeat(150_000)} amqp://me:hidden@host`;
    expect(await within(() => redact(text, { length: 1e6 }))).toBe(`${'a.'.repeat(150_000)} amqp://[redacted]@host`);
  });

  test('the reply of a judge that is one line of blanks', async () => {
    const reply = `Score: 0.9\nreason:${' '.repeat(99_000)}x\u2028y`;
    expect(await within(() => readJudgeReply(reply))).toMatchObject({ score: 0.9 });
  });
});
