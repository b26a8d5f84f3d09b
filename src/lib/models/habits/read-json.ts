export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

/** Returns a list, or an empty one in place of anything else. */
export function listIn(value: unknown, name: string): unknown[] {
  const field = fieldOf(value, name);
  return Array.isArray(field) ? field : [];
}

/** Returns a text, or an empty one in place of anything else. */
export function textIn(value: unknown, name: string): string {
  const field = fieldOf(value, name);
  return typeof field === 'string' ? field : '';
}

export function countIn(value: unknown, name: string): number | undefined {
  const field = fieldOf(value, name);
  return Number.isSafeInteger(field) && (field as number) >= 0 ? (field as number) : undefined;
}
