import { isJsonObject } from '../../lib/json/json';

/** The keys of specs and requests under which users write data and schemas of their own: null is a value in them. */
export const DATA_KEYS: readonly string[] = [
  'arguments',
  'attributes',
  'data',
  'first',
  'input',
  'output',
  'reference',
  'reply',
  'result',
  'schema',
  'state',
  'with',
];

export const NULLABLE_KEYS: readonly string[] = ['data', 'input', 'output', 'reference', 'with'];

const MOST_LEVELS = 30;

/** Programs with types of their own write null for what is not set. Values under the keys of data stay. */
export function omitNulls<Value>(value: Value, levels = MOST_LEVELS): Value {
  if (levels === 0) return value;
  if (Array.isArray(value)) {
    const items = (value as unknown[]).map((item) => omitNulls(item, levels - 1));
    return items.some((item, index) => item !== value[index]) ? (items as Value) : value;
  }
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value);
  const kept = fields.flatMap(([key, field]): [string, unknown][] => {
    if (field === null) return NULLABLE_KEYS.includes(key) ? [[key, field]] : [];
    return [[key, DATA_KEYS.includes(key) ? field : omitNulls(field, levels - 1)]];
  });
  const isSame = kept.length === fields.length && kept.every(([key, field]) => field === value[key]);
  return isSame ? value : (Object.fromEntries(kept) as Value);
}
