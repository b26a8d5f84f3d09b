import { FieldError } from '../../../../src/apps/cli/review/payload';
import { readSent } from '../../../../src/apps/cli/review/payload';

const form = (fields: Record<string, string>) =>
  new URLSearchParams({ run: 'run', id: 'id', iteration: '3', ...fields });
const outputOf = (fields: Record<string, string>): unknown =>
  (readSent('loop', form({ command: 'override', ...fields }), 'Ada')[0]!.payload as { output: unknown }).output;
const acceptOf = (fields: Record<string, string>): unknown =>
  readSent('loop', form({ command: 'accept', ...fields }), 'Ada')[0]!.payload;

describe('a form of the review page', () => {
  test.each(['json', 'maybe_json'])('a slip in JSON is refused with its place, where versions are %s', (format) => {
    const sent = () => outputOf({ format, output: '{"number": 1,\ntotal: 2}' });
    expect(sent).toThrow(FieldError);
    expect(sent).toThrow(/line 2, column 1: a name in double quotes is expected. Nothing was sent/);
    expect(outputOf({ format, output: '{"number": 1}' })).toEqual({ number: 1 });
    expect(outputOf({ format, output: '{"number": 1,\r\ntotal: 2}', text: '1' })).toBe('{"number": 1,\ntotal: 2}');
  });

  test('a text is a text', () => {
    expect(outputOf({ format: 'text', output: '{"number": 1, total: 2}' })).toBe('{"number": 1, total: 2}');
    expect(outputOf({ format: 'maybe_json', output: '42 is the answer' })).toBe('42 is the answer');
    expect(() => outputOf({ format: 'json', output: '42 is the answer' })).toThrow(/line 1, column 4/);
  });

  test('accept names the version under review, or asks for the best', () => {
    const who = { id: 'id', by: 'Ada' };
    expect(acceptOf({ version: '1' })).toEqual({ ...who, iteration: 1 });
    expect(acceptOf({})).toEqual({ ...who, iteration: 3 });
    expect(acceptOf({ best: '1' })).toEqual({ ...who, best: true });
  });
});
