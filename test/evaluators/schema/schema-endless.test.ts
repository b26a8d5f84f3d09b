import type { JsonObject } from '../../../src/lib/json/json';
import { endlessReferences } from '../../../src/evaluators/schema/references/schema-endless';
import { schemaProblems } from '../../../src/evaluators/schema/schema-problems';

const person = { type: 'object', properties: { children: { type: 'array', items: { $ref: '#' } } } };

describe('references that lead back to themselves', () => {
  test.each<[string, JsonObject, string[]]>([
    ['the schema itself', { $ref: '#' }, ['/$ref']],
    ['one definition', { $defs: { a: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' }, ['/$defs/a/$ref']],
    [
      'a round of three',
      { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/c' }, c: { $ref: '#/$defs/a' } } },
      ['/$defs/b/$ref'],
    ],
    ['by way of allOf', { allOf: [{ type: 'object' }, { $ref: '#' }] }, ['/allOf/1/$ref']],
    ['by way of anyOf and not', { anyOf: [{ type: 'string' }, { not: { $ref: '#' } }] }, ['/anyOf/1/not/$ref']],
    ['by way of else', { if: true, else: { $ref: '#' } }, ['/else/$ref']],
  ])('are mistakes: %s', (_name, schema, paths) => {
    const problems = endlessReferences(schema);
    expect(problems.map(({ path }) => path).toSorted()).toEqual(paths);
    expect(schemaProblems({ schema }).map(({ path }) => path)).toEqual(paths);
    expect(problems[0]!.message).toMatch(/^refers to "#.*", which leads back here without end$/);
  });

  test.each<[string, JsonObject]>([
    ['into the items', person],
    ['into properties, by way of a definition', { $defs: { person }, $ref: '#/$defs/person' }],
    ['used twice', { $defs: { a: { type: 'string' } }, anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }] }],
    [
      'a definition that nobody uses of one that is used',
      { $defs: { a: { $ref: '#/$defs/b' }, b: {} }, allOf: [{ $ref: '#/$defs/b' }] },
    ],
    ['boolean schemas', { $defs: { a: true }, $ref: '#/$defs/a' }],
  ])('that go on are none: %s', (_name, schema) => {
    expect(endlessReferences(schema)).toEqual([]);
    expect(schemaProblems({ schema })).toEqual([]);
  });
});
