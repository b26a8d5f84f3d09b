import type { Json } from '../../lib/json/json';
import { words } from '../replies/words';
import { LONGEST_UNROLLED } from './schema-compile';
import { type JsonSchema, nestsDeeperThan, subschemas } from './schema-walk';

/** Deeper schemas would exhaust the stack of the compiler. */
export const MAX_DEPTH = 200;
const MAX_CHARACTERS = 512 * 1_024;
/** For schemas that no time would suffice for: a rule takes 0.02 to 0.4 ms. Published schemas have some thousands. */
const MAX_RULES = 20_000;

/** The rules that a pattern counts for: each is compiled by a separate engine. */
const RULES_OF_A_PATTERN = 4;

const FREE = words(
  '$anchor $comment $dynamicAnchor $id $schema const default deprecated description examples readOnly title writeOnly',
);

export function schemaSizeProblem(schema: JsonSchema): string | undefined {
  if (nestsDeeperThan(schema, MAX_DEPTH)) return `nests deeper than ${MAX_DEPTH} levels`;
  if (hasTooManyRules(schema)) {
    return `has more than ${MAX_RULES} rules in it: keywords, and names and schemas that they list`;
  }
  return JSON.stringify(schema).length > MAX_CHARACTERS ? `has more than ${MAX_CHARACTERS} characters` : undefined;
}

function hasTooManyRules(schema: JsonSchema): boolean {
  let rules = 0;
  for (const each of subschemas(schema)) {
    for (const [keyword, value] of Object.entries(each.schema)) {
      rules += FREE.has(keyword) ? 0 : 1 + entriesOf(keyword, value);
      if (rules > MAX_RULES) return true;
    }
  }
  return false;
}

function entriesOf(keyword: string, value: Json | undefined): number {
  if (keyword === 'pattern') return RULES_OF_A_PATTERN;
  if (typeof value !== 'object' || value === null) return 0;
  if (keyword === 'enum' && Array.isArray(value)) return value.filter((entry) => typeof entry === 'object').length;
  if (keyword === 'required' && Array.isArray(value)) return Math.min(value.length, LONGEST_UNROLLED);
  const entries = Object.values(value);
  if (keyword === 'patternProperties') return entries.length * RULES_OF_A_PATTERN;
  // `dependentRequired` and the older `dependencies` list names in lists.
  return entries.reduce<number>((sum, entry) => sum + (Array.isArray(entry) ? entry.length : 0), entries.length);
}
