import Ajv2020 from 'ajv/dist/2020';
import type { JsonObject } from '../../../src/lib/json/json';
import { replyFormOf, replyInWords } from '../../../src/loop/spec/reply-form';
import { schemaFor, schemaOfOutputs } from '../../../src/loop/spec/reply-schema';
import { strictSchema } from '../../../src/loop/spec/strict-schema';
import type { Evaluator } from '../../../src/loop/contract/evaluators';
import type { ModelCallStep } from '../../../src/loop/contract/steps';

const text = { type: 'string' };
const item = { type: 'object', required: ['name'], additionalProperties: false, properties: { name: text } };
const closed = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});
const wrapped = (value: JsonObject, more: JsonObject = {}): JsonObject => closed({ value }, more);

describe('what is sent of a schema', () => {
  test.each<[string, JsonObject, object | undefined]>([
    ['all required and closed', item, { schema: item, strict: true }],
    [
      'nothing is said of other properties: there are none',
      { type: 'object', required: ['name'], properties: { name: text } },
      { schema: item, strict: true },
    ],
    [
      'annotations are left out',
      { $schema: 'https://json-schema.org/draft/2020-12/schema', $id: 'item', default: {}, ...item },
      { schema: item, strict: true },
    ],
    [
      'no type, and it is an object',
      { required: ['name'], properties: { name: text } },
      { schema: { ...item, required: ['name'] }, strict: true },
    ],
    ['an optional property', { ...item, required: [] }, { schema: { ...item, required: [] }, strict: false }],
    [
      'a keyword that strict mode does not know goes along all the same',
      closed({ name: { type: 'string', minLength: 1 } }),
      { schema: closed({ name: { type: 'string', minLength: 1 } }), strict: false },
    ],
    [
      'keywords that it knows',
      closed({ when: { type: 'string', format: 'date' }, many: { type: 'array', items: text, minItems: 1 } }),
      {
        schema: closed({ when: { type: 'string', format: 'date' }, many: { type: 'array', items: text, minItems: 1 } }),
        strict: true,
      },
    ],
    [
      'a format that it does not know',
      closed({ at: { type: 'string', format: 'uri' } }),
      { schema: closed({ at: { type: 'string', format: 'uri' } }), strict: false },
    ],
    [
      'an object of anything inside',
      closed({ extra: { type: 'object' } }),
      { schema: closed({ extra: { type: 'object' } }), strict: false },
    ],
    [
      'choices inside',
      closed({ who: { anyOf: [item, { type: 'null' }] } }),
      { schema: closed({ who: { anyOf: [item, { type: 'null' }] } }), strict: true },
    ],
    [
      'one of several inside',
      closed({ who: { oneOf: [item, { type: 'null' }] } }),
      { schema: closed({ who: { oneOf: [item, { type: 'null' }] } }), strict: false },
    ],
    [
      'listed values get their type',
      closed({ size: { enum: ['s', 'm'] } }),
      { schema: closed({ size: { enum: ['s', 'm'], type: 'string' } }), strict: true },
    ],
    [
      'definitions',
      closed({ one: { $ref: '#/$defs/item' } }, { $defs: { item } }),
      { schema: closed({ one: { $ref: '#/$defs/item' } }, { $defs: { item } }), strict: true },
    ],
    [
      'a root that is a definition',
      { $ref: '#/$defs/item', $defs: { item } },
      { schema: { ...item, $defs: { item } }, strict: true },
    ],
    [
      'a list',
      { type: 'array', items: item },
      { schema: wrapped({ type: 'array', items: item }), strict: true, wrapper: 'value' },
    ],
    [
      'a list with definitions, and a reference to itself',
      { type: 'array', items: { anyOf: [{ $ref: '#' }, { $ref: '#/$defs/item' }] }, $defs: { item } },
      {
        schema: wrapped(
          { type: 'array', items: { anyOf: [{ $ref: '#/properties/value' }, { $ref: '#/$defs/item' }] } },
          { $defs: { item } },
        ),
        strict: true,
        wrapper: 'value',
      },
    ],
    [
      'a choice',
      { enum: ['yes', 'no'] },
      { schema: wrapped({ enum: ['yes', 'no'], type: 'string' }), strict: true, wrapper: 'value' },
    ],
    ['a number', { type: 'number' }, { schema: wrapped({ type: 'number' }), strict: true, wrapper: 'value' }],
    [
      'several kinds of objects, one of which has a property of that name',
      { anyOf: [closed({ value: text }), item] },
      {
        schema: closed({ result: { anyOf: [closed({ value: text }), item] } }),
        strict: true,
        wrapper: 'result',
      },
    ],
    ['prose', { type: 'string', maxLength: 280 }, undefined],
    [
      'a text of a form',
      { type: 'string', pattern: '^A' },
      { schema: wrapped({ type: 'string', pattern: '^A' }), strict: true, wrapper: 'value' },
    ],
    ['nothing is said', { description: 'anything' }, undefined],
    ['a reference to a file', closed({ one: { $ref: 'item.json' } }), undefined],
    [
      'a reference by name',
      closed({ one: { $ref: '#item' } }, { $defs: { item: { $anchor: 'item', ...item } } }),
      undefined,
    ],
    ['a dynamic reference', closed({ one: { $dynamicRef: '#item' } }), undefined],
  ])('%s', (_case, schema, wanted) => {
    expect(replyFormOf(schema)).toEqual(wanted);
  });

  test('a property may be called as a keyword is', () => {
    const schema = closed({ $ref: text, default: text, $id: text });
    expect(replyFormOf(schema)).toEqual({ schema, strict: true });
  });

  test('nesting without end is not strict', () => {
    let deep: JsonObject = item;
    for (let level = 0; level < 11; level++) deep = closed({ inner: deep });
    expect(strictSchema(deep)).toBeUndefined();
  });

  // Whatever fits what is sent must be right by the schema itself, else a model is led astray.
  test('what fits the strict form fits the schema', () => {
    const validator = new Ajv2020({ strict: false });
    const schema = { type: 'object', required: ['size', 'name'], properties: { size: { enum: ['s'] }, name: text } };
    const { schema: sent } = replyFormOf(schema)!;
    const values = [{ size: 's', name: 'x' }, { size: 's' }, { size: 's', name: 'x', more: 1 }, { size: 1, name: 'x' }];
    const fits = (by: JsonObject): boolean[] => values.map((value) => validator.validate(by, value));
    expect(fits(sent)).toEqual([true, false, false, false]);
    expect(fits(schema)).toEqual([true, false, true, false]);
  });

  test('in words it is the schema itself, without a wrapper', () => {
    expect(replyInWords({ $schema: 'x', type: 'array', items: item })).toMatch(
      /^Reply with JSON that matches this JSON Schema, and with nothing else[^]*\n\{"type":"array","items":\{/,
    );
  });
});

describe('which schema goes along', () => {
  const by = (schema: JsonObject | boolean): Evaluator => ({ type: 'schema', schema });
  const step: ModelCallStep = { action: 'llm.call', prompt: 'x' };
  test.each<[string, Evaluator | Evaluator[], JsonObject | undefined]>([
    ['the only one', by(item), item],
    ['the first of several', [{ type: 'llm' }, by(item), by(closed({ other: text }))], item],
    ['the first that can be sent', [by(true), by({ type: 'string' }), by(item)], item],
    ['none of prose', by({ type: 'string' }), undefined],
    ['none without a schema', { type: 'llm' }, undefined],
    ['none that is too large for each call', by(closed({ size: { enum: ['x'.repeat(17_000)] } })), undefined],
  ])('%s', (_case, evaluator, wanted) => {
    expect(schemaOfOutputs({ evaluator })).toBe(wanted);
  });

  test('it goes along where a model writes a whole output, and says nothing of it itself', () => {
    expect(schemaFor(step, item)).toBe(item);
    expect(schemaFor(step, item, 'full_rewrite')).toBe(item);
    expect(schemaFor(step, item, 'incremental')).toBe(item);
    expect(schemaFor(step, item, 'targeted_edit')).toBeUndefined();
    expect(schemaFor({ ...step, reply: false }, item)).toBeUndefined();
    expect(schemaFor({ ...step, reply: closed({}) }, item)).toBeUndefined();
    expect(schemaFor({ action: 'orders.make' }, item)).toBeUndefined();
    expect(schemaFor({ run: 'return 1' }, item)).toBeUndefined();
  });
});
