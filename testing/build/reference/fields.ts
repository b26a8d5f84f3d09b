/** Makes the reference page of all fields out of the contract, so that it says what the code does. */
import type { z } from 'zod';
import { fileConfig } from '../../../src/kinds/list/config';
import { jsonSchemaHintsOf } from '../../../src/lib/contract/json-schema-hints';
import { actionNode, correctParameters, evaluateParameters } from '../../../src/kinds/pipeline/contract/pipeline';
import { duration } from '../../../src/lib/contract/values';
import { EVENT, EVENT_ALIASES, EVENT_CONTEXT } from '../../../src/kinds/agents/state/agent-event';
import type { MessageFields } from '../../../src/lib/base/message-fields';
import { COMMAND_NAMES, COMMANDS } from '../../../src/loop/base/command-payloads';
import { convertSchema, type JsonSchema } from '../../../src/lib/contract/convert';
import { listPublishedShapes } from '../../../src/kinds/list/schemas';
import { anchorOf, GENERATED } from './table';

type Schema = z.core.$ZodType;

interface Section {
  title: string;
  description: string;
  schema?: Schema;
  fields?: MessageFields;
}

const MESSAGES: Record<string, MessageFields> = {
  'agent-event': EVENT,
  ...Object.fromEntries(COMMAND_NAMES.map((name) => [`command-${name}`, COMMANDS[name].fields])),
};

/** Other names of fields, which say so. */
function aliases(): MessageFields {
  return Object.fromEntries(
    Object.entries(EVENT_ALIASES).map(([alias, key]) => [
      alias,
      { ...EVENT_CONTEXT[key], description: `Another name of \`${key}\`.` },
    ]),
  );
}

/** Shapes that only occur inside of others, or in files. */
const INNER: Section[] = [
  {
    title: 'PipelineNode',
    description: 'A node of a pipeline that runs an action. A node may also have the fields of inline code.',
    schema: actionNode,
  },
  {
    title: 'EvaluateParameters',
    description: '`with` of a `reflection.evaluate` node.',
    schema: evaluateParameters,
  },
  { title: 'CorrectParameters', description: '`with` of a `reflection.correct` node.', schema: correctParameters },
  { title: 'AgentEventContext', description: '`context` of an event.', fields: { ...EVENT_CONTEXT, ...aliases() } },
  { title: 'FileConfig', description: 'What a configuration file holds.', schema: fileConfig },
];

const SECTIONS: Section[] = [
  ...Object.entries(listPublishedShapes()).map(([name, [title, description, schema]]) => ({
    title,
    description,
    schema,
    fields: MESSAGES[name],
  })),
  ...INNER,
];

/** A schema and those that it was made of, by a description or a refinement. */
function origins(schema: Schema): Schema[] {
  const { parent } = schema._zod;
  return parent ? [schema, ...origins(parent)] : [schema];
}

function sectionOf(schema: Schema): Section | undefined {
  const all = origins(schema);
  return SECTIONS.find((section) => section.schema && all.includes(section.schema));
}

/** What zod keeps of a schema, as far as it is read here. */
interface Definition {
  type: string;
  innerType?: Schema;
  element?: Schema;
  options?: Schema[];
  in?: Schema;
  shape?: Record<string, Schema>;
  defaultValue?: unknown;
}

const definitionOf = (schema: Schema): Definition => schema._zod.def as unknown as Definition;

/** What a field holds, without what says that it may be left out or be null. */
function unwrapped(schema: Schema): Schema {
  const { innerType } = definitionOf(schema);
  return innerType ? unwrapped(innerType) : schema;
}

/** The forms that a value may have; empty where it has one form only. */
function formsOf(schema: Schema): Schema[] {
  const { options, in: input } = definitionOf(schema);
  const forms = jsonSchemaHintsOf(schema)?.forms?.() ?? options ?? (input ? [input] : []);
  return forms.map(unwrapped);
}

/** Objects that a value is, may be, or lists, leaving out those that have a section of their own. */
function objectsIn(schema: Schema): Schema[] {
  const { element, shape } = definitionOf(schema);
  if (shape) return [schema];
  const parts = element ? [unwrapped(element)] : formsOf(schema);
  return parts.filter((part) => !sectionOf(part)).flatMap(objectsIn);
}

/** A limit that says more than that a whole number is exact. */
const isLimit = (bound: unknown): bound is number =>
  typeof bound === 'number' && Math.abs(bound) < Number.MAX_SAFE_INTEGER;

/** The limits of a number or of a length. */
function limits(least: unknown, most: unknown, unit = ''): string {
  if (isLimit(least) && isLimit(most)) return `, ${least} to ${most}${unit}`;
  if (isLimit(most)) return `, at most ${most}${unit}`;
  if (!isLimit(least)) return '';
  return unit !== '' && least === 1 ? ', not empty' : `, at least ${least}${unit}`;
}

/** A JSON Schema in a few words. */
function words(schema: JsonSchema): string {
  const { type, items, anyOf, minLength, maxLength, minimum, maximum, exclusiveMinimum, maxItems } = schema;
  if ('const' in schema) return `\`${JSON.stringify(schema['const'])}\``;
  if (Array.isArray(schema['enum'])) return schema['enum'].map((each) => `\`${JSON.stringify(each)}\``).join(' or ');
  if (Array.isArray(anyOf)) return [...new Set((anyOf as JsonSchema[]).map(words))].join(' or ');
  if (Array.isArray(type)) return type.join(' or ');
  if (type === 'array')
    return `list of ${words((items ?? {}) as JsonSchema)}${limits(undefined, maxItems, ' entries')}`;
  if (type === 'string') return `text${limits(minLength, maxLength, ' characters')}`;
  if (type !== 'integer' && type !== 'number') return typeof type === 'string' ? type : 'any JSON';
  const above = exclusiveMinimum === undefined ? '' : ` above ${String(exclusiveMinimum)}`;
  return `${type}${above}${limits(minimum, maximum)}`;
}

function typeOf(schema: Schema): string {
  const { type, innerType, element, shape } = definitionOf(schema);
  if (innerType) return type === 'nullable' ? `${typeOf(innerType)} or null` : typeOf(innerType);
  const section = sectionOf(schema);
  if (section) return `[${section.title}](#${anchorOf(section.title)})`;
  if (origins(schema).includes(duration)) return 'duration: milliseconds, or a text such as `2m`';
  if (shape) return 'object';
  if (element && definitionOf(element).type !== 'string') {
    return `list of ${typeOf(element)}${limits(undefined, convertSchema(schema as z.ZodType)['maxItems'], ' entries')}`;
  }
  const forms = formsOf(schema);
  if (forms.length > 0) return [...new Set(forms.map(typeOf))].join(' or ');
  return words(convertSchema(schema as z.ZodType));
}

interface Meaning {
  description?: string;
  default?: unknown;
  required: boolean;
}

function meaningOf(schema: Schema): Meaning {
  const meta = (schema as z.ZodType).meta();
  return {
    description: meta?.description,
    default: meta?.['default'] ?? definitionOf(schema).defaultValue,
    required: schema._zod.optin === undefined,
  };
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

function row(path: string, type: string, { description = '', default: standard, required }: Meaning): string {
  const counts = required ? 'required' : standard === undefined ? '' : `\`${JSON.stringify(standard)}\``;
  return `| \`${path}\` | ${cell(type)} | ${cell(counts)} | ${cell(description)} |`;
}

/** Rows of an object's fields, and of those of objects in them that have no section of their own. */
function rows(object: Schema, at = ''): string[] {
  const { shape = {} } = definitionOf(object);
  return Object.entries(shape).flatMap(([key, field]) => {
    const inner = unwrapped(field);
    const path = `${at}${key}`;
    const below = sectionOf(inner) ? [] : objectsIn(inner);
    const isList = definitionOf(inner).type === 'array';
    return [
      row(path, typeOf(field), meaningOf(field)),
      ...new Set(below.flatMap((each) => rows(each, `${path}${isList ? '[]' : ''}.`))),
    ];
  });
}

const HEAD = '| Field | Type | Default | Description |\n| --- | --- | --- | --- |';

const table = (lines: string[]): string => (lines.length > 0 ? `${HEAD}\n${lines.join('\n')}` : '');

function messageTable(fields: MessageFields): string {
  return table(
    Object.entries(fields).map(([key, { schema, description, required }]) =>
      row(key, key === 'context' ? '[AgentEventContext](#agenteventcontext)' : words({ ...schema }), {
        description,
        required: required ?? false,
      }),
    ),
  );
}

/** The tables of a section: one for each form that the shape may have. */
function tables(schema: Schema): string[] {
  const forms = formsOf(schema);
  const objects = forms.length > 0 ? forms.filter((form) => definitionOf(form).shape) : objectsIn(schema);
  return objects.map((object) => {
    const { description } = object as z.ZodType;
    return [...(objects.length > 1 && description ? [description] : []), table(rows(object))].join('\n\n');
  });
}

/** The shapes that have a section. */
export function fieldTitles(): string[] {
  return SECTIONS.map(({ title }) => title);
}

/** The page. */
export function fieldsPage(): string {
  const sections = SECTIONS.map(({ title, description, schema, fields }) =>
    [`## ${title}`, description, ...(fields ? [messageTable(fields)] : schema ? tables(schema) : [])].join('\n\n'),
  );
  return `# Fields

Every field of specs, pipelines, plans, agents, commands and results. ${GENERATED}

Keys are camelCase in JSON, and may be snake_case in YAML files. A field without \`required\` may be left out.

${sections.join('\n\n')}
`;
}
