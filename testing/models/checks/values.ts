import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type Json } from '../../../src/lib/json/json';
import { pointerSegments } from '../../../src/lib/json/json-pointer';

/** What may differ from the truth. */
export interface Leeway {
  /** Keys whose texts may have any words. */
  free?: readonly string[];
  /** Other texts that mean the same as one of the truth. */
  accepted?: Readonly<Record<string, readonly string[]>>;
}

/** Texts are the same whatever their case, spacing, last full stop and first article. Lists are the same in any order. */
function normalText(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '').replace(/^the /, '');
}

function normalOf(value: Json, leeway: Required<Leeway>, meanings: ReadonlyMap<string, string>): Json {
  const normal = (each: Json): Json => normalOf(each, leeway, meanings);
  if (typeof value === 'string') return meanings.get(normalText(value)) ?? normalText(value);
  if (Array.isArray(value)) return value.map(normal).sort((one, other) => (key(one) < key(other) ? -1 : 1));
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value).sort();
  const isFree = (name: string): boolean => leeway.free.includes(name) && typeof value[name] === 'string';
  return Object.fromEntries(names.map((name) => [name, isFree(name) ? '' : normal(value[name]!)]));
}

const key = (value: Json): string => JSON.stringify(value);

/** Where an output differs from the value that is known to be right. */
export function valueProblems(output: Json, truth: Json, { free = [], accepted = {} }: Leeway = {}): string[] {
  const meanings = new Map(
    Object.entries(accepted).flatMap(([text, others]) =>
      others.map((other) => [normalText(other), normalText(text)] as const),
    ),
  );
  return differences(output, truth, (value) => normalOf(value, { free, accepted }, meanings), '');
}

function differences(output: Json, truth: Json, normal: (value: Json) => Json, path: string): string[] {
  if (isDeepStrictEqual(normal(output), normal(truth))) return [];
  if (isJsonObject(output) && isJsonObject(truth)) {
    const names = new Set([...Object.keys(truth), ...Object.keys(output)]);
    const inner = [...names].flatMap((name) => {
      if (!(name in truth)) return [`${path}/${name} should not be there`];
      if (!(name in output)) return [`${path}/${name} is missing`];
      // Free texts are seen from above only.
      if (isDeepStrictEqual(normal({ [name]: output[name]! }), normal({ [name]: truth[name]! }))) return [];
      return differences(output[name]!, truth[name]!, normal, `${path}/${name}`);
    });
    if (inner.length > 0) return inner;
  }
  return [`${path || 'the output'} is ${key(output)}, and should be ${key(truth)}`];
}

/** A copy with another value at a place. */
export function withValueAt(whole: Json, pointer: string, value: Json): Json {
  const [segment, ...rest] = pointerSegments(pointer);
  if (segment === undefined) return value;
  const deeper = (inner: Json | undefined): Json =>
    withValueAt(inner ?? null, rest.map((each) => `/${each}`).join(''), value);
  if (Array.isArray(whole)) return whole.map((each, index) => (String(index) === segment ? deeper(each) : each));
  if (isJsonObject(whole) && segment in whole) return { ...whole, [segment]: deeper(whole[segment]) };
  throw new Error(`there is no ${pointer}`);
}
