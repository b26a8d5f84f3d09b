import fc from 'fast-check';
import { argumentsText, offeredName, readCalls, sentArguments } from '../../../../src/lib/models/tool-calls/read-calls';

describe('arguments of a call', () => {
  test.each<[string, unknown, string]>([
    ['JSON stays to the letter', '{ "id": 12345678901234567890 }', '{ "id": 12345678901234567890 }'],
    ['an object is written as JSON', { id: '1' }, '{"id":"1"}'],
    ['nothing is an empty object', undefined, '{}'],
    ['an empty text is an empty object', ' ', '{}'],
    ['null is an empty object', 'null', '{}'],
    ['JSON that is encoded twice is decoded', JSON.stringify('{"id":"1"}'), '{"id":"1"}'],
    [
      'a large number that is encoded twice keeps its digits',
      JSON.stringify('{"id":12345678901234567890}'),
      '{"id":12345678901234567890}',
    ],
    ['an empty object before the arguments is left out', '{}{"id":"1"}', '{"id":"1"}'],
    ['a trailing comma is left out', '{"id":"1",}', '{"id":"1"}'],
    ['quotes of Python are read', "{'id': '1', 'deep': True}", '{"id":"1","deep":true}'],
    ['a fence is left out', '```json\n{"id":"1"}\n```', '{"id":"1"}'],
    ['prose stays, so that the tool says what is wrong', 'the order 1', 'the order 1'],
    ['a list stays', '[1]', '[1]'],
    ['half of the arguments stays', '{"id":"1', '{"id":"1'],
    ['a large number beside a mistake stays', '{"id":12345678901234567890,}', '{"id":12345678901234567890,}'],
    [
      'JSON that is encoded three times stays',
      JSON.stringify(JSON.stringify('{}')),
      JSON.stringify(JSON.stringify('{}')),
    ],
  ])('%s', (_name, given, text) => {
    expect(argumentsText(given)).toBe(text);
  });

  test('any object is read from any of its forms', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const text = JSON.stringify(value);
        for (const form of [value, text, JSON.stringify(text), `\`\`\`\n${text}\n\`\`\``, `{} ${text}`])
          expect(JSON.parse(argumentsText(form))).toEqual(JSON.parse(text));
      }),
    );
  });

  test('any text goes back to an endpoint as JSON of an object', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const sent: unknown = JSON.parse(sentArguments(argumentsText(text)));
        expect(typeof sent === 'object' && sent !== null && !Array.isArray(sent)).toBe(true);
      }),
    );
  });
});

describe('names of tools', () => {
  test.each([
    ['an offered name', 'look_up', 'look_up'],
    ['a prefix', 'functions.look_up', 'look_up'],
    ['the prefix of Gemini', 'default_api:look_up', 'look_up'],
    ['another case', 'Look_Up', 'look_up'],
    ['a blank', ' look up ', 'look_up'],
    ['a hyphen', 'look-up', 'look_up'],
    ['a name that two tools fit', 'SEND', 'SEND'],
    ['another name', 'look', 'look'],
  ])('%s', (_name, written, name) => {
    expect(offeredName(written, ['look_up', 'send', 'Send'])).toBe(name);
  });
});

describe('ids of calls', () => {
  const call = (id?: string) => ({ ...(id !== undefined && { id }), name: 'a', arguments: '{}' });
  const idsOf = (ids: (string | undefined)[], earlier: string[] = []) => {
    const toolCalls = earlier.map((id) => ({ id, name: 'a', arguments: '{}' }));
    const turns = earlier.length > 0 ? [{ role: 'assistant' as const, content: '', toolCalls }] : [];
    return readCalls(ids.map(call), { turns }, 'm').map(({ id }) => id);
  };

  test('an id that no other call of the conversation has is kept', () => {
    expect(idsOf(['a', 'b'], ['c'])).toEqual(['a', 'b']);
  });

  test('a missing id, one that came before and one that is too long are replaced', () => {
    expect(idsOf([undefined, '', 'a', 'a', 'c', 'x'.repeat(20_000)], ['c', 'call00002'])).toEqual([
      'call00003',
      'call00004',
      'a',
      'call00006',
      'call00007',
      'call00008',
    ]);
  });

  test('ids are unique over any number of replies', () => {
    const id = fc.option(fc.constantFrom('', 'a', 'b', 'call00001', 'call00002', 'call00005'), { nil: undefined });
    fc.assert(
      fc.property(fc.array(fc.array(id, { maxLength: 4 }), { maxLength: 5 }), (replies) => {
        const all: string[] = [];
        for (const ids of replies) all.push(...idsOf(ids, [...all]));
        expect(new Set(all).size).toBe(all.length);
      }),
    );
  });
});
