import type { Json } from '../../../src/lib/json/json';
import { applyPatch, type PatchOperation, readPatch } from '../../../src/lib/text/json-patch';
import { expectWithin } from '../../../testing/support/processor-time';

const document = { name: 'Ada', items: [{ id: 1 }, { id: 2 }], 'a/b': 0, '~': 1 };
const after = (...patch: PatchOperation[]) => applyPatch(document, patch);

describe('JSON Patch (RFC 6902)', () => {
  test.each<[string, PatchOperation[], Json]>([
    ['replace', [{ op: 'replace', path: '/items/1/id', value: 3 }], { ...document, items: [{ id: 1 }, { id: 3 }] }],
    ['add a key', [{ op: 'add', path: '/age', value: 36 }], { ...document, age: 36 }],
    ['add in a list', [{ op: 'add', path: '/items/1', value: 0 }], { ...document, items: [{ id: 1 }, 0, { id: 2 }] }],
    ['add at the end', [{ op: 'add', path: '/items/-', value: 0 }], { ...document, items: [{ id: 1 }, { id: 2 }, 0] }],
    ['remove', [{ op: 'remove', path: '/items/0' }], { ...document, items: [{ id: 2 }] }],
    ['move', [{ op: 'move', from: '/items/0', path: '/items/1' }], { ...document, items: [{ id: 2 }, { id: 1 }] }],
    ['copy', [{ op: 'copy', from: '/name', path: '/alias' }], { ...document, alias: 'Ada' }],
    ['escaped keys', [{ op: 'replace', path: '/a~1b', value: 5 }], { ...document, 'a/b': 5 }],
    ['the whole', [{ op: 'replace', path: '', value: [1] }], [1]],
    [
      'one after the other',
      [
        { op: 'add', path: '/items/0', value: 9 },
        { op: 'remove', path: '/items/1' },
        { op: 'test', path: '/items/0', value: 9 },
      ],
      { ...document, items: [9, { id: 2 }] },
    ],
  ])('%s', (_name, patch, value) => {
    const before = structuredClone(document);
    expect(after(...patch)).toEqual({ value });
    expect(document).toEqual(before);
  });

  test.each<[string, PatchOperation]>([
    ['a key that is not there', { op: 'replace', path: '/nothing', value: 1 }],
    ['a place behind the end', { op: 'add', path: '/items/3', value: 1 }],
    ['a place that is no number', { op: 'remove', path: '/items/01' }],
    ['a way through a text', { op: 'add', path: '/name/x', value: 1 }],
    ['a test that fails', { op: 'test', path: '/items/0', value: { id: 2 } }],
    ['a move into itself', { op: 'move', from: '/items', path: '/items/0' }],
    ['removing everything', { op: 'remove', path: '' }],
    ['something inherited', { op: 'replace', path: '/toString', value: 1 }],
  ])('%s is a problem', (_name, operation) => {
    expect(after({ op: 'remove', path: '/name' }, operation)).toEqual({ problem: expect.any(String) });
  });

  test('copies that double what they copy, over and over, are a problem before they fill the memory', () => {
    const twice: PatchOperation[] = ['/x', '/y'].map((path) => ({ op: 'copy', from: '', path }));
    const patch = Array.from({ length: 40 }, () => twice).flat();
    expect(after(...patch)).toEqual({ problem: 'it copies too much' });
    expect(after(...twice)).toMatchObject({ value: { y: { x: document } } });
  });

  test('as many operations as a reply holds take no longer than reading it', async () => {
    const large = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`key${at}`, at]));
    const edits = Array.from({ length: 10_000 }, (_, at): PatchOperation => {
      const path = `/key${at}`;
      return at % 2 === 0 ? { op: 'remove', path } : { op: 'replace', path, value: { of: at } };
    });
    // It was 84 s where each operation copied the object.
    const result = (await expectWithin(5_000, () => applyPatch(large, edits))) as { value: Record<string, unknown> };
    expect(Object.keys(result.value)).toHaveLength(15_000);
    expect([result.value['key1'], result.value['key0'], result.value['key19999']]).toEqual([
      { of: 1 },
      undefined,
      19_999,
    ]);
    expect(Object.keys(large)).toHaveLength(20_000);
  });

  test('what stands in two places is changed in one, and nothing of what it came from', () => {
    const from: Json = { a: { list: [1, 2] } };
    const patch: PatchOperation[] = [
      { op: 'add', path: '/a/list/-', value: 3 },
      { op: 'copy', from: '/a', path: '/b' },
      { op: 'replace', path: '/b/list/0', value: 9 },
      { op: 'move', from: '/a/list', path: '/c' },
      { op: 'remove', path: '/c/1' },
      { op: 'add', path: '/d', value: { e: [] } },
      { op: 'copy', from: '/d/e', path: '/f' },
      { op: 'add', path: '/f/0', value: 1 },
    ];
    const before = JSON.stringify([from, patch]);
    expect(applyPatch(from, patch)).toEqual({
      value: { a: {}, b: { list: [9, 2, 3] }, c: [1, 3], d: { e: [] }, f: [1] },
    });
    expect(JSON.stringify([from, patch])).toBe(before);
  });

  test('a key named __proto__ is a key like any other', () => {
    const result = after({ op: 'add', path: '/__proto__', value: { admin: true } });
    expect(JSON.stringify(result)).toContain('"__proto__":{"admin":true}');
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  test.each<[Json]>([
    [[]],
    [{}],
    [[{ op: 'replace', path: '/a' }]],
    [[{ op: 'shout', path: '/a', value: 1 }]],
    [[{ op: 'add', path: 'a', value: 1 }]],
  ])('%j is no patch', (value) => {
    expect(readPatch(value)).toBeUndefined();
  });
});
