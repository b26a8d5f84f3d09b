/** Renders a value as JSON whose keys are sorted: equal values have one text. What JSON does not know is rendered as what is like it. */
export function canonicalJson(value: unknown): string {
  const render = (_key: string, inner: unknown): unknown => {
    if (typeof inner === 'bigint') return String(inner);
    if (inner instanceof Map || inner instanceof Set) return [...(inner as Iterable<unknown>)];
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)));
  };
  return (JSON.stringify(value, render) as string | undefined) ?? 'null';
}
