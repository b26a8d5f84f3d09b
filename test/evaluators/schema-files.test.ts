import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { JsonObject } from '../../src/lib/json/json';
import { readSchemaFile } from '../../src/evaluators/schema/references/schema-file';
import { threadMilliseconds } from '../../src/lib/threads/thread-time';
import { judge, judgeWithFiles, problemsOf, problemsWithFiles, told } from './judge-by-schema';
import { expectWithin } from '../../testing/support/processor-time';

const place = mkdtempSync(join(tmpdir(), 'reflect-schemas-'));
const root = join(place, 'schemas');
afterAll(() => rmSync(place, { recursive: true, force: true }));

function write(name: string, content: unknown): void {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), typeof content === 'string' ? content : JSON.stringify(content));
}

function writeOddFiles(): void {
  write('bomb.yaml', bomb());
  write('loop.yaml', '&a {properties: {x: *a}}');
  write('text.json', 'not json');
  write('number.yaml', '7');
  write('large.json', `{"description":"${'x'.repeat(600_000)}"}`);
  write('deep.json', `${'{"not":'.repeat(3_000)}{}${'}'.repeat(3_000)}`);
  write('draft.json', { $schema: 'http://json-schema.org/draft-07/schema#' });
  write('old.json', { $schema: 'http://json-schema.org/draft-04/schema#' });
  write('wrong.json', { properties: { a: { type: 'objekt' } } });
  write('lost.json', { items: { $ref: 'gone.json' } });
  for (let link = 0; link < 30; link++) write(`chain${link}.json`, { not: { $ref: `chain${link + 1}.json` } });
  write('chain30.json', true);
}

beforeAll(() => {
  write('person.json', {
    $id: 'https://example.com/person',
    type: 'object',
    required: ['name'],
    properties: {
      name: { $ref: '#/definitions/name' },
      born: { $ref: 'common/dates.yaml#/$defs/day' },
      friends: { type: 'array', items: { $ref: '#' } },
      nick: { $ref: '#nick' },
    },
    definitions: { name: { type: 'string', minLength: 2 }, other: { $anchor: 'nick', type: 'string', maxLength: 5 } },
  });
  write('common/dates.yaml', '$defs:\n  day:\n    type: string\n    pattern: ^\\d{4}-\\d\\d-\\d\\d$\n');
  write('a.json', { properties: { b: { $ref: 'b.json' } } });
  write('b.json', { required: ['x'], properties: { a: { $ref: 'a.json' } } });
  write('with space é.json', { type: 'integer' });
  writeFileSync(join(place, 'outside.json'), '{"type":"string"}');
  symlinkSync(join(place, 'outside.json'), join(root, 'link.json'));
  symlinkSync(join(root, 'person.json'), join(root, 'inside.json'));
  symlinkSync(place, join(root, 'folder'));
});

describe('references to schema files', () => {
  test('a file of many keys is read soon, and one with a key twice is refused', async () => {
    const keys = Array.from({ length: 40_000 }, (_, at) => `  k${at}: a`);
    write('many.yaml', `title: x\nenum: [a]\nexamples:\n${keys.join('\n')}\n`);
    const start = threadMilliseconds();
    expect(readSchemaFile(root, '', 'many.yaml').name).toBe('many.yaml');
    // To compare each key with each other one takes half a minute.
    expect(threadMilliseconds() - start).toBeLessThan(5_000);
    write('twice.yaml', 'type: object\nproperties:\n  a: {}\n  a: {}\n');
    expect(await problemsWithFiles(root, { $ref: 'twice.yaml' })).toMatchObject([
      { message: expect.stringContaining('the key "a" is there twice') as string },
    ]);
  });

  test('files are found below the root, and their own references are theirs', async () => {
    const schema = { type: 'object', required: ['p'], properties: { p: { $ref: 'person.json' } } };
    expect(await problemsWithFiles(root, schema)).toEqual([]);
    const bad: JsonObject = { p: { name: 'A', born: 'yesterday', friends: [{ name: 'Bob' }, {}], nick: 'too long' } };
    const judgement = await judgeWithFiles(root, schema, bad);
    expect(told(judgement.issues).map((text) => text.split(' | ')[0])).toEqual([
      '/p/born',
      '/p/friends/1/name',
      '/p/name',
      '/p/nick',
    ]);
    expect(judgement.checksPassed).toBeGreaterThan(0);
    const good = { p: { name: 'Ada', born: '1815-12-10', friends: [{ name: 'Bob' }] } };
    expect((await judgeWithFiles(root, schema, good)).outcome).toBe('pass');
  });

  test.each<[JsonObject, unknown, string]>([
    [{ $ref: 'person.json#/definitions/name' }, 'x', 'fail'],
    [{ $ref: 'person.json#/definitions/name' }, 'xy', 'pass'],
    [{ $ref: './common/../person.json#nick' }, 'longer', 'fail'],
    [{ $ref: 'inside.json#/definitions/name' }, 'x', 'fail'],
    [{ $ref: 'a.json' }, { b: { x: 1, a: { b: {} } } }, 'fail'],
    [{ $ref: 'a.json' }, { b: { x: 1, a: { b: { x: 1 } } } }, 'pass'],
    [{ $ref: 'with%20space%20%C3%A9.json' }, 7, 'pass'],
    [{ $schema: 'http://json-schema.org/draft-07/schema#', items: { $ref: 'person.json' } }, [{}], 'fail'],
  ])('%j of %j: %s', async (schema, output, outcome) => {
    expect(await problemsWithFiles(root, schema)).toEqual([]);
    expect((await judgeWithFiles(root, schema, output as JsonObject)).outcome).toBe(outcome);
  });

  test('a file that changes is read again; one that is gone leaves nothing to judge by', async () => {
    write('changing.json', { type: 'string' });
    const schema = { $ref: 'changing.json' };
    expect((await judgeWithFiles(root, schema, 'text')).outcome).toBe('pass');
    write('changing.json', { type: 'integer', minimum: 1 });
    expect((await judgeWithFiles(root, schema, 'text')).outcome).toBe('fail');
    rmSync(join(root, 'changing.json'));
    const judgement = await judgeWithFiles(root, schema, 'text');
    expect(judgement).toMatchObject({ outcome: 'inconclusive', score: null });
    expect(judgement.reason).toMatch(/there is no file changing\.json/);
  });

  test('without a root a reference says how to allow it, and nothing is read', async () => {
    const [problem] = await problemsOf({ properties: { a: { $ref: 'person.json' } } });
    expect(problem).toEqual({
      path: '/schema/properties/a/$ref',
      message: expect.stringMatching(/"person\.json".*schemaRoot.*REFLECT_SCHEMA_ROOT/) as string,
    });
    expect((await judge({ $ref: 'person.json' }, 'x')).outcome).toBe('inconclusive');
  });

  test.each<[string, RegExp]>([
    ['../outside.json', /leads out of the schema folder/],
    ['%2e%2e/outside.json', /leads out/],
    ['../nobody-knows.json', /leads out/],
    ['common/../../outside.json', /leads out/],
    ['/etc/passwd', /leads out/],
    ['link.json', /leads out/],
    ['folder/outside.json', /leads out/],
    ['person.json%00', /leads out|no file/],
    ['nobody.json', /there is no file nobody\.json/],
    ['common', /common is no file/],
    ['pipe.json', /pipe\.json is no file/],
    ['http://127.0.0.1/a.json', /addresses are never read/],
    ['//example.com/a.json', /addresses are never read/],
    ['file:///etc/passwd', /addresses are never read/],
    ['person.json#/definitions/nobody', /no #\/definitions\/nobody in person\.json/],
    ['bomb.yaml', /bomb\.yaml is no YAML that can be used: Excessive alias count/],
    ['loop.yaml', /JSON cannot say|nested too deeply/],
    ['text.json', /text\.json is no JSON/],
    ['number.yaml', /no JSON Schema/],
    ['large.json', /larger than/],
    ['deep.json', /nested too deeply|nests deeper/],
    ['old.json', /old\.json is of JSON Schema draft-04, which is not judged/],
    ['draft.json', /another \$schema/],
    ['chain0.json', /more than 20 deep/],
    ['wrong.json', /wrong\.json, \/properties\/a\/type: must be one of/],
    ['lost.json', /lost\.json, \/items\/\$ref: refers to "gone\.json": there is no file gone\.json/],
  ])('%s is refused at once, and nothing outside of the folder is told', async (reference, message) => {
    execFileSync('sh', ['-c', `test -p "$0" || mkfifo "$0"`, join(root, 'pipe.json')]);
    const problems = await expectWithin(1_000, () => {
      // Files that are written again are not known from an earlier try.
      writeOddFiles();
      return problemsWithFiles(root, { items: { $ref: reference } });
    });
    expect(problems).toHaveLength(1);
    expect(problems[0]!.message).toMatch(message);
    expect(problems[0]!.message).not.toContain(place);
  });
});

describe('references below the address of the schema folder', () => {
  const address = 'https://example.com/schemas/';
  beforeAll(() => {
    write('shop/order.json', {
      $id: 'https://example.com/schemas/shop/order.json',
      properties: { total: { $ref: 'money.json' }, by: { $ref: '/schemas/person.json#/definitions/name' } },
      $defs: { inner: { $id: 'parts/inner.json', items: { $ref: '../money.json' } } },
    });
    write('shop/money.json', { type: 'integer', minimum: 0 });
    write('named.json', {
      $id: 'https://example.com/named',
      $ref: '#a',
      $defs: { a: { $anchor: 'a', type: 'string' } },
    });
    write('twin.json', { $id: 'https://example.com/named', type: 'integer' });
    write('node.json', {
      $dynamicAnchor: 'node',
      type: 'object',
      properties: { next: { $dynamicRef: '#node' }, v: { type: 'integer' } },
    });
  });

  test.each<[JsonObject, unknown, string]>([
    [{ $ref: `${address}shop/order.json` }, { total: 1, by: 'Ada' }, 'pass'],
    [{ $ref: `${address}shop/order.json` }, { total: -1 }, 'fail'],
    [{ $ref: `${address}shop/order.json` }, { by: 'x' }, 'fail'],
    [{ $ref: `${address}shop/order.json#/$defs/inner` }, [1, -1], 'fail'],
    [{ $id: `${address}main.json`, items: { $ref: 'shop/money.json' } }, [-1], 'fail'],
    [{ $id: `${address}shop/main.json`, items: { $ref: 'order.json' }, minItems: 1 }, [{ total: 1 }], 'pass'],
    [{ $ref: 'shop/order.json' }, { total: -1 }, 'fail'],
    [{ $ref: `${address}named.json` }, 1, 'fail'],
    [{ $ref: `${address}named.json#a` }, 'x', 'pass'],
    // What the outermost schema says of nodes holds for those of the file, too.
    [{ $dynamicAnchor: 'node', $ref: `${address}node.json`, required: ['v'] }, { v: 1, next: {} }, 'fail'],
    [{ $dynamicAnchor: 'node', $ref: `${address}node.json`, required: ['v'] }, { v: 1, next: { v: 2 } }, 'pass'],
  ])('%j of %j: %s', async (schema, output, outcome) => {
    expect(await problemsWithFiles(root, schema, address)).toEqual([]);
    expect((await judgeWithFiles(root, schema, output as JsonObject, address)).outcome).toBe(outcome);
  });

  test.each<[JsonObject, RegExp]>([
    [{ $ref: `${address}none.json` }, /there is no file none\.json/],
    [{ $ref: `${address}%2e%2e%2foutside.json` }, /leads out of the schema folder/],
    [{ $ref: `${address}../outside.json` }, /not below https:\/\/example\.com\/schemas\//],
    [{ $ref: 'https://example.com/schemas-of-others/a.json' }, /addresses are never read/],
    [{ $ref: 'https://example.org/schemas/person.json' }, /addresses are never read/],
    [{ $id: `${address}main.json`, $ref: '../outside.json' }, /addresses are never read/],
    [{ items: { $ref: `${address}named.json` }, not: { $ref: `${address}twin.json` } }, /as another schema does/],
    [{ $ref: `${address}person.json`, $defs: { 'file-person.json': true } }, /has a definition "file-person\.json"/],
  ])('%j is refused', async (schema, message) => {
    const problems = await problemsWithFiles(root, schema, address);
    expect(problems[0]?.message).toMatch(message);
  });

  test('without an address the message says how to give one', async () => {
    const [problem] = await problemsWithFiles(root, { $ref: `${address}person.json` });
    expect(problem!.message).toContain('REFLECT_SCHEMA_ADDRESS');
  });
});

test('a file that comes to refer to itself without end does not make the output one that nests too deeply', async () => {
  write('endless.json', { type: 'string' });
  expect(await problemsWithFiles(root, { $ref: 'endless.json' })).toEqual([]);
  write('endless.json', { allOf: [{ $ref: '#' }] });
  const judgement = await judgeWithFiles(root, { $ref: 'endless.json' }, 'text');
  expect(judgement).toMatchObject({ outcome: 'inconclusive', score: null });
  expect(judgement.reason).toContain('leads back here without end');
});

function bomb(): string {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x]'];
  for (let level = 1; level < 10; level++) {
    lines.push(`a${level}: &a${level} [${Array.from({ length: 9 }, () => `*a${level - 1}`).join(', ')}]`);
  }
  return lines.join('\n');
}
