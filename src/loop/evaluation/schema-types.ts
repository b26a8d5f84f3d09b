import { isJsonObject, type Json } from '../../lib/json/json';

const STRUCTURE_KEYWORDS: ReadonlyMap<string, 'object' | 'array'> = new Map([
  ['properties', 'object'],
  ['required', 'object'],
  ['additionalProperties', 'object'],
  ['patternProperties', 'object'],
  ['items', 'array'],
  ['prefixItems', 'array'],
]);
const KEYWORDS_FOR_ANYTHING: ReadonlySet<string> = new Set([
  'type',
  'enum',
  'const',
  '$ref',
  '$dynamicRef',
  'anyOf',
  'oneOf',
  'allOf',
  'not',
  'if',
]);

/** A schema `{ required: ['name'] }` accepts every text, by the standard. Its author means an object, so a text has to hold one. */
export function speaksOnlyOfStructure(schema: Json): boolean {
  if (!isJsonObject(schema)) return false;
  const keywords = Object.keys(schema);
  return (
    keywords.some((keyword) => STRUCTURE_KEYWORDS.has(keyword)) &&
    !keywords.some((keyword) => KEYWORDS_FOR_ANYTHING.has(keyword))
  );
}

export function typesMeant(schema: Json): readonly Json[] | undefined {
  if (!isJsonObject(schema)) return undefined;
  const { type, anyOf, oneOf } = schema;
  if (type !== undefined) return [type].flat();
  if (speaksOnlyOfStructure(schema)) return Object.keys(schema).flatMap((key) => STRUCTURE_KEYWORDS.get(key) ?? []);
  const branches = anyOf ?? oneOf;
  if (!Array.isArray(branches)) return undefined;
  const types = branches.map(typesMeant);
  return types.every((each) => each !== undefined) ? types.flat() : undefined;
}
