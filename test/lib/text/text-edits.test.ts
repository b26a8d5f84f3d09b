import fc from 'fast-check';
import { applyTextEdits, readTextEdits, withLineEndsOf } from '../../../src/lib/text/text-edits';

const block = (search: string, replace: string) => `<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE`;

describe('edits of a text', () => {
  test('are read out of whatever the model says around them', () => {
    const reply = `Sure!\n\`\`\`\n${block('a', 'b')}\n\`\`\`\nand\n${block('two\nlines', '')}\nDone.`;
    expect(readTextEdits(reply)).toEqual([
      { search: 'a', replace: 'b' },
      { search: 'two\nlines', replace: '' },
    ]);
    expect(readTextEdits('A text without edits')).toEqual([]);
  });

  test('one that is cut off is not half applied', () => {
    expect(readTextEdits(`${block('a', 'b')}\n<<<<<<< SEARCH\nc`)).toEqual({
      problem: expect.stringMatching(/not finished/),
    });
  });

  test.each<[string, string, [string, string][], RegExp]>([
    ['text that is not there', 'one two', [['three', 'x']], /does not hold "three"/],
    ['text that is there twice', 'one one', [['one', 'x']], /more than once/],
    [
      'edits of the same text',
      'one two',
      [
        ['one t', 'x'],
        ['two', 'y'],
      ],
      /same text/,
    ],
    ['nothing', 'one', [['', 'x']], /searches for nothing/],
  ])('%s is a problem, and nothing is changed', (_name, text, edits, problem) => {
    const list = edits.map(([search, replace]) => ({ search, replace }));
    expect(applyTextEdits(text, list)).toEqual({ problem: expect.stringMatching(problem) });
  });

  const edited = (text: string, reply: string) => {
    const edits = readTextEdits(reply);
    return 'problem' in edits ? edits : applyTextEdits(text, withLineEndsOf(text, edits));
  };

  test('a heading underlined with = does not divide the edit that it stands in', () => {
    const text = 'Intro\n=====\nold words\n\nEnd\n===\n';
    const reply = block('Intro\n=====\nold words', 'Intro\n=====\nnew words');
    expect(edited(text, reply)).toEqual({ text: text.replace('old', 'new') });
  });

  test('an edit that could be divided in two ways is a problem: half of it would overwrite the wrong text', () => {
    const text = 'Intro\n=======\nold words\n';
    const reply = block('Intro\n=======\nold words', 'Intro\n=======\nnew words');
    expect(edited(text, reply)).toEqual({ problem: expect.stringMatching(/more than one dividing line/) });
    expect(edited(text, '<<<<<<< SEARCH\nold words\n>>>>>>> REPLACE')).toEqual({
      problem: expect.stringMatching(/no dividing line/),
    });
  });

  test('lines that nothing replaces are gone, and leave no empty line', () => {
    const remove = (search: string) => `<<<<<<< SEARCH\n${search}\n=======\n>>>>>>> REPLACE`;
    expect(edited('a,1\nb,2\nc,3\n', remove('b,2'))).toEqual({ text: 'a,1\nc,3\n' });
    expect(edited('a,1\r\nb,2\r\nc,3', remove('b,2\nc,3'))).toEqual({ text: 'a,1' });
    expect(edited('a,1\nb,2\nc,3', `${remove('b,2')}\n${remove('c,3')}`)).toEqual({ text: 'a,1' });
    // A part of a line leaves the rest of it, and an empty line in the place of one is an empty line.
    expect(edited('a very good day\nb', remove(' very'))).toEqual({ text: 'a good day\nb' });
    expect(edited('a\nb\nc', block('b', ''))).toEqual({ text: 'a\n\nc' });
  });

  test('lines are found, and written, with the line ends of the text, whichever the reply has', () => {
    const windows = 'one\r\ntwo\r\nthree\r\n';
    expect(edited(windows, block('one\ntwo', '1\n2'))).toEqual({ text: '1\r\n2\r\nthree\r\n' });
    expect(edited(windows, block('two', '2\n2½'))).toEqual({ text: 'one\r\n2\r\n2½\r\nthree\r\n' });
    expect(edited('one\ntwo\nthree', block('one\ntwo', '1\n2').replaceAll('\n', '\r\n'))).toEqual({
      text: '1\n2\nthree',
    });
    expect(edited('one\r\ntwo\nthree', block('one\ntwo', '1\n2'))).toEqual({ text: '1\r\n2\nthree' });
  });

  test('whatever no edit names stays byte for byte, in any order of the edits', () => {
    const piece = fc.string({ unit: 'binary', maxLength: 20 });
    fc.assert(
      fc.property(fc.array(fc.tuple(piece, piece), { minLength: 1, maxLength: 6 }), fc.boolean(), (parts, reverse) => {
        // A number between markers is what each edit finds, exactly once.
        const marked = parts.map(([kept, replace], index) => ({ kept, search: `«${index}»`, replace }));
        const clean = marked.filter(({ kept }) => !kept.includes('«'));
        const text = clean.map(({ kept, search }) => kept + search).join('');
        const edits = reverse ? [...clean].reverse() : clean;
        const wanted = clean.map(({ kept, replace }) => kept + replace).join('');
        expect(applyTextEdits(text, edits)).toEqual({ text: wanted });
      }),
    );
  });
});
