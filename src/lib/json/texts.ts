/** Changes all texts inside of a value, and keys of objects by `changeKey` or likewise. */
export function changeTexts(
  value: unknown,
  change: (text: string) => string,
  changeKey: (key: string) => string = change,
): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => changeTexts(item, change, changeKey));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [changeKey(key), changeTexts(inner, change, changeKey)]);
  return Object.fromEntries(entries);
}
