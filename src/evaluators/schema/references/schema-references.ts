import type { SpecProblem } from '../../../lib/contract/spec-problem';
import { judgedAlike } from '../judged-alike';
import { dialectOf, dialectOfMetaSchema } from '../schema-dialect';
import { type JsonSchema, subschemas } from '../schema-walk';
import { withLocalReferences } from './local-references';
import type { SchemaFolder } from './schema-file';

interface BundledSchema {
  schema: JsonSchema;
  problems: SpecProblem[];
}

/** References are pointers to parts of it, and files that it refers to are under its `$defs`: it depends on nothing outside of it. */
export function bundledSchema(schema: JsonSchema, folder: SchemaFolder | undefined): BundledSchema {
  const dialect = dialectOf(schema);
  if (!dialect) return { schema, problems: [] };
  const { schema: whole, problems } = withLocalReferences(schema, dialect, folder);
  return problems.length > 0 ? { schema, problems } : { schema: judgedAlike(whole), problems };
}

export function refersToFiles(root: JsonSchema): boolean {
  const all = [...subschemas(root)];
  const names = new Set(all.map(({ schema }) => schema.$id));
  return all.some(({ schema: { $ref, $dynamicRef } }) =>
    [$ref, $dynamicRef].some((reference) => {
      if (typeof reference !== 'string' || reference.startsWith('#') || names.has(reference)) return false;
      const address = reference.split('#', 1)[0]!;
      return !dialectOfMetaSchema(address) && !names.has(address);
    }),
  );
}
