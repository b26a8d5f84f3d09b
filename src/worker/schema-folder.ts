import { statSync } from 'node:fs';
import type { SchemaFolder } from '../evaluators/schema/references/schema-file';
import type { WorkOptions } from './work-options';

/**
 * @throws TypeError for a value that is neither a folder nor an address; otherwise only the first run that needs it would
 *   fail
 */
export function schemaFolderOf(options: WorkOptions, env: NodeJS.ProcessEnv): SchemaFolder | undefined {
  const root = options.schemaRoot ?? (env['REFLECT_SCHEMA_ROOT'] || undefined);
  const asked = options.schemaAddress ?? (env['REFLECT_SCHEMA_ADDRESS'] || undefined);
  if (root === undefined && asked === undefined) return undefined;
  if (root === undefined) throw new TypeError(`the address "${asked}" of schema files needs a schema root`);
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) {
    throw new TypeError(`the schema root "${root}" is no folder`);
  }
  return asked === undefined ? { root } : { root, address: schemaAddress(asked) };
}

function schemaAddress(asked: string): string {
  const address = URL.canParse(asked) ? new URL(asked) : undefined;
  if (!address?.host || address.search || address.hash) {
    throw new TypeError(`the address of schema files must be like https://example.com/schemas/, and is "${asked}"`);
  }
  return address.href.endsWith('/') ? address.href : `${address.href}/`;
}
