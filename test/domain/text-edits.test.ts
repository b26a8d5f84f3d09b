import fc from 'fast-check';
import { applyTextEdits, readTextEdits } from '../../src/domain/text-edits';

const block = (search: string, replace: string) => `<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE`;

describe('P14 edits of a text', () => {
  test('P14 are read out of whatever the model says around them', () => {
    const reply = `Sure!\n\`\`\`\n${block('a', 'b')}\n\`\`\`\nand\n${block('two\nlines', '')}\nDone.`;
    expect(readTextEdits(reply)).toEqual([
      { search: 'a', replace: 'b' },
      { search: 'two\nlines', replace: '' },
    ]);
    expect(readTextEdits('A text without edits')).toEqual([]);
  });

  test('P14 one that is cut off is not half applied', () => {
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
  ])('P14 %s is a problem, and nothing is changed', (_name, text, edits, problem) => {
    const list = edits.map(([search, replace]) => ({ search, replace }));
    expect(applyTextEdits(text, list)).toEqual({ problem: expect.stringMatching(problem) });
  });

  test('P14 whatever no edit names stays byte for byte, in any order of the edits', () => {
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
