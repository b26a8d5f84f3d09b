import { editedOutput } from '../../../src/actions/revision/revision-edits';
import type { Json } from '../../../src/lib/json/json';

const output = { name: 'Ada', years: [1815, 1851] };
const operation = { op: 'replace', path: '/years/1', value: 1852 };
const right = { output: { name: 'Ada', years: [1815, 1852] } };
const patch = JSON.stringify({ patch: [operation] });

describe('a reply to a request for edits of a structure', () => {
  test.each<[string, string]>([
    ['as it was asked for', patch],
    ['in a fence', `Here you are:\n\`\`\`json\n${patch}\n\`\`\``],
    ['as RFC 6902 has it: a list', JSON.stringify([operation])],
    ['behind other JSON in prose', `As of [1] and {"note": "wrong year"}:\n${patch}`],
  ])('is a patch %s', (_name, reply) => {
    expect(editedOutput(reply, output)).toEqual(right);
  });

  test.each<[string, string]>([
    ['that is cut off', patch.slice(0, -3)],
    ['that is cut off behind its first operation', `${patch.slice(0, -2)}, {"op": "remo`],
    ['of one operation, beside any list', JSON.stringify(operation)],
    ['with a comma too many', patch.replace('}]', '},]')],
    ['of nothing', '{"patch": []}'],
  ])('a patch %s is a problem: it is no output', (_name, reply) => {
    expect(editedOutput(reply, output)).toEqual({ problem: expect.stringMatching(/patch/) });
  });

  test.each<[string, string]>([
    ['blocks', '<<<<<<< SEARCH\n1851\n=======\n1852\n>>>>>>> REPLACE'],
    ['a diff', '```diff\n-    1851\n+    1852\n```'],
    ['old and new', '{"edits": [{"old_string": "1851", "new_string": "1852"}]}'],
    ['one operation in Python quotes', "{'op': 'replace', 'path': '/years/1', 'value': 1852}"],
    ['a merge patch', '{"years": [1815, 1852]}'],
    ['values by their place', '{"/years/1": 1852}'],
    ['values by their path', '{"years.1": 1852}'],
    ['changes by their path', '{"changes": [{"path": "/years/1", "value": 1852}]}'],
  ])('%s in another form are a problem: they are no output', (_name, reply) => {
    expect(editedOutput(reply, output)).toEqual({ problem: expect.stringMatching(/the patch cannot be read/) });
  });

  test('two patches that differ are a problem, and the same one twice is one', () => {
    const other = patch.replace('1852', '1853');
    expect(editedOutput(`${patch}\n\nOr rather:\n${other}`, output)).toEqual({
      problem: expect.stringMatching(/several patches/),
    });
    expect(editedOutput(`${patch}\n\nThat is:\n${patch}`, output)).toEqual(right);
  });

  test.each<[string, string, Json]>([
    ['an object without a key', '{"years": [1815, 1851]}', output],
    ['an object with another key', '{"name": "Ada", "born": 1815}', output],
    ['another object', '{"name": "Ada", "years": [1815, 1852]}', output],
    ['prose', 'Ada, 1815 to 1852.', output],
    [
      'a list of operations, where that is what is written',
      JSON.stringify([operation]),
      [{ op: 'remove', path: '/x' }],
    ],
    ['a list', '[1, 2]', [1, 3]],
  ])('%s is an output as a whole', (_name, reply, before) => {
    expect(editedOutput(reply, before)).toBe('whole');
  });
});

describe('a reply to a request for edits of a text', () => {
  const text = 'one\ntwo\nthree';
  const markers = ['<<<<<<< SEARCH', 'two', '=======', 'zwei', '>>>>>>> REPLACE'];

  test('is made of edits, or is the text as a whole', () => {
    expect(editedOutput(markers.join('\n'), text)).toEqual({ output: 'one\nzwei\nthree' });
    expect(editedOutput('one\nzwei\nthree', text)).toBe('whole');
  });

  test.each<[string, string]>([
    ['indented', markers.map((line) => `  ${line}`).join('\n')],
    ['in lower case', markers.join('\n').toLowerCase()],
    ['under other names', markers.join('\n').replace('SEARCH', 'ORIGINAL').replace('REPLACE', 'UPDATED')],
    ['begun in the middle', markers.slice(1).join('\n')],
  ])('edits %s are a problem: their markers are no text', (_name, reply) => {
    expect(editedOutput(reply, text)).toEqual({ problem: expect.stringMatching(/edits cannot be read/) });
  });

  test('where the text is about such markers, so may be what takes its place', () => {
    const manual = `Edits look like this:\n${markers.map((line) => `    ${line}`).join('\n')}`;
    expect(editedOutput(manual.replace('two', 'deux'), manual)).toBe('whole');
  });
});
