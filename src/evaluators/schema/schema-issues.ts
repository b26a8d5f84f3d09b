import type { ErrorObject } from 'ajv';
import type { Issue } from '../../loop/contract/evaluation';
import { isJsonObject, type Json } from '../../lib/json/json';
import { jsonPointer, readablePath } from '../../lib/json/json-pointer';
import { typesWanted } from './schema-reading';
import { firstCharacters } from '../../lib/text/summary-text';

const MAX_ISSUES = 50;

export function issuesOfErrors(errors: ErrorObject[], evaluator: string): Issue[] {
  const told = new Map<string, Issue>();
  for (const error of withoutEchoes(mergedTypes(errors))) {
    const issue = issueOf(error, evaluator);
    told.set(`${issue.path} ${issue.message}`, issue);
  }
  const issues = [...told.values()];
  if (issues.length <= MAX_ISSUES) return issues;
  const message = `${issues.length - MAX_ISSUES} more problems of the same output are not listed`;
  const more: Issue = { message, path: '', severity: 'major', suggestion: 'Fix the listed problems first.', evaluator };
  return [...issues.slice(0, MAX_ISSUES), more];
}

function issueOf(error: ErrorObject, evaluator: string): Issue {
  const { keyword: type, params } = error;
  const explain = EXPLANATIONS[type] ?? NOT_EXPLAINED;
  const [message, suggestion] = explain(params as Record<string, Json>, error);
  const path = error.instancePath + jsonPointer(placeInside(error));
  const place = readablePath(path) || 'the output';
  return { message: `${place}: ${message}`, path, severity: 'major', suggestion, type, evaluator };
}

function placeInside({ params, propertyName }: ErrorObject): string[] {
  const { missingProperty, additionalProperty, unevaluatedProperty, property } = params as Record<string, string>;
  if (property !== undefined && missingProperty !== undefined) return [];
  const name = missingProperty ?? additionalProperty ?? unevaluatedProperty ?? propertyName;
  return name === undefined ? [] : [name];
}

function mergedTypes(errors: ErrorObject[]): ErrorObject[] {
  const types = typesWanted(errors);
  return errors.flatMap((error) => {
    if (error.keyword !== 'type') return [error];
    const wanted = types.get(error.instancePath);
    types.delete(error.instancePath);
    return wanted ? [{ ...error, params: { type: [...wanted] } }] : [];
  });
}

function withoutEchoes(errors: ErrorObject[]): ErrorObject[] {
  const typed = new Set(errors.filter(({ keyword }) => keyword === 'type').map(({ instancePath }) => instancePath));
  return errors.filter(({ keyword, instancePath, params }) => {
    if (keyword === 'if') return errors.length === 1;
    const matchesNone =
      keyword === 'anyOf' || (keyword === 'oneOf' && !(params as { passingSchemas?: unknown }).passingSchemas);
    return !(matchesNone && typed.has(instancePath));
  });
}

const SHOWN_LENGTH = 60;
const SHOWN_VALUES = 12;

/** The mistake, to be read after the name of the place, and advice on it. */
type Explanation = [message: string, suggestion: string];

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

const explainBound: Explain = ({ comparison, limit }, { data }) => [
  `must be ${String(comparison)} ${String(limit)}, got ${showValue(data)}`,
  `Use a number that is ${String(comparison)} ${String(limit)}.`,
];

const amount =
  (least: boolean, what: string): Explain =>
  ({ limit }, { data }) => {
    const count = isJsonObject(data) ? Object.keys(data).length : (data as Json[] | string).length;
    const wanted = `${least ? 'at least' : 'at most'} ${String(limit)} ${limit === 1 ? what.replace(/s$/, '') : what}`;
    return [`must have ${wanted}, got ${count}`, `Give it ${wanted}.`];
  };

const needsOthers: Explain = ({ missingProperty, property }) => [
  `must have "${String(missingProperty)}" because it has "${String(property)}"`,
  `Add "${String(missingProperty)}", or leave "${String(property)}" out.`,
];

const notAllowed: Explain = (parameters, { parentSchema }) => {
  const name = String(parameters.additionalProperty ?? parameters.unevaluatedProperty);
  const allowed = isJsonObject(parentSchema?.properties) ? Object.keys(parentSchema.properties) : [];
  return ['is not allowed', `Remove "${name}"${allowed.length > 0 ? `; allowed are ${shownList(allowed)}` : ''}.`];
};

const MATCHES_NONE = 'matches none of the forms that are allowed';

const NOT_EXPLAINED: Explain = (_parameters, { message = 'is invalid' }) => [message, 'Change it as the schema says.'];

const EXPLANATIONS: Readonly<Record<string, Explain>> = {
  required: ({ missingProperty }, { parentSchema }) => {
    const name = String(missingProperty);
    const properties = parentSchema?.properties as Record<string, Json> | undefined;
    const kind = properties && Object.hasOwn(properties, name) ? describeSchema(properties[name]) : '';
    return ['is missing', `Add "${name}"${kind ? ` (${kind})` : ''}.`];
  },
  type: ({ type }, { data }) => [
    `must be ${[type].flat().join(' or ')}, got ${showValue(data)}`,
    `Replace it by ${article([type].flat().map(String))}.`,
  ],
  enum: ({ allowedValues }, { data }) => [
    `must be one of ${shownList(allowedValues as Json[])}, got ${showValue(data)}`,
    `Use one of ${shownList(allowedValues as Json[])}.`,
  ],
  const: ({ allowedValue }, { data }) => [
    `must be ${showValue(allowedValue)}, got ${showValue(data)}`,
    `Use exactly ${showValue(allowedValue)}.`,
  ],
  additionalProperties: notAllowed,
  unevaluatedProperties: notAllowed,
  minimum: explainBound,
  maximum: explainBound,
  exclusiveMinimum: explainBound,
  exclusiveMaximum: explainBound,
  multipleOf: ({ multipleOf }, { data }) => [
    `must be a multiple of ${String(multipleOf)}, got ${showValue(data)}`,
    `Use a multiple of ${String(multipleOf)}.`,
  ],
  minLength: amount(true, 'characters'),
  maxLength: amount(false, 'characters'),
  minItems: amount(true, 'items'),
  maxItems: amount(false, 'items'),
  minProperties: amount(true, 'properties'),
  maxProperties: amount(false, 'properties'),
  pattern: ({ pattern }, { data }) => [
    `must match the pattern ${String(pattern)}, got ${showValue(data)}`,
    `Write it so that it matches ${String(pattern)}.`,
  ],
  format: ({ format }, { data }) => {
    const example = EXAMPLES[String(format)];
    const how = example ? `like ${example}` : `in the format "${String(format)}"`;
    return [`must be a valid ${String(format)}, got ${showValue(data)}`, `Write it ${how}.`];
  },
  uniqueItems: ({ i, j }) => {
    const [first, second] = [Number(i) + 1, Number(j) + 1].sort((one, other) => one - other);
    return [
      `must not repeat items, but number ${first} and number ${second} are the same`,
      'Remove the repeated item.',
    ];
  },
  contains: ({ minContains }) => [
    `must contain at least ${String(minContains ?? 1)} item of the kind that is asked for`,
    'Add such an item.',
  ],
  dependentRequired: needsOthers,
  dependencies: needsOthers,
  anyOf: () => [MATCHES_NONE, 'Make it match one of the allowed forms.'],
  oneOf: ({ passingSchemas: passing }) => [
    Array.isArray(passing)
      ? `matches ${passing.length} of the allowed forms at once, but must match exactly one`
      : MATCHES_NONE,
    'Make it match exactly one of the allowed forms.',
  ],
  not: () => ['has a form that is not allowed', 'Change it to another form.'],
  'false schema': () => ['is not allowed', 'Remove it.'],
};

function showValue(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return firstCharacters(text, SHOWN_LENGTH);
}

function shownList(values: Json[]): string {
  const more = values.length > SHOWN_VALUES ? `, and ${values.length - SHOWN_VALUES} more` : '';
  return values.slice(0, SHOWN_VALUES).map(showValue).join(', ') + more;
}

function article(types: string[]): string {
  return types.map((type) => (type === 'null' ? type : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`)).join(' or ');
}

function describeSchema(schema: Json | undefined): string {
  if (!isJsonObject(schema)) return '';
  if (Array.isArray(schema.enum)) return `one of ${shownList(schema.enum)}`;
  if (schema.const !== undefined) return showValue(schema.const);
  const parts = [schema.type === undefined ? '' : [schema.type].flat().join(' or ')];
  if (typeof schema.format === 'string') parts.push(`format ${schema.format}`);
  if (schema.minimum !== undefined) parts.push(`at least ${String(schema.minimum)}`);
  if (schema.maximum !== undefined) parts.push(`at most ${String(schema.maximum)}`);
  if (isJsonObject(schema.items) && typeof schema.items.type === 'string') parts.push(`of ${schema.items.type}`);
  return parts.filter(Boolean).join(', ');
}
