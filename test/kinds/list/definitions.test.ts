import { isJsonObject } from '../../../src/lib/json/json';
import type { JsonSchema } from '../../../src/lib/contract/convert';
import { jsonSchemas } from '../../../src/kinds/list/schemas';
import { nameTypes } from '../../../src/lib/contract/definitions';
import { fileSchemas } from '../../../src/apps/yaml';

/** Returns schemas before and after their types had names. */
const named = (before: Record<string, JsonSchema>) => ({ before, after: nameTypes(structuredClone(before)) });
const wire = named(jsonSchemas());
const files = named(fileSchemas());
const all = [
  ...Object.keys(wire.before).map((file) => ({ file, ...wire })),
  ...Object.keys(files.before).map((file) => ({ file, ...files })),
];

/** The schema with what its references name in their place; what refers to itself stays as it is. */
function resolved(value: unknown, definitions: JsonSchema, own: JsonSchema): unknown {
  if (Array.isArray(value)) return value.map((each) => resolved(each, definitions, own));
  if (!isJsonObject(value)) return value;
  const { $ref, ...beside } = value as JsonSchema;
  const name = typeof $ref === 'string' ? $ref.replace('#/$defs/', '') : undefined;
  if (name !== undefined && !(name in own)) {
    return resolved({ ...beside, ...(definitions[name] as JsonSchema) }, definitions, own);
  }
  // Types have titles that were none before; a property of that name is an object.
  const entries = Object.entries(value).filter(([key, each]) => key !== 'title' || typeof each !== 'string');
  return Object.fromEntries(entries.map(([key, each]) => [key, resolved(each, definitions, own)]));
}

/** Where an object type stands that a generator of code would have to make a name for. */
function nameless(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => nameless(each, `${path}/${index}`));
  if (!isJsonObject(value)) return [];
  const { type, properties, ...rest } = value as JsonSchema;
  // A condition without a type describes none.
  if (isJsonObject(properties) && type === undefined) return [];
  const here = type === 'object' && isJsonObject(properties) && Object.keys(properties).length > 0 ? [path] : [];
  const inside = Object.entries({ ...rest, ...(properties as JsonSchema) });
  return [
    ...here,
    ...inside.flatMap(([key, each]) =>
      ['not', 'contains', 'const', 'default'].includes(key) ? [] : nameless(each, `${path}/${key}`),
    ),
  ];
}

test.each(all)('$file means what it meant before its types had names', ({ file, before, after }) => {
  const { $defs: own = {}, ...original } = before[file]!;
  const { $defs = {}, ...published } = after[file]!;
  expect(resolved(published, $defs as JsonSchema, own as JsonSchema)).toEqual(
    resolved(original, {}, own as JsonSchema),
  );
});

test.each(all)('$file has a name for each object in it', ({ file, after }) => {
  const { $defs = {}, ...root } = after[file]!;
  expect(root['title']).toEqual(expect.any(String));
  expect(nameless(root, '').filter((path) => path !== '')).toEqual([]);
  for (const [name, definition] of Object.entries($defs as JsonSchema)) {
    expect(nameless(definition, name).filter((path) => path !== name)).toEqual([]);
  }
});

test('one name means one thing in all that goes over the wire, also where it is a schema of its own', () => {
  const meanings = new Map<string, Set<string>>();
  for (const [file, { $defs = {} }] of Object.entries(wire.after)) {
    for (const [name, { title, ...form }] of Object.entries($defs as Record<string, JsonSchema>)) {
      if (title === undefined) continue;
      meanings.set(name, (meanings.get(name) ?? new Set()).add(JSON.stringify(form)));
      expect({ file, name }).toEqual({ file, name: title });
    }
  }
  expect([...meanings].filter(([, forms]) => forms.size > 1).map(([name]) => name)).toEqual([]);
  // Those that people know by name.
  expect([...meanings.keys()]).toEqual(
    expect.arrayContaining([
      'Evaluator',
      'EvaluatorOrList',
      'RegexEvaluator',
      'LlmCallStep',
      'ReflectionVersion',
      'Issue',
      'TokenUsage',
    ]),
  );
});
