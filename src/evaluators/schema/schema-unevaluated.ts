import type { SpecProblem } from '../../lib/contract/spec-problem';
import { conditionalParts, partsOfSameValue } from './references/schema-endless';
import type { Dialect } from './schema-dialect';
import { type JsonSchema, subschemas } from './schema-walk';

/** Keywords that judge all items, or those that no other keyword has judged. */
const OF_ITEMS = ['items', 'additionalItems', 'unevaluatedItems'];

/**
 * Returns the places where the validator would judge `unevaluatedItems` wrongly: it does not know which items a
 * `contains` has evaluated (2020-12) or an `if` without `then`, and miscounts those of `items` in a part of which only
 * the value decides whether it counts.
 */
export function unevaluatedProblems(root: JsonSchema, dialect: Dialect): SpecProblem[] {
  return [...subschemas(root)].flatMap(({ schema, path }) => {
    if (!('unevaluatedItems' in schema)) return [];
    const parts = partsOfSameValue(root, schema);
    const conditional = new Set(
      parts.flatMap((part) => conditionalParts(part)).flatMap((part) => partsOfSameValue(root, part)),
    );
    const beside = [
      ...(dialect === '2020-12' && parts.some((part) => 'contains' in part) ? ['contains'] : []),
      ...(parts.some((part) => 'if' in part && !('then' in part)) ? ['if` without `then'] : []),
    ];
    const nested = OF_ITEMS.filter((keyword) => [...conditional].some((part) => isSchemaOfItems(part[keyword])));
    const [keyword] = [...beside, ...nested];
    if (keyword === undefined) return [];
    const place = beside.length > 0 ? 'beside' : 'beside a condition with';
    return [{ path: `${path}/unevaluatedItems`, message: `cannot be judged ${place} \`${keyword}\`` }];
  });
}

function isSchemaOfItems(value: unknown): boolean {
  return value !== undefined && !Array.isArray(value);
}
