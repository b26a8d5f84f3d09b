import type { Json } from '../json/json';

// These declare the messages that users send to a run, once: type, check and JSON Schema are derived from them. Workflow code
// reads them, and has no zod.

/** The values that a field takes, in the words of JSON Schema. Without `type`, any JSON. */
export interface ValueSchema {
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';
  readonly enum?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly items?: ValueSchema;
  readonly maxItems?: number;
}

/** A field of a message. One that is not required may be null, too: a form in the Web UI sends that for what was left empty. */
export interface MessageField {
  readonly description: string;
  /** A description for users of the values that are allowed, to follow "must be". */
  readonly must: string;
  readonly schema: ValueSchema;
  readonly required?: true;
}

export type MessageFields = Readonly<Record<string, MessageField>>;

type ValueOf<Schema> = Schema extends { enum: readonly (infer Choice)[] }
  ? Choice
  : Schema extends { type: 'string' }
    ? string
    : Schema extends { type: 'integer' | 'number' }
      ? number
      : Schema extends { type: 'boolean' }
        ? boolean
        : Schema extends { type: 'array'; items: infer Item }
          ? ValueOf<Item>[]
          : Schema extends { type: 'object' }
            ? { [key: string]: Json | undefined }
            : Json;

type Values<Fields, Keys extends keyof Fields> = {
  -readonly [Key in Keys]: Fields[Key] extends { schema: infer Schema } ? ValueOf<Schema> : never;
};

type RequiredKeys<Fields> = {
  [Key in keyof Fields]: Fields[Key] extends { required: true } ? Key : never;
}[keyof Fields];

/** The type of a message with these fields. */
export type MessageOf<Fields> = Values<Fields, RequiredKeys<Fields>> &
  Partial<Values<Fields, Exclude<keyof Fields, RequiredKeys<Fields>>>>;

export const text = (most: number, description: string) =>
  ({ description, must: `a text of at most ${most} characters`, schema: { type: 'string', maxLength: most } }) as const;

function isOfType(type: ValueSchema['type'], value: unknown): boolean {
  if (type === undefined) return true;
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}

/** Returns whether a value has the form that a schema describes. Texts are counted in UTF-16 units. */
function fits(schema: ValueSchema, value: unknown): boolean {
  const { items, minLength = 0, maxLength = Infinity, minimum = -Infinity, maximum = Infinity } = schema;
  if (!isOfType(schema.type, value)) return false;
  if (schema.enum && !schema.enum.includes(value as string)) return false;
  if (schema.type === undefined) return true;
  if (typeof value === 'string') {
    const isMatch = schema.pattern === undefined || new RegExp(schema.pattern).test(value);
    return value.length >= minLength && value.length <= maxLength && isMatch;
  }
  if (typeof value === 'number') {
    return value >= minimum && value <= maximum && value > (schema.exclusiveMinimum ?? -Infinity);
  }
  if (!Array.isArray(value)) return true;
  return value.length <= (schema.maxItems ?? Infinity) && (!items || value.every((item) => fits(items, item)));
}

export function fieldProblem({ schema, required, must }: MessageField, value: unknown): string | undefined {
  if (!required && (value === undefined || value === null)) return undefined;
  return fits(schema, value) ? undefined : `must be ${must}`;
}
