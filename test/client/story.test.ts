import type { StreamEvent } from '../../src/client';
import { readPosition } from '../../src/client/stream/position';
import { type PendingCall, Story } from '../../src/client/stream/story';

const pending = (text: string, more: Partial<NonNullable<PendingCall['text']>> = {}, attempt = 1): PendingCall[] => [
  { call: 'run/5', attempt, text: { take: '1.0', role: 'draft', iteration: 1, from: 0, text, ...more } },
];

/** Events in short: the pieces of text, and what else there was. */
const short = (events: Iterable<StreamEvent>) =>
  [...events].map((event) => (event.type === 'text' ? `${event.from}:${event.delta}` : event.type));

describe('what a reader of a run is told', () => {
  const begin = (from?: string) => new Story(readPosition(from));

  test('each piece once, and what came after the last heartbeat with the output', () => {
    const story = begin();
    expect(short(story.reportCalls(pending('One')))).toEqual(['0:One']);
    expect(short(story.reportCalls(pending('One')))).toEqual([]);
    expect(short(story.reportCalls(pending('One, two')))).toEqual(['3:, two']);
    expect(short(story.reportVersion(1, 'One, two, three'))).toEqual(['8:, three', 'version']);
    // An older look at the same call says nothing new.
    expect(short(story.reportCalls(pending('One, two')))).toEqual([]);
  });

  test('a call that begins again is reset once, also before its next attempt has written anything', () => {
    const story = begin();
    expect(short(story.reportCalls(pending('Lost')))).toEqual(['0:Lost']);
    expect(short(story.reportCalls(pending('Lost', {}, 2)))).toEqual(['reset']);
    expect(short(story.reportCalls(pending('Lost', {}, 2)))).toEqual([]);
    expect(short(story.reportCalls(pending('Kept', { take: '2.0' }, 2)))).toEqual(['0:Kept']);
    expect(short(story.reportCalls(pending('After thought', { take: '2.1' }, 2)))).toEqual([
      'reset',
      '0:After thought',
    ]);
  });

  test('an output that is not what was told resets it; edits and advice are no part of an output', () => {
    const other = begin();
    expect(short(other.reportCalls(pending('{"a": 1}')))).toEqual(['0:{"a": 1}']);
    expect(short(other.reportVersion(1, 'a'))).toEqual(['reset', '0:a', 'version']);
    const edits = begin('1 1');
    expect(short(edits.reportCalls(pending('SEARCH', { role: 'edits', iteration: 2 })))).toEqual(['0:SEARCH']);
    expect(short(edits.reportVersion(2, 'The whole text.'))).toEqual(['version']);
    const value = begin();
    expect(short(value.reportVersion(1, { a: 1 }))).toEqual(['version']);
  });

  test('what a late reader missed is told by `from`', () => {
    const story = begin();
    expect(short(story.reportCalls(pending('the end', { from: 12_000 })))).toEqual(['12000:the end']);
    expect(short(story.reportVersion(1, `${'x'.repeat(12_000)}the end.`))).toEqual(['12007:.', 'version']);
  });

  test('a position goes on in the middle of a text, and after a reset', () => {
    const story = begin();
    const [first] = [...story.reportCalls(pending('One'))];
    const next = begin(first!.position);
    expect(short(next.reportCalls(pending('One, two')))).toEqual(['3:, two']);
    expect(short(next.reportVersion(1, 'One, two.'))).toEqual(['8:.', 'version']);
    const later = begin(first!.position);
    expect(short(later.reportCalls(pending('Again', { take: '2.0' }, 2)))).toEqual(['reset', '0:Again']);
  });
});
