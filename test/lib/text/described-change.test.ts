import { describesChange } from '../../../src/lib/text/described-change';
import { expectWithin } from '../../../testing/support/processor-time';

const OLD = 'the meeting is on Monday at ten.';
const NEW = 'the meeting is on Tuesday at ten.';
const draft = `Dear team,\n\n${OLD}\nPlease bring the figures of May.\n\nKind regards\nKim`;
const fence = '```';

describe('a reply that describes a change', () => {
  test.each<[string, string]>([
    ['blocks between rules', `------- SEARCH\n${OLD}\n=======\n${NEW}\n+++++++ REPLACE`],
    ['blocks with brackets', `<<<<<<< SEARCH>\n${OLD}\n=======\n${NEW}\n>>>>>>> REPLACE>`],
    ['blocks indented', `  <<<<<<< SEARCH\n  ${OLD}\n  =======\n  ${NEW}\n  >>>>>>> REPLACE`],
    ['blocks in lower case', `<<<<<<< search\n${OLD}\n=======\n${NEW}\n>>>>>>> replace`],
    ['blocks of three angles', `<<< SEARCH\n${OLD}\n===\n${NEW}\n>>> REPLACE`],
    ['blocks with ORIGINAL and UPDATED', `<<<<<<< ORIGINAL\n${OLD}\n=======\n${NEW}\n>>>>>>> UPDATED`],
    ['blocks with words first', `SEARCH <<<<<<<\n${OLD}\n=======\n${NEW}\nREPLACE >>>>>>>`],
    ['blocks with headings', `### SEARCH\n${OLD}\n### REPLACE\n${NEW}`],
    ['conflict markers', `<<<<<<< HEAD\n${OLD}\n=======\n${NEW}\n>>>>>>> revised`],
    ['conflict markers without names', `<<<<<<<\n${OLD}\n=======\n${NEW}\n>>>>>>>`],
    [
      'a block with a file name (aider)',
      `letter.txt\n${fence}\n<<<<<<< SEARCH\n${OLD}\n=======\n${NEW}\n>>>>>>> REPLACE\n${fence}`,
    ],
    ['a unified diff', `--- a/letter.txt\n+++ b/letter.txt\n@@ -3,2 +3,2 @@\n-${OLD}\n+${NEW}\n Please bring`],
    ['a unified diff in a fence', `${fence}diff\n@@ -3 +3 @@\n-${OLD}\n+${NEW}\n${fence}`],
    ['a diff without numbers', `@@ @@\n-${OLD}\n+${NEW}`],
    ['a diff without a header', `-${OLD}\n+${NEW}`],
    ['a diff with blanks behind its signs', `- ${OLD}\n+ ${NEW}`],
    ['a diff with kept lines', ` Dear team,\n \n-${OLD}\n+${NEW}\n Please bring the figures of May.`],
    ['a diff of git', `diff --git a/l b/l\nindex 1..2 100644\n-${OLD}\n+${NEW}`],
    ['a context diff', `*** 3,3 ****\n! ${OLD}\n--- 3,3 ----\n! ${NEW}`],
    ['a plain diff', `3c3\n< ${OLD}\n---\n> ${NEW}`],
    ['a patch envelope', `*** Begin Patch\n*** Update File: letter.txt\n@@\n-${OLD}\n+${NEW}\n*** End Patch`],
    ['JSON with old and new', JSON.stringify({ edits: [{ old_string: OLD, new_string: NEW }] })],
    ['JSON with search and replace', JSON.stringify([{ search: OLD, replace: NEW }])],
    ['JSON with find and replace_with', JSON.stringify({ find: 'Monday', replace_with: 'Tuesday' })],
    ['JSON with camel case', JSON.stringify({ oldText: OLD, newText: NEW })],
    ['a JSON Patch', JSON.stringify({ patch: [{ op: 'replace', path: '/2', value: NEW }] })],
    ['a JSON Patch as a list', JSON.stringify([{ op: 'replace', path: '/2', value: NEW }])],
    ['a JSON Patch in Python quotes', `[{'op': 'replace', 'path': '/2', 'value': '${NEW}'}]`],
    ['JSON of changes by line', JSON.stringify({ changes: [{ line: 3, text: NEW }] })],
    ['JSON that is cut off', `{"edits": [{"old_str": "${OLD}", "new_str": "the mee`],
    ['a call of an editing tool', JSON.stringify({ command: 'str_replace', old_str: OLD, new_str: NEW })],
    ['tags of search and replace', `<search>${OLD}</search>\n<replace>${NEW}</replace>`],
    ['tags of old and new', `<edit>\n<old_text>${OLD}</old_text>\n<new_text>${NEW}</new_text>\n</edit>`],
    ['tags of before and after', `<before>${OLD}</before><after>${NEW}</after>`],
    ['a tag of an edit', `<edit line="3">${NEW}</edit>`],
    ['a call in XML', `<function_calls>\n<invoke name="edit">\n${NEW}\n</invoke>\n</function_calls>`],
  ])('%s', (_name, reply) => {
    expect(describesChange(reply, draft)).toBe(true);
  });

  test.each<[string, string, string]>([
    ['the whole text', draft.replace('Monday', 'Tuesday'), draft],
    ['a text that is all new', 'Team: Tuesday, ten. Bring the figures. Kim', draft],
    ['a text of one line', 'On Tuesday.', 'On Monday.'],
    ['a text of one word', 'Tuesday', 'Monday'],
    ['a list for a paragraph', `- ${OLD}\n- Please bring the figures of May.`, draft],
    ['a text with a rule', `${NEW}\n\n---\n\nKim`, draft],
    ['a text with a heading that is underlined', `Letter\n======\n\n${NEW}`, draft],
    ['a mail with its head', `From: Kim\nTo: team\nSubject: Tuesday\n\n${NEW}`, draft],
    [
      'a text that quotes two things',
      'He said "Monday" first, and "Tuesday" to the others.\nPlease bring the figures of May.\nKind regards\nKim',
      `He said "Monday".\n${draft}`,
    ],
    [
      'a recipe',
      '1. Add two eggs.\n2. Remove the pan from the fire.\n3. Change the water.',
      '1. Add an egg.\n2. Change the water.',
    ],
    [
      'a manual of edits',
      `Write blocks:\n<<<<<<< SEARCH\nx\n=======\nz\n>>>>>>> REPLACE`,
      `Write blocks:\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE`,
    ],
    ['a diff for a diff', `--- a\n+++ b\n@@ -1 +1 @@\n-x\n+z`, `--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y`],
    ['a patch for a patch', '[{"op": "add", "path": "/a", "value": 2}]', '[{"op": "add", "path": "/a", "value": 1}]'],
    ['JSON for JSON', '{"name": "Lamp", "quantity": 3}', '{"name": "Lamp", "quantity": 2}'],
    ['JSON for prose', '{"name": "Lamp", "quantity": 3}', 'A lamp, three times.'],
    ['code with signs', 'a = 1\nb = a\n-b', 'a = 1\n-b'],
    ['code', 'const s = text.replace("Monday", "Tuesday");', 'const s = text.replace("Monday", "Mon");'],
    ['a changelog', '## 1.1\n- Change the day to Tuesday\n- Add figures', '## 1.1\n- Change the day to Monday'],
    ['numbered lines', '1: one\n2: two\n3: drei', '1: one\n2: two\n3: three'],
    ['numbered lines that are new', '1) one\n2) two\n3) three', 'one, two and three'],
    ['an empty text', '', draft],
    [
      'a table of before and after',
      '| Before | After |\n|---|---|\n| 1 | 2 |',
      '| Before | After |\n|---|---|\n| 1 | 3 |',
    ],
  ])('is none: %s', (_name, reply, before) => {
    expect(describesChange(reply, before)).toBe(false);
  });

  test('is found in time that grows with the reply', async () => {
    const texts = [
      '-'.repeat(200_000),
      '"a'.repeat(100_000),
      's/'.repeat(100_000),
      '@@ -1 '.repeat(50_000),
      '<old '.repeat(50_000),
    ];
    await expectWithin(2_000, () => {
      for (const text of texts) describesChange(text, text.slice(1));
    });
  });
});
