import { isJsonObject } from '../../lib/json/json';
import { type JsonSchema, subschemas } from './schema-walk';

/** The drafts of JSON Schema that are judged, from the oldest. */
export const DIALECTS = ['draft-04', 'draft-06', 'draft-07', '2019-09', '2020-12'] as const;
export type Dialect = (typeof DIALECTS)[number];

const META_SCHEMA =
  /^https?:\/\/json-schema\.org\/(?:draft\/(2019-09|2020-12)|(draft-0[467]))\/(schema|meta\/[a-z-]+)#?$/;

/** Returns the address of a dialect's own schema. */
export function metaSchemaOf(dialect: Dialect): string {
  return dialect.startsWith('draft')
    ? `http://json-schema.org/${dialect}/schema#`
    : `https://json-schema.org/draft/${dialect}/schema`;
}

/** Returns the dialect whose own schema, or a part of it, has an address; with `http` or `https`, as both are written. */
export function dialectOfMetaSchema(address: string): { dialect: Dialect; part: string } | undefined {
  const [, newer, older, part = ''] = META_SCHEMA.exec(address) ?? [];
  const dialect = (newer ?? older) as Dialect | undefined;
  return dialect && { dialect, part };
}

/**
 * Returns the dialect that `$schema` names; undefined when it is unknown. Without `$schema` it is the newest, unless
 * the schema is written in the older style of `items` lists, which 2019-09 reads with everything else that is newer.
 */
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

/** Returns the keyword by which a schema names itself. */
export function idKeyword(dialect: Dialect): '$id' | 'id' {
  return dialect === 'draft-04' ? 'id' : '$id';
}

/** Returns whether keywords beside a `$ref` count. */
export function readsBesideReferences(dialect: Dialect): boolean {
  return !dialect.startsWith('draft');
}
