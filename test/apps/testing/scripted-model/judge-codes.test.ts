import { wordsOf, withAskedCode } from '../../../../src/apps/testing/scripted-model/judge-codes';
import { askForCode } from '../../../../src/lib/text/asked-code';

const CODE = '5eed5eed5eed5eed';
const ASKED = `Judge this.\n\n${askForCode(CODE, 'Is it good?')}`;

test.each<[string, string, string]>([
  ['{"valid": true}', ASKED, `{"code":"${CODE}","valid":true}`],
  ['Fine.\nVerdict: pass\nScore: 0.9', ASKED, `Fine.\nCode: ${CODE}\nVerdict: pass\nScore: 0.9`],
  ['**q1:** yes\nq2: no', ASKED, `Code: ${CODE}\n**q1:** yes\nq2: no`],
  ['Better: first', ASKED, `Code: ${CODE}\nBetter: first`],
  // What has a code, is no judgement, or answers something else stays as it is.
  ['{"code": "0000", "valid": true}', ASKED, '{"code": "0000", "valid": true}'],
  [`Verdict: pass\nCode: ${CODE}`, ASKED, `Verdict: pass\nCode: ${CODE}`],
  ['I like it!', ASKED, 'I like it!'],
  ['[true]', ASKED, '[true]'],
  ['{"valid": true}', 'Write JSON.', '{"valid": true}'],
  ['{"valid": true}', `${ASKED}\nNo more.`, '{"valid": true}'],
])('%j to a prompt that ends %#: %j', (reply, prompt, expected) => {
  expect(withAskedCode(reply, prompt)).toBe(expected);
});

test('the words of a message are found among its parts', () => {
  expect(wordsOf('a')).toBe('a');
  expect(wordsOf([{ type: 'text', text: 'a' }, { type: 'image_url' }, { type: 'text', text: 'b' }])).toBe('ab');
  expect(wordsOf(undefined)).toBe('');
});
