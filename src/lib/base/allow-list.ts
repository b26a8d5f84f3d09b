/** Names that a worker serves. An entry is a name, or its beginning and `*`. */
export type AllowList = readonly string[];

/** Returns whether a name is allowed: there is no list, or one of its entries is the name or a pattern that covers it. */
export function allows(list: AllowList | undefined, name: string): boolean {
  if (list === undefined) return true;
  return list.some((entry) => (entry.endsWith('*') ? name.startsWith(entry.slice(0, -1)) : entry === name));
}
