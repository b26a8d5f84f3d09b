import * as fc from 'fast-check';
import { isJsonObject, type Json } from '../../src/lib/json/json';
import { allFields } from '../limits/field-cases';
import type { Step } from '../limits/fields';
import { Instances } from '../limits/instances';
import type { WorkflowType } from '../limits/limit-case';
import { merged, schemaOf } from '../limits/shapes';

/** Pieces that texts of a protocol, a page or a database stumble over. */
const PIECES = ['\ud800', '\udfff', '\udc00\ud800', '\0', '\u2028', '\u202e', '\u2066', '\ufeff', '😀', '"', '/', 'a'];

/** Each of them alone, as a name that was cut, and a long one. */
export const ODD_TEXTS: readonly string[] = [
  'Agent\ud83d',
  '\ude00',
  'a\0b',
  'a\u2028b\u202ec\u2066',
  'é'.repeat(32_768),
];

/** Texts with some of them at any place. */
export const oddText: fc.Arbitrary<string> = fc.oneof(
  fc
    .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 12 })
    .map((parts) => parts.join('')),
  fc.string({ unit: 'binary-ascii', maxLength: 20 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 }).map((units) => String.fromCharCode(...units)),
);

/** A field of a shape whose value is a text or anything, and a small valid value of the shape around it. */
export interface TextField {
  workflow: WorkflowType;
  name: string;
  kind: 'text' | 'free';
  /** The value of the shape with a text in this field. */
  withText(text: string): Json;
}

/** Puts a value at the end of a path, whose choices were made before. */
function put(value: Json, path: readonly Step[], text: string): Json {
  const [step, ...rest] = path;
  if (step === undefined) return isJsonObject(value) ? { [text]: text, inner: [text] } : text;
  if ('choice' in step) return put(value, rest, text);
  if ('item' in step) {
    const [first = null, ...others] = Array.isArray(value) ? value : [];
    return [put(first, rest, text), ...others];
  }
  const object = isJsonObject(value) ? value : {};
  return { ...object, [step.key]: put(object[step.key] ?? null, rest, text) };
}

/** Every field of every shape that a text can get into. */
export function textFields(): TextField[] {
  const instances = new Instances({ judgeUrl: 'http://127.0.0.1:9/judge' });
  return allFields().flatMap(({ shape, fields }) => {
    const schema = schemaOf(shape);
    const smallest = merged(instances.smallest(schema), shape.around);
    return fields
      .filter(({ kind }) => kind === 'text' || kind === 'free')
      .map(({ path, name, kind, ...field }): TextField => {
        const around = merged(smallest, instances.atMaximum(schema, { path, name, kind, ...field }));
        return {
          workflow: shape.workflow,
          name,
          kind: kind as TextField['kind'],
          withText: (text) => put(around, path, text),
        };
      });
  });
}
