import type { SpecProblem } from '../../lib/contract/spec-problem';
import { isJsonObject, type JsonObject } from '../../lib/json/json';
import { type JsonSchema, subschemas } from './schema-walk';

export const DIALECTS = ['draft-07', '2019-09', '2020-12'] as const;
export type Dialect = (typeof DIALECTS)[number];

const META_SCHEMA = /^https?:\/\/json-schema\.org\/(?:draft\/(2019-09|2020-12)|(draft-07))\/(schema|meta\/[a-z-]+)#?$/;
const OLD_META_SCHEMA = /^https?:\/\/json-schema\.org\/draft-0([46])\//;
const REMEDY: Record<string, string> = {
  4: 'write `$schema` of draft-07 or 2020-12, `$id` for `id`, and a number, not true, for `exclusiveMinimum` and `exclusiveMaximum`',
  6: 'write `$schema` of draft-07, where its words mean the same, or of 2020-12, which has `prefixItems` for a list of `items`',
};

export function metaSchemaOf(dialect: Dialect): string {
  return dialect.startsWith('draft')
    ? `http://json-schema.org/${dialect}/schema#`
    : `https://json-schema.org/draft/${dialect}/schema`;
}

/** The dialect whose own schema, or a part of it, has an address; with `http` or `https`, as both are written. */
export function dialectOfMetaSchema(address: string): { dialect: Dialect; part: string } | undefined {
  const [, newer, older, part = ''] = META_SCHEMA.exec(address) ?? [];
  const dialect = (newer ?? older) as Dialect | undefined;
  return dialect && { dialect, part };
}

/** Undefined if `$schema` is unknown. Without it the newest, but 2019-09 for a schema in the older style of `items` lists. */
export function dialectOf(schema: JsonSchema): Dialect | undefined {
  const named = isJsonObject(schema) ? schema.$schema : undefined;
  if (named !== undefined) {
    const meta = dialectOfMetaSchema(String(named));
    return meta?.part === 'schema' ? meta.dialect : undefined;
  }
  const all = [...subschemas(schema)];
  if (all.some((each) => 'prefixItems' in each.schema || '$dynamicRef' in each.schema)) return '2020-12';
  const isOldStyle = all.some((each) => Array.isArray(each.schema.items) || 'additionalItems' in each.schema);
  return isOldStyle ? '2019-09' : '2020-12';
}

/** Reports a schema that names draft-04 or draft-06, or that has an `id` and words of draft-04: neither draft is judged. */
export function oldDraftProblem(schema: JsonSchema): SpecProblem | undefined {
  if (!isJsonObject(schema)) return undefined;
  const { $schema: named, id } = schema;
  const draft = OLD_META_SCHEMA.exec(String(named))?.[1] ?? (isDraft4(schema) ? '4' : undefined);
  if (draft === undefined) return undefined;
  const path = named === undefined && id !== undefined ? '/id' : '/$schema';
  return { path, message: `is of JSON Schema draft-0${draft}, which is not judged: ${REMEDY[draft]}` };
}

function isDraft4(root: JsonObject): boolean {
  if (root.$schema !== undefined || typeof root.id !== 'string') return false;
  return [...subschemas(root)].some(
    ({ schema }) => typeof schema.exclusiveMinimum === 'boolean' || typeof schema.exclusiveMaximum === 'boolean',
  );
}

export function readsBesideReferences(dialect: Dialect): boolean {
  return dialect !== 'draft-07';
}
