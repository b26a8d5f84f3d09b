import type { ErrorObject } from 'ajv';
import type { Json } from '../../domain/base/json';
import { isJsonObject } from '../../domain/base/json';

const SHOWN_LENGTH = 60;
const SHOWN_VALUES = 12;

/** What is wrong, to be read after the name of the place, and what to do about it. */
export interface Explanation {
  message: string;
  suggestion: string;
}

const EXAMPLES: Record<string, string> = {
  date: '2025-01-31',
  time: '14:30:00Z',
  'date-time': '2025-01-31T14:30:00Z',
  duration: 'P1DT2H',
  email: 'name@example.com',
  hostname: 'www.example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/page',
  url: 'https://example.com/page',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
};

type Explain = (parameters: Record<string, Json>, error: ErrorObject) => Explanation;

const bound: Explain = ({ comparison, limit }, error) => ({
  message: `must be ${String(comparison)} ${String(limit)}, got ${shown(error.data)}`,
  suggestion: `Use a number that is ${String(comparison)} ${String(limit)}.`,
});

const amount =
  (least: boolean, what: string): Explain =>
  ({ limit }, error) => {
    const count = isJsonObject(error.data) ? Object.keys(error.data).length : (error.data as Json[] | string).length;
    const wanted = `${least ? 'at least' : 'at most'} ${String(limit)} ${limit === 1 ? what.replace(/s$/, '') : what}`;
    return { message: `must have ${wanted}, got ${count}`, suggestion: `Give it ${wanted}.` };
  };

const needsOthers: Explain = ({ missingProperty, property }) => ({
  message: `must have "${String(missingProperty)}" because it has "${String(property)}"`,
  suggestion: `Add "${String(missingProperty)}", or leave "${String(property)}" out.`,
});

const notAllowed: Explain = (parameters, error) => {
  const name = String(parameters.additionalProperty ?? parameters.unevaluatedProperty);
  const allowed = isJsonObject(error.parentSchema?.properties) ? Object.keys(error.parentSchema.properties) : [];
  return {
    message: 'is not allowed',
    suggestion: `Remove "${name}"${allowed.length > 0 ? `; allowed are ${shownList(allowed)}` : ''}.`,
  };
};

/** How each keyword is explained; what is not here keeps the validator's own words. */
export const EXPLANATIONS: Readonly<Record<string, Explain>> = {
  required: ({ missingProperty }, error) => {
    const name = String(missingProperty);
    const properties = error.parentSchema?.properties as Record<string, Json> | undefined;
    const kind = properties && Object.hasOwn(properties, name) ? described(properties[name]) : '';
    return { message: 'is missing', suggestion: `Add "${name}"${kind ? ` (${kind})` : ''}.` };
  },
  type: ({ type }, error) => ({
    message: `must be ${[type].flat().join(' or ')}, got ${shown(error.data)}`,
    suggestion: `Replace it by ${article([type].flat().map(String))}.`,
  }),
  enum: ({ allowedValues }, error) => ({
    message: `must be one of ${shownList(allowedValues as Json[])}, got ${shown(error.data)}`,
    suggestion: `Use one of ${shownList(allowedValues as Json[])}.`,
  }),
  const: ({ allowedValue }, error) => ({
    message: `must be ${shown(allowedValue)}, got ${shown(error.data)}`,
    suggestion: `Use exactly ${shown(allowedValue)}.`,
  }),
  additionalProperties: notAllowed,
  unevaluatedProperties: notAllowed,
  minimum: bound,
  maximum: bound,
  exclusiveMinimum: bound,
  exclusiveMaximum: bound,
  multipleOf: ({ multipleOf }, error) => ({
    message: `must be a multiple of ${String(multipleOf)}, got ${shown(error.data)}`,
    suggestion: `Use a multiple of ${String(multipleOf)}.`,
  }),
  minLength: amount(true, 'characters'),
  maxLength: amount(false, 'characters'),
  minItems: amount(true, 'items'),
  maxItems: amount(false, 'items'),
  minProperties: amount(true, 'properties'),
  maxProperties: amount(false, 'properties'),
  pattern: ({ pattern }, error) => ({
    message: `must match the pattern ${String(pattern)}, got ${shown(error.data)}`,
    suggestion: `Write it so that it matches ${String(pattern)}.`,
  }),
  format: ({ format }, error) => ({
    message: `must be a valid ${String(format)}, got ${shown(error.data)}`,
    suggestion: EXAMPLES[String(format)]
      ? `Write it like ${EXAMPLES[String(format)]}.`
      : `Write it in the format "${String(format)}".`,
  }),
  uniqueItems: ({ i, j }) => ({
    message: `must not repeat items, but number ${Math.min(Number(i), Number(j)) + 1} and number ${Math.max(Number(i), Number(j)) + 1} are the same`,
    suggestion: 'Remove the repeated item.',
  }),
  contains: ({ minContains }) => ({
    message: `must contain at least ${String(minContains ?? 1)} item of the kind that is asked for`,
    suggestion: 'Add such an item.',
  }),
  dependentRequired: needsOthers,
  dependencies: needsOthers,
  anyOf: () => ({
    message: 'matches none of the forms that are allowed',
    suggestion: 'Make it match one of the allowed forms.',
  }),
  oneOf: ({ passingSchemas }) =>
    Array.isArray(passingSchemas)
      ? {
          message: `matches ${passingSchemas.length} of the allowed forms at once, but must match exactly one`,
          suggestion: 'Make it match exactly one of the allowed forms.',
        }
      : {
          message: 'matches none of the forms that are allowed',
          suggestion: 'Make it match exactly one of the allowed forms.',
        },
  not: () => ({ message: 'has a form that is not allowed', suggestion: 'Change it to another form.' }),
  'false schema': () => ({ message: 'is not allowed', suggestion: 'Remove it.' }),
};

/** A value as it fits into a sentence. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}

function shownList(values: Json[]): string {
  const more = values.length > SHOWN_VALUES ? `, and ${values.length - SHOWN_VALUES} more` : '';
  return values.slice(0, SHOWN_VALUES).map(shown).join(', ') + more;
}

function article(types: string[]): string {
  return types.map((type) => (type === 'null' ? type : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`)).join(' or ');
}

/** What a schema asks for, in a few words. */
function described(schema: Json | undefined): string {
  if (!isJsonObject(schema)) return '';
  if (Array.isArray(schema.enum)) return `one of ${shownList(schema.enum)}`;
  if (schema.const !== undefined) return shown(schema.const);
  const parts = [schema.type === undefined ? '' : [schema.type].flat().join(' or ')];
  if (typeof schema.format === 'string') parts.push(`format ${schema.format}`);
  if (schema.minimum !== undefined) parts.push(`at least ${String(schema.minimum)}`);
  if (schema.maximum !== undefined) parts.push(`at most ${String(schema.maximum)}`);
  if (isJsonObject(schema.items) && typeof schema.items.type === 'string') parts.push(`of ${schema.items.type}`);
  return parts.filter(Boolean).join(', ');
}
