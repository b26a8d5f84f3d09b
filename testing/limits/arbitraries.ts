import * as fc from 'fast-check';
import type { Json } from '../../src/lib/json/json';
import { choicesOf, isDuration, isLoopSpec, kindOf, type SchemaNode } from './schema-node';
import { alsoNeeded, knownValue, type Surroundings } from './vocabulary';

/** How deep optional fields go. */
const DEPTH = 7;
/** Numbers that a run takes time for. */
const FEW: Record<string, number> = {
  maxIterations: 12,
  maxToolRounds: 4,
  votes: 3,
  maxReplanningAttempts: 3,
  reflectionInterval: 3,
  batchSize: 400,
};
/** Items of most lists; some have as many as they may. */
const FEW_ITEMS = 3;
const MANY_ITEMS = 60;

/** Texts of any length, of which some are large. */
function texts(node: SchemaNode): fc.Arbitrary<string> {
  const longest = node.maxLength ?? 60_000;
  const shortest = node.minLength ?? 0;
  const usual = fc.string({ minLength: shortest, maxLength: Math.min(40, longest), unit: 'grapheme' });
  const long = fc.integer({ min: shortest, max: longest }).map((length) => 'x'.repeat(length));
  return fc
    .oneof({ weight: 6, arbitrary: usual }, { weight: 1, arbitrary: long })
    .map((text) => text.slice(0, longest));
}

function numbers(node: SchemaNode, key: string | undefined): fc.Arbitrary<number> {
  const few = key === undefined ? undefined : FEW[key];
  const least = node.minimum ?? (node.exclusiveMinimum === undefined ? 0 : 1);
  const most = Math.min(node.maximum ?? 1_000_000, few ?? Infinity);
  return node.type === 'integer'
    ? fc.integer({ min: least, max: Math.max(least, most) })
    : fc.double({ min: least, max: Math.max(least, most), noNaN: true });
}

/** Anything at all, some of it large. */
const anything: fc.Arbitrary<Json> = fc.oneof(
  { weight: 5, arbitrary: fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json> },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 300_000 }).map((length) => 'y'.repeat(length)) },
);

const objects: fc.Arbitrary<Json> = fc.dictionary(fc.string({ minLength: 1, maxLength: 20 }), anything, { maxKeys: 6 });

/** What the actions of the harness are given. */
const PARAMETERS: Record<string, fc.Arbitrary<Json>> = {
  makes: fc.record({
    bytes: fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.constantFrom(60_000, 400_000, 1_100_000, 1_850_000)),
  }),
  judges: fc.record(
    {
      passes: fc.boolean(),
      score: fc.double({ min: 0, max: 1, noNaN: true }),
      issues: fc.integer({ min: 0, max: 60 }),
      issueLength: fc.integer({ min: 10, max: 4_000 }),
      suggestions: fc.integer({ min: 0, max: 20 }),
      suggestionLength: fc.constantFrom(20, 2_000, 100_000),
      scores: fc.integer({ min: 0, max: 100 }),
      nameLength: fc.constantFrom(10, 10_000),
    },
    { requiredKeys: [] },
  ),
};

/** Makes values of a schema at random: the same for the same seed. */
export class Arbitraries {
  constructor(private readonly surroundings: Surroundings) {}

  of(node: SchemaNode, keys: readonly string[] = [], index = 0): fc.Arbitrary<Json> {
    if (node.const !== undefined) return fc.constant(node.const as Json);
    const known = knownValue(node, { keys, index }, this.surroundings);
    if (node.enum) {
      const fixed = known !== undefined && node.enum.includes(known);
      return fixed ? fc.constant(known) : fc.constantFrom(...(node.enum as Json[]));
    }
    if (isDuration(node)) return fc.constantFrom<Json>('5s', '20s', 3_000, '1h');
    const kind = kindOf(node);
    if (known !== undefined && (kind === 'text' || kind === 'free')) return fc.constant(known);
    switch (kind) {
      case 'choice': {
        const choices = choicesOf(node);
        return fc.oneof(...choices.map((choice) => this.of(choice, keys, index)));
      }
      case 'number':
        return numbers(node, keys.at(-1));
      case 'text':
        return texts(node);
      case 'switch':
        return fc.boolean();
      case 'list':
        return this.#list(node, keys);
      case 'form':
        return this.#form(node, keys, index);
      default:
        return node.type === 'object' || keys.at(-1) === 'state' ? objects : anything;
    }
  }

  #list(node: SchemaNode, keys: readonly string[]): fc.Arbitrary<Json> {
    const least = Math.max(1, node.minItems ?? 1);
    const most = Math.max(least, Math.min(node.maxItems ?? MANY_ITEMS, keys.length > 3 ? FEW_ITEMS : MANY_ITEMS));
    const few = fc.integer({ min: least, max: Math.max(least, Math.min(FEW_ITEMS, most)) });
    const count = fc.oneof(
      { weight: 8, arbitrary: few },
      { weight: 1, arbitrary: fc.integer({ min: least, max: most }) },
    );
    return count.chain((length) =>
      fc
        .tuple(...Array.from({ length }, (_, index) => this.of(node.items ?? {}, keys, index)))
        .map((items): Json => items),
    );
  }

  #form(node: SchemaNode, keys: readonly string[], index: number): fc.Arbitrary<Json> {
    const properties = Object.entries(node.properties ?? {});
    const needed = new Set([...(node.required ?? []), ...alsoNeeded(node)]);
    const isDeep = keys.length >= DEPTH || (keys.length > 0 && isLoopSpec(node));
    const fields = properties.filter(([key]) => needed.has(key) || !isDeep);
    // Few optional fields at a time: with all of them, each spec would be refused for one or the other.
    const chosen = fc.tuple(
      ...fields.map(([key, property]) => {
        const value = this.of(property, [...keys, key], index);
        return needed.has(key) ? value : fc.option(value, { freq: 3, nil: undefined }).map((one) => one);
      }),
    );
    return chosen
      .chain((values) => {
        const kept = fields.map(([key], at): [string, Json | undefined] => [key, values[at]]);
        const optional = kept.filter(([key, value]) => !needed.has(key) && value !== undefined);
        return fc
          .subarray(optional, { maxLength: Math.min(3, optional.length) })
          .map((some) => [...kept.filter(([key]) => needed.has(key)), ...some]);
      })
      .chain((entries) => this.#withParameters(Object.fromEntries(entries) as Record<string, Json>));
  }

  /** A registered action is given what it takes. */
  #withParameters(value: Record<string, Json>): fc.Arbitrary<Json> {
    const action = value['action'] ?? value['uses'];
    const parameters = typeof action === 'string' ? PARAMETERS[action] : undefined;
    return parameters ? parameters.map((given) => ({ ...value, with: given })) : fc.constant(value);
  }
}
