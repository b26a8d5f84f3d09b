/**
 * Puts what each field of the contract means into the declarations that users load. The types are inferred from the schemas, and an editor
 * shows the comments of a schema's fields at the fields of its type.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A zod schema, or an entry of a table that says what it means, as far as it is read here. */
interface Schema {
  description?: unknown;
  meta?(): { default?: unknown } | undefined;
  shape?: Record<string, Schema>;
  _zod?: { def: { innerType?: Schema; element?: Schema; options?: Schema[]; defaultValue?: unknown } };
}

/** A field of an object, in whatever the object is wrapped; also an entry of a table of schemas. */
function fieldOf(holder: Schema | undefined, key: string): Schema | undefined {
  if (!holder) return undefined;
  if (!holder._zod) return (holder as Record<string, Schema | undefined>)[key];
  if (holder.shape) return holder.shape[key];
  const { innerType, element, options = [] } = holder._zod.def;
  return [innerType, element, ...options].map((inner) => fieldOf(inner, key)).find((field) => field !== undefined);
}

/** The text of a field's comment; undefined where nothing is said of it. */
function commentOf(field: Schema | undefined): string | undefined {
  if (typeof field?.description !== 'string') return undefined;
  const { default: standard = field._zod?.def.defaultValue } = field.meta?.() ?? {};
  const text =
    standard === undefined ? field.description : `${field.description} Default: ${JSON.stringify(standard)}.`;
  return text.replaceAll('*/', '*\\/');
}

/**
 * A declaration file, with a comment at each field of its schemas.
 *
 * @param schemas what the module exports
 */
export function withComments(declarations: string, schemas: Record<string, unknown>): string {
  let holders: (Schema | undefined)[] = [];
  return declarations
    .split('\n')
    .flatMap((line) => {
      const declared = /^export declare const (\w+):/.exec(line);
      if (declared) holders = [schemas[declared[1]!] as Schema | undefined];
      const field = /^((?: {4})+)(?:readonly )?(\w+)\??: /.exec(line);
      if (!field) return [line];
      const [, indent, key] = field as unknown as [string, string, string];
      const depth = indent.length / 4;
      holders = holders.slice(0, depth);
      holders[depth] = fieldOf(holders[depth - 1], key);
      const comment = commentOf(holders[depth]);
      return comment === undefined ? [line] : [`${indent}/** ${comment} */`, line];
    })
    .join('\n');
}

/** Comments every declaration file of a folder that was built, and of those in it. */
export function writeComments(folder: string): void {
  for (const file of readdirSync(folder, { encoding: 'utf8', recursive: true }).filter((name) =>
    name.endsWith('.d.ts'),
  )) {
    const declarations = path.join(folder, file);
    // oxlint-disable-next-line typescript/no-require-imports -- What was just built.
    const schemas = require(declarations.replace(/\.d\.ts$/, '.js')) as Record<string, unknown>;
    writeFileSync(declarations, withComments(readFileSync(declarations, 'utf8'), schemas));
  }
}
