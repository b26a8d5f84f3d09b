/** Returns whether a value is a schema of zod 4; the caller's copy of zod may be another one than ours. */
export const isZod = (value: unknown): boolean => typeof value === 'object' && value !== null && '_zod' in value;

const OF_OTHERS = 'give a schema of zod 4 (zod 3.25 has it as `zod/v4`), or a JSON Schema';

/** Describes a schema of a library where a JSON Schema is required; undefined for anything else. */
export function foreignSchemaProblem(value: unknown): string | undefined {
  if (isZod(value)) {
    return 'is a zod schema, which cannot be sent: pass the spec to `defineSpec`, which converts it, or use `schemaEvaluator(schema)`';
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if ('_def' in value) return `is a schema of zod 3, which cannot be converted: ${OF_OTHERS}`;
  return '~standard' in value ? `is a schema of another library than zod: ${OF_OTHERS}` : undefined;
}
