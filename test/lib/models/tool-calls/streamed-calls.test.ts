import { ReadBytes } from '../../../../src/lib/models/habits/reply-size';
import { StreamedCalls } from '../../../../src/lib/models/chat-call';

interface Piece {
  index?: number;
  id?: string;
  name?: string;
  arguments?: unknown;
  more?: object;
}

const wire = ({ name, arguments: given, more, ...call }: Piece) => ({
  ...call,
  ...more,
  function: { name, arguments: given },
});

function readPieces(pieces: readonly Piece[]) {
  const calls = new StreamedCalls(new ReadBytes(1_000));
  for (const piece of pieces) calls.add(wire(piece));
  return calls.all();
}

const one = '{"id":"1"}';
const two = '{"id":"2"}';

describe('calls of a streamed reply', () => {
  test.each<[string, Piece[], string[]]>([
    [
      'an index for each call, arguments in pieces',
      [
        { index: 0, id: 'a', name: 'look', arguments: '{"id"' },
        { index: 0, arguments: ':"1"}' },
        { index: 1, id: 'b', name: 'look', arguments: two },
      ],
      [one, two],
    ],
    [
      'pieces of two calls in turn',
      [
        { index: 0, id: 'a', name: 'look', arguments: '{"id"' },
        { index: 1, id: 'b', name: 'look', arguments: '{"id"' },
        { index: 0, arguments: ':"1"}' },
        { index: 1, arguments: ':"2"}' },
      ],
      [one, two],
    ],
    [
      'one index for all calls, with an id for each',
      [
        { index: 0, id: 'a', name: 'look', arguments: one },
        { index: 0, id: 'b', name: 'look', arguments: two },
      ],
      [one, two],
    ],
    [
      'one index for all calls, without ids',
      [
        { index: 0, name: 'look', arguments: one },
        { index: 0, name: 'look', arguments: two },
      ],
      [one, two],
    ],
    [
      'no index, with an id for each call',
      [
        { id: 'a', name: 'look', arguments: one },
        { id: 'b', name: 'look', arguments: two },
      ],
      [one, two],
    ],
    [
      'no index and no ids',
      [
        { name: 'look', arguments: one },
        { name: 'look', arguments: two },
      ],
      [one, two],
    ],
    [
      'no index, and later pieces with nothing but arguments',
      [
        { id: 'a', name: 'look', arguments: '{"id"' },
        { arguments: ':"1"}' },
        { id: 'b', name: 'look', arguments: two },
      ],
      [one, two],
    ],
    [
      'name and id again with each piece',
      [
        { index: 0, id: 'a', name: 'look', arguments: '{"id"' },
        { index: 0, id: 'a', name: 'look', arguments: ':"1"}' },
        { index: 1, id: 'b', name: 'look', arguments: two },
      ],
      [one, two],
    ],
    [
      'a name in pieces',
      [
        { index: 0, id: 'a', name: 'lo' },
        { index: 0, name: 'ok', arguments: one },
      ],
      [one],
    ],
    ['arguments as an object', [{ index: 0, id: 'a', name: 'look', arguments: { id: '1' } }], [one]],
    [
      'the same object again in the last piece',
      [
        { index: 0, id: 'a', name: 'look', arguments: { id: '1' } },
        { index: 0, arguments: { id: '1' } },
      ],
      [one],
    ],
  ])('%s', (_name, pieces, given) => {
    const calls = readPieces(pieces);
    expect(calls.map((call) => call.arguments)).toEqual(given);
    expect(calls.map(({ name }) => name)).toEqual(given.map(() => 'look'));
  });

  test('fields beside a call are kept from whichever piece has them', () => {
    const google = { thought_signature: 'c2ln' };
    const [call] = readPieces([
      { index: 0, id: 'a', name: 'look', arguments: '{}', more: { type: 'function', extra_content: { google } } },
      { index: 0, more: { note: 'x' } },
    ]);
    expect(call!.extras).toEqual({ extra_content: { google }, note: 'x' });
  });

  test('fields beside a call count among the bytes of the reply', () => {
    const large = { index: 0, name: 'look', arguments: '{}', more: { extra: 'x'.repeat(2_000) } };
    expect(() => readPieces([large])).toThrow('more than 1000 bytes');
  });
});
