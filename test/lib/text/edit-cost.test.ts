import { applyPatch, type PatchOperation } from '../../../src/lib/text/json-patch';
import { applyTextEdits } from '../../../src/lib/text/text-edits';
import { expectWithin } from '../../../testing/support/processor-time';

const many = <Item>(length: number, item: (index: number) => Item): Item[] =>
  Array.from({ length }, (_, index) => item(index));

describe('edits of 400 KB', () => {
  const wide = Object.fromEntries(many(20_000, (index) => [`key${index}`, index]));
  const list = many(20_000, (index) => index);

  test.each<[string, object, (index: number) => PatchOperation]>([
    ['replacements in an object', wide, (index) => ({ op: 'replace', path: `/key${index}`, value: -1 })],
    ['removals from an object', wide, (index) => ({ op: 'remove', path: `/key${index}` })],
    ['additions to an object', wide, (index) => ({ op: 'add', path: `/new${index}`, value: 1 })],
    ['moves in an object', wide, (index) => ({ op: 'move', from: `/key${index}`, path: `/new${index}` })],
    ['additions to the front of a list', list, () => ({ op: 'add', path: '/0', value: 1 })],
    ['removals from the front of a list', list, () => ({ op: 'remove', path: '/0' })],
  ])('10,000 %s take less than a second', async (_what, document, operation) => {
    const before = JSON.stringify(document);
    const patched = await expectWithin(1_000, () => applyPatch(document as never, many(10_000, operation)));
    expect(patched).toHaveProperty('value');
    expect(JSON.stringify(document)).toBe(before);
  });

  test('10,000 edits of a text of 1 MB take less than a second, and change what they name', async () => {
    const lines = many(20_000, (index) => `line ${index} of a text that is edited in many places at once`);
    const edits = many(10_000, (index) => ({ search: `line ${index * 2} of`, replace: `row ${index * 2} of` }));
    const result = await expectWithin(1_000, () => applyTextEdits(lines.join('\n'), edits));
    const wanted = lines.map((line, index) => (index % 2 === 0 ? line.replace('line', 'row') : line)).join('\n');
    expect(result).toEqual({ text: wanted });
    const twice = applyTextEdits(`${lines.join('\n')}\n${lines[0]}`, edits);
    expect(twice).toEqual({ problem: expect.stringContaining('more than once') as string });
    const absent = applyTextEdits(lines.join('\n'), [...edits, { search: 'line 9x', replace: '' }]);
    expect(absent).toEqual({ problem: expect.stringContaining('does not hold') as string });
  });
});
