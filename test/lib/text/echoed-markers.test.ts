import { shownTexts, withoutMarkers, type WithoutMarkers } from '../../../src/lib/text/echoed-markers';
import { fenceText, isFenceCode } from '../../../src/lib/templates/fence';
import { expectWithin } from '../../../testing/support/processor-time';

const OLD = 'On Monday.\nSee you!';
const NEW = 'On Tuesday.\nSee you!';
const codeIn = (shown: string): string => /<<<[^\n]*? ([0-9a-f]{8})\n/.exec(shown)![1]!;

const request = fenceText('REQUEST', 'Say when the meeting is.');
const output = fenceText('OUTPUT', OLD);
const issues = fenceText('ISSUES', '- It is on Tuesday.');
const material = fenceText('MATERIAL', NEW);
const prompt = [`Revise it.\n${request}\n\n${output}\n\n${issues}`, `The mail:\n${material}`];
const code = codeIn(output);
const ofMail = codeIn(material);

function read(reply: string): WithoutMarkers | undefined {
  return withoutMarkers(reply, shownTexts(reply, prompt, isFenceCode));
}

describe('markers of a prompt that its reply copies', () => {
  test.each<[string, string]>([
    ['around the output', `<<<OUTPUT ${code}\n${NEW}\n${code} OUTPUT>>>`],
    ['around the output, in a fence', `\`\`\`\n<<<OUTPUT ${code}\n${NEW}\n${code} OUTPUT>>>\n\`\`\``],
    ['with an introduction', `Here it is:\n\n<<<OUTPUT ${code}\n${NEW}\n${code} OUTPUT>>>\n\nI changed the day.`],
    ['opening only', `<<<OUTPUT ${code}\n${NEW}`],
    ['opening only, with an introduction', `Sure.\n<<<OUTPUT ${code}\n${NEW}`],
    ['closing only', `${NEW}\n${code} OUTPUT>>>`],
    ['with a label of its own', `<<<CORRECTED ${code}\n${NEW}\n${code} CORRECTED>>>`],
    ['with a label of two words', `Done.\n<<<REVISED OUTPUT ${code}\n${NEW}\n${code} REVISED OUTPUT>>>`],
    ['closed like a bracket', `<<<OUTPUT ${code}>>>\n${NEW}\n<<<OUTPUT ${code}>>>`],
    ['closed with a slash', `<<<OUTPUT ${code}>>>\n${NEW}\n<<</OUTPUT ${code}>>>`],
    ['closed with END', `<<<OUTPUT ${code}>>>\n${NEW}\n<<<END OUTPUT ${code}>>>`],
    ['in capitals', `<<<OUTPUT ${code.toUpperCase()}\n${NEW}\n${code.toUpperCase()} OUTPUT>>>`],
    ['with two angles', `<<OUTPUT ${code}\n${NEW}\n${code} OUTPUT>>`],
    ['without angles', `OUTPUT ${code}\n${NEW}\n${code} OUTPUT`],
    ['as bare codes on lines', `${code}\n${NEW}\n${code}`],
    ['with blank lines at the end', `<<<OUTPUT ${code}\n${NEW}\n${code} OUTPUT>>>\n\n`],
    ['with Windows line breaks', `<<<OUTPUT ${code}\r\n${NEW}\r\n${code} OUTPUT>>>\r\n`],
    ['around the old text, with the new one behind', `${output}\n\n${NEW}`],
    ['around the old text and the new one', `${output}\n<<<OUTPUT ${code}\n${NEW}\n${code} OUTPUT>>>`],
    ['of the request and the issues, with the new text behind', `${request}\n${issues}\n${NEW}`],
    ['around material that was to be copied', `<<<MATERIAL ${ofMail}\n${NEW}\n${ofMail} MATERIAL>>>`],
  ])('%s are taken off', (_name, reply) => {
    const found = read(reply);
    expect(found?.fault).toBeUndefined();
    expect(found?.text.trim()).toBe(NEW);
    expect(found?.warning).toMatch(/copied markers of its prompt, which were taken off/);
  });

  test.each<[string, string, string]>([
    ['around a part', `The mail says:\n${material}\nThat is all.`, `The mail says:\n${NEW}\nThat is all.`],
    [
      'inside of JSON',
      `{"text": "<<<OUTPUT ${code}\\nOn Tuesday.\\n${code} OUTPUT>>>", "n": 1}`,
      '{"text": "On Tuesday.", "n": 1}',
    ],
    [
      'inside of edits',
      `<<<<<<< SEARCH\n<<<OUTPUT ${code}\nOn Monday.\n=======\n<<<OUTPUT ${code}\nOn Tuesday.\n>>>>>>> REPLACE`,
      '<<<<<<< SEARCH\nOn Monday.\n=======\nOn Tuesday.\n>>>>>>> REPLACE',
    ],
    [
      'around edits',
      `<<<EDITS ${code}\n<<<<<<< SEARCH\nOn Monday.\n=======\nOn Tuesday.\n>>>>>>> REPLACE\n${code} EDITS>>>`,
      '<<<<<<< SEARCH\nOn Monday.\n=======\nOn Tuesday.\n>>>>>>> REPLACE',
    ],
  ])('%s are taken off, and nothing else', (_name, reply, text) => {
    expect(read(reply)).toMatchObject({ text });
    expect(read(reply)).not.toHaveProperty('fault');
  });

  test.each<[string, string]>([
    ['a code in a sentence', `The code is ${code}, and the meeting on Tuesday.`],
    ['a code in JSON', `{"code": "${code}", "text": "On Tuesday."}`],
    ['nothing but markers', `<<<OUTPUT ${code}\n\n${code} OUTPUT>>>`],
    ['nothing but a line with a code', `OUTPUT ${code}`],
  ])('%s makes a reply useless', (_name, reply) => {
    expect(read(reply)).toHaveProperty('fault');
  });

  test.each<[string, string]>([
    ['another code', `<<<OUTPUT 01234567\n${NEW}\n01234567 OUTPUT>>>`],
    ['a here-document', 'cat <<<EOF 12 EOF>>>'],
    ['a hash', `commit ${code}${code}0123456\n${NEW}`],
    ['conflict markers', `<<<<<<< HEAD\n${OLD}\n=======\n${NEW}\n>>>>>>> main`],
    ['no marker', NEW],
  ])('%s is left alone', (_name, reply) => {
    expect(read(reply)).toBeUndefined();
  });

  test('are none where somebody wrote a marker into what was shown', () => {
    const fake = '<<<OUTPUT 01234567\nbuy this\n01234567 OUTPUT>>>';
    const shown = [fenceText('MATERIAL', `before\n${fake}\nafter`)];
    const reply = `The page says ${fake}, and more.`;
    expect(withoutMarkers(reply, shownTexts(reply, shown, isFenceCode))).toBeUndefined();
  });

  test('are read in time that grows with the reply', async () => {
    const reply = `${`<<<OUTPUT ${code}\n`.repeat(20_000)}${'<'.repeat(100_000)}`;
    await expectWithin(2_000, () => {
      read(reply);
    });
  });
});
