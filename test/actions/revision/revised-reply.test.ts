import { revisedOutput, type RevisedReply } from '../../../src/actions/revision/revised-reply';
import type { Json } from '../../../src/lib/json/json';

const before = 'Minutes\n\nThe meeting is on Monday.\n\n1. The pump is replaced.\n2. Kim asks for prices.';
const after = before.replace('Monday', 'Tuesday');
const lazy = 'Minutes\n\nThe meeting is on Tuesday.\n\n[rest unchanged]';
const diff = '@@ -3 +3 @@\n-The meeting is on Monday.\n+The meeting is on Tuesday.';
const block = '<<<<<<< SEARCH\nThe meeting is on Monday.\n=======\nThe meeting is on Tuesday.\n>>>>>>> REPLACE';
const lazyBlock =
  '<<<<<<< SEARCH\n1. The pump is replaced.\n2. Kim asks for prices.\n=======\n(... items unchanged ...)\n>>>>>>> REPLACE';
const fenced = (text: string, label = ''): string => `\`\`\`${label}\n${text}\n\`\`\``;
const read = (reply: string, asked: RevisedReply['asked'], output: Json = before) =>
  revisedOutput({ reply, output, asked });

describe('a reply to a request for a revision', () => {
  test.each(['edits', 'whole', 'anew', 'by author'] as const)('is the text, where %s was asked for', (asked) => {
    expect(read(after, asked)).toEqual({ output: after, isWhole: true, warnings: [], faults: [] });
  });

  test('of edits is a problem where it leaves something out, or is in another form', () => {
    expect(read(block, 'edits')).toMatchObject({ output: after, isWhole: false });
    for (const reply of [lazy, lazyBlock]) {
      expect(read(reply, 'edits')).toEqual({
        problem: expect.stringMatching(/unchanged.*in the place of what it leaves/),
      });
    }
    expect(read(diff, 'edits')).toEqual({ problem: expect.stringMatching(/other form/) });
  });

  test.each(['whole', 'by author'] as const)('of a text has a fault, where %s was asked for', (asked) => {
    expect(read(lazy, asked)).toMatchObject({ output: lazy, faults: [expect.stringMatching(/"\[rest unchanged\]"/)] });
    for (const reply of [diff, fenced(diff, 'diff'), block]) {
      expect(read(reply, asked)).toMatchObject({ faults: [expect.stringMatching(/describes a change/)] });
    }
  });

  test('of one who did not see the text before is not compared with it', () => {
    expect(read(lazy, 'anew')).toMatchObject({ output: lazy, faults: [] });
  });

  test('that is a diff of something else is the text', () => {
    const patch = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-one\n+two';
    expect(read(patch, 'whole', 'Here is what to change: one.')).toMatchObject({ output: patch, faults: [] });
  });

  test('of a structure leaves nothing out either', () => {
    const list = { items: ['pump', 'valve', 'seal', 'hose'] };
    const reply = JSON.stringify({ items: ['Pump', '... rest unchanged'] });
    expect(read(reply, 'whole', list)).toMatchObject({ faults: [expect.stringMatching(/rest unchanged/)] });
  });

  test.each(['whole', 'by author'] as const)(
    'holds a structure, the last of several, where %s was asked for',
    (asked) => {
      const reply = 'As before: {"name": "Ada", "born": 1816}\nCorrected: {"name": "Ada", "born": 1815}';
      expect(read(reply, asked, { name: 'Ada', born: 0 })).toMatchObject({
        output: { name: 'Ada', born: 1815 },
        warnings: [expect.stringMatching(/several values .* the last one/)],
      });
    },
  );

  test.each<[string, string, string, boolean]>([
    ['a text', fenced(after), before, true],
    ['a text with a label', fenced(after, 'markdown'), before, true],
    ['code', fenced('b = 2', 'python'), 'a = 1', true],
    ['a text of one line', fenced('On Tuesday.'), 'On Monday.', true],
    ['a text with tildes', `~~~\n${after}\n~~~`, before, true],
    ['a text that is announced', `Here is the corrected version:\n\n${fenced(after)}`, before, true],
    ['a text that is announced politely', `Sure! Here's the revised text:\n${fenced(after, 'text')}`, before, true],
    ['words after the fence', `Here is the text:\n${fenced(after)}\nTell me more.`, before, false],
    ['a text that had a fence', fenced('b = 2', 'python'), fenced('a = 1', 'python'), false],
    ['a text with two fences', `${fenced('a')}\n${fenced('b')}`, 'a', false],
    ['a text beside a fence', `Run this:\n${fenced('npm test')}`, 'Run npm.', false],
    ['a fence that does not end', `\`\`\`\n${after}`, before, false],
  ])('loses the fence around it only where the text before has none: %s', (_name, reply, output, isOff) => {
    const result = read(reply, 'whole', output);
    const inside = reply
      .slice(reply.search(/```|~~~/))
      .split('\n')
      .slice(1, -1)
      .join('\n');
    expect(result).toMatchObject({ output: isOff ? inside : reply, faults: [] });
    expect(result).toMatchObject({ warnings: isOff ? [expect.stringMatching(/fence .* was taken off/)] : [] });
  });
});
