import type { Json } from '../../../src/lib/json/json';
import { notePerson, noteUnknown, type PeopleRecord } from '../../../src/loop/state/command-log';
import { initialState } from '../../../src/loop/state/loop-state';
import { renderRunPage } from '../../../src/loop/page/run-page';
import { editDistance } from '../../../src/lib/names/nearest-name';
import { unknownCommand, unknownName } from '../../../src/loop/commands/unknown-command';
import { DEFAULT_SETTINGS } from '../../../testing/support/versions';

const at = '2026-01-01T00:00:00.000Z';

/** Nested as deeply as no tool on the way back could write it down. */
const deep = (): Json => JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) as Json;

describe('a name that is no command', () => {
  test.each([
    ['', '', 0],
    ['accept', '', 6],
    ['acept', 'accept', 1],
    ['acecpt', 'accept', 1],
    ['override', 'ovveride', 2],
    ['kitten', 'sitting', 3],
  ])('editDistance(%s, %s) is %i', (first, second, distance) => {
    expect(editDistance(first, second)).toBe(distance);
    expect(editDistance(second, first)).toBe(distance);
  });

  test.each([
    ['Accept', 'accept'],
    ['acept', 'accept'],
    ['accept ', 'accept'],
    ['ABROT', 'abort'],
    ['overide', 'override'],
    ['stop', 'abort'],
    ['Approve', 'accept'],
    ['continue', 'decide'],
    ['reply', 'answer'],
  ])('%j most likely meant %s, which is named first', (said, meant) => {
    const why = unknownCommand(said);
    expect(why).toContain(`there is no command "${said}" (did you mean ${meant}?): a loop takes ${meant}, `);
    for (const name of ['accept', 'abort', 'guide', 'override', 'extend', 'decide', 'reflect']) {
      expect(why.split(': a loop takes ')[1]!.split(', ')).toContain(name);
    }
  });

  test('given a name that resembles no command, none is suggested; a long name is cut', () => {
    expect(unknownCommand('constructor')).toMatch(/^there is no command "constructor": a loop takes /);
    expect(unknownCommand('x'.repeat(900)).length).toBeLessThan(160);
    expect(unknownName('finnish', 'a population', ['trigger', 'finish'])).toBe(
      'there is no command "finnish" (did you mean finish?): a population takes finish, trigger',
    );
  });

  test('ten notes of unknown names are kept, without dropping commands of users', () => {
    const record: PeopleRecord = { people: [] };
    notePerson(record, { name: 'guide', payload: { text: 'x' }, via: 'signal', at }, undefined);
    for (let index = 0; index < 50; index += 1) {
      const moment = new Date(Date.parse(at) + index).toISOString();
      noteUnknown(record, { name: `beat-${index}`, payload: undefined, at: moment }, unknownCommand);
    }
    const { people } = record;
    expect(people).toHaveLength(11);
    expect(people[0]).toMatchObject({ name: 'guide', applied: true });
    expect(people.slice(1).map(({ name }) => name)).toEqual(Array.from({ length: 10 }, (_, n) => `beat-${n + 40}`));
    expect(people.at(-1)).toEqual({
      name: 'beat-49',
      payload: {},
      at: expect.any(String),
      via: 'signal',
      applied: false,
      why: expect.stringMatching(/^there is no command "beat-49"/),
    });
  });

  test('neither a long name nor a large or deep payload is kept', () => {
    const [long, large, nested] = [
      { name: 'n'.repeat(5_000), payload: 1 },
      { name: 'overide', payload: { output: 'x'.repeat(2_000) } },
      { name: 'overide', payload: { output: deep() } },
    ].map((sent) => {
      const record: PeopleRecord = { people: [] };
      noteUnknown(record, { ...sent, at }, () => 'why');
      return record.people[0]!;
    });
    expect(long!.name).toHaveLength(100);
    expect(large!.payload).toEqual({ omittedBytes: 2_013 });
    expect(nested!.payload).toEqual({ omitted: expect.stringMatching(/nested too deeply/) });
    const known: PeopleRecord = { people: [] };
    notePerson(known, { name: 'override', payload: { output: deep() }, via: 'signal', at }, 'why');
    expect(known.people[0]!.payload).toEqual({ omitted: expect.stringMatching(/nested too deeply/) });
  });

  test('the page lists the unknown names and the known commands', () => {
    const state = initialState(0);
    noteUnknown(state, { name: 'Accept', payload: {}, at }, unknownCommand);
    expect(renderRunPage(state, DEFAULT_SETTINGS, 'waiting')).toContain(
      '`Accept` (signal) refused: there is no command "Accept" \\(did you mean accept?\\): a loop takes accept, abort, ',
    );
  });
});
