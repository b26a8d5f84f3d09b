import { listChanges } from '../../../src/loop/page/changes';

describe('what changed between two versions', () => {
  test('JSON is compared by its parts, also when it stands in prose', () => {
    const before = 'Here you are:\n```json\n{"name": "x", "items": [{"n": "three"}], "old": 1}\n```';
    const after = { name: 'x', items: [{ n: 3 }], 'new-one': [true] };
    expect(listChanges(before, after)).toEqual(['items[0].n: "three" → 3', '− old', '+ new-one: [true]']);
  });

  test('a change of kind, a longer list, and no change', () => {
    expect(listChanges({ a: { b: 1 } }, { a: [1] })).toEqual(['a: {"b":1} → [1]']);
    expect(listChanges([1], [1, 2])).toEqual(['+ [1]: 2']);
    expect(listChanges({ a: 1 }, { a: 1 })).toEqual([]);
    expect(listChanges('{"a": 1}', { a: 1 })).toEqual(['only how it is written']);
  });

  test('text is compared by lines', () => {
    expect(listChanges('one\ntwo\n', 'one\nthree')).toEqual(['− two', '+ three']);
    expect(listChanges('same', 'same')).toEqual([]);
  });
});
