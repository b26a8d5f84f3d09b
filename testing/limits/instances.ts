import type { Json } from '../../src/lib/json/json';
import type { SizedField, Step } from './fields';
import { choicesOf, isDuration, kindOf, type SchemaNode } from './schema-node';
import { alsoNeeded, knownValue, type Place, type Surroundings } from './vocabulary';

/** Bytes of a spec that just fits into a payload, beside what else stands in it. */
export const FULL_BYTES = 1_700_000;

/** Items of a list that the contract does not bound: more than a server takes of anything at once. */
export const FULL_ITEMS = 2_500;

/** Makes values of a schema. */
export class Instances {
  constructor(private readonly surroundings: Surroundings) {}

  /** The smallest value that means something. */
  smallest(node: SchemaNode, place: Place = { keys: [], index: 0 }): Json {
    if (node.const !== undefined) return node.const as Json;
    const known = knownValue(node, place, this.surroundings);
    if (node.enum) return known !== undefined && node.enum.includes(known) ? known : (node.enum[0] as Json);
    if (known !== undefined && (kindOf(node) === 'text' || isDuration(node) || kindOf(node) === 'free')) return known;
    switch (kindOf(node)) {
      case 'choice':
        return this.smallest(preferred(node), place);
      case 'number':
        return node.minimum ?? (node.exclusiveMinimum === undefined ? 1 : node.exclusiveMinimum + 1);
      case 'text':
        return `a${'b'.repeat(Math.max(0, (node.minLength ?? 1) - 1))}`;
      case 'switch':
        return true;
      case 'list':
        return this.#items(node, Math.max(1, node.minItems ?? 0), place);
      case 'form':
        return this.#form(node, place);
      default:
        return { value: 1 };
    }
  }

  /** The value with one field at its maximum, and what that field needs around it. */
  atMaximum(root: SchemaNode, field: SizedField): Json {
    return this.#grown(root, field.path, field, { keys: [], index: 0 });
  }

  #grown(node: SchemaNode, path: readonly Step[], field: SizedField, place: Place): Json {
    const [step, ...rest] = path;
    // A choice of one is no step of the path.
    const choices = kindOf(node) === 'choice' && !isDuration(node) ? choicesOf(node) : [];
    if (choices.length === 1) return this.#grown(choices[0]!, path, field, place);
    if (step === undefined) return this.#largest(node, field, place);
    if ('choice' in step) return this.#grown(choices[step.choice]!, rest, field, place);
    if ('item' in step) {
      const [, ...others] = this.#items(node, Math.max(1, node.minItems ?? 1), place);
      return [this.#grown(node.items!, rest, field, { keys: place.keys, index: 0 }), ...others];
    }
    const inner: Place = { keys: [...place.keys, step.key], index: place.index };
    return { ...this.#form(node, place), [step.key]: this.#grown(node.properties![step.key]!, rest, field, inner) };
  }

  #form(node: SchemaNode, { keys, index }: Place): Record<string, Json> {
    const needed = [...new Set([...(node.required ?? []), ...alsoNeeded(node)])].filter(
      (key) => node.properties?.[key],
    );
    return Object.fromEntries(
      needed.map((key) => [key, this.smallest(node.properties![key]!, { keys: [...keys, key], index })]),
    );
  }

  #items(node: SchemaNode, count: number, { keys }: Place): Json[] {
    return Array.from({ length: count }, (_, index) => this.smallest(node.items ?? {}, { keys, index }));
  }

  #largest(node: SchemaNode, { kind, maximum }: SizedField, place: Place): Json {
    const key = place.keys.at(-1);
    switch (kind) {
      case 'number':
        return maximum ?? (node.type === 'integer' ? Number.MAX_SAFE_INTEGER : 1e300);
      case 'duration':
        return maximum ?? '100y';
      case 'list': {
        const size = JSON.stringify(this.#items(node, 1, place)).length;
        return this.#items(node, maximum ?? Math.min(FULL_ITEMS, Math.floor(FULL_BYTES / size)), place);
      }
      case 'free':
        return typeof knownValue(node, place, this.surroundings) === 'object'
          ? { ...(knownValue(node, place, this.surroundings) as object), title: 'x'.repeat(FULL_BYTES) }
          : largeFree(node, place);
      default:
        return largeText(maximum ?? FULL_BYTES, key, knownValue(node, place, this.surroundings));
    }
  }
}

/** What an action is given must be what it takes. */
function largeFree(node: SchemaNode, { keys }: Place): Json {
  const text = 'x'.repeat(FULL_BYTES);
  const isObject = node.type === 'object' || keys.at(-1) === 'with';
  return isObject ? { filler: text } : text;
}

/** Texts of a language stay texts of it. */
function largeText(length: number, key: string | undefined, known: Json | undefined): string {
  const start = typeof known === 'string' ? known : '';
  if (key === 'run') return `${start} --`.padEnd(length, 'x');
  if (key === 'url') return `${start}?`.padEnd(length, 'x');
  if (key === 'pattern') return '^'.padEnd(length, 'x');
  return start.padEnd(length, 'x').slice(0, length);
}

/** Among forms, the one that costs least: a registered action, or a name. */
function preferred(node: SchemaNode): SchemaNode {
  const choices = choicesOf(node);
  const named = choices.find(({ properties }) => properties?.['action'] && properties['action'].const === undefined);
  const judge = choices.find(({ properties }) => properties?.['type']?.const === 'function');
  return judge ?? named ?? choices[0] ?? {};
}
