import { takeDeclined } from '../../../src/actions/revision/declined';
import { expectWithin } from '../../../testing/support/processor-time';

const text = 'A chair of oak.\n\nIt folds in one move.';
const ids = new Set(['F1', 'F2']);
const F = '```';

describe('lines by which an author declines points', () => {
  test.each<[string, string, Record<string, string>]>([
    ['as asked', `${text}\n\nDECLINED F1: it is small.`, { F1: 'it is small.' }],
    [
      'two points',
      `${text}\nDECLINED F1: it is small.\nDECLINED F2: it is dear.`,
      { F1: 'it is small.', F2: 'it is dear.' },
    ],
    [
      'two ids in a line',
      `${text}\n\nDECLINED F1, F2: both are right.`,
      { F1: 'both are right.', F2: 'both are right.' },
    ],
    ['brackets', `${text}\n\nDECLINED [F1]: it is small.`, { F1: 'it is small.' }],
    ['parentheses', `${text}\n\nDECLINED (F1): it is small.`, { F1: 'it is small.' }],
    ['marks', `${text}\n\n- **DECLINED F1** – it is small.`, { F1: 'it is small.' }],
    ['lower case', `${text}\n\nDeclined f1: it is small.`, { F1: 'it is small.' }],
    ['a reason on the next line', `${text}\n\nDECLINED F1:\nIt is small.`, { F1: 'It is small.' }],
    ['a reason over two lines', `${text}\n\nDECLINED F1: it is\nsmall.`, { F1: 'it is small.' }],
    ['before the text', `DECLINED F1: it is small.\n\n${text}`, { F1: 'it is small.' }],
    ['a fence of its own', `${text}\n\n${F}\nDECLINED F1: it is small.\n${F}`, { F1: 'it is small.' }],
  ])('are read and taken off the text: %s', (_name, reply, declined) => {
    expect(takeDeclined(reply, ids)).toEqual({ reply: text, declined });
  });

  test('words behind them stay', () => {
    const reply = `${text}\n\nDECLINED F1: it is small.\n\nThe rest is mended.`;
    expect(takeDeclined(reply, ids)).toEqual({
      reply: `${text}\n\nThe rest is mended.`,
      declined: { F1: 'it is small.' },
    });
  });

  test.each([
    `${text}\n\nDECLINED F9: nobody knows this point.`,
    `${text}\n\nHe DECLINED F1: it was small.`,
    `A report.\n\nDECLINED F1: it is small.\n\n${text.repeat(20)}`,
    `${text}\n\nDECLINED F1`,
  ])('other texts stay as they are: %s', (reply) => {
    expect(takeDeclined(reply, ids)).toEqual({ reply });
  });

  test.each(['\nDECLINED F1: ', 'DECLINED F1: a\n', '\n        DECLINED F1', 'DECLINED F1: a\n\n'])(
    'a reply of 300,000 characters made of %j is read in linear time',
    async (piece) => {
      await expectWithin(500, () => takeDeclined(piece.repeat(300_000 / piece.length), ids));
    },
  );
});
