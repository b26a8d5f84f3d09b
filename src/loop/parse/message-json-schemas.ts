import type { MessageField, MessageFields } from '../../lib/base/message-fields';
import { type Command, type CommandName, COMMANDS } from '../base/command-payloads';
import type { JsonSchema } from '../../lib/contract/convert';

const EXACT = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };

/** @param object its schema, where the field is an object */
export function fieldJson({ description, required, schema }: MessageField, object?: JsonSchema): JsonSchema {
  const form: JsonSchema = object ?? { ...(schema.type === 'integer' ? EXACT : {}), ...schema };
  if (required) return { description, ...form };
  const isBare = Object.keys(form).length === 1;
  return { description, ...(isBare ? { type: [schema.type, 'null'] } : { anyOf: [form, { type: 'null' }] }) };
}

export function objectJson(fields: MessageFields): JsonSchema & { properties: Record<string, JsonSchema> } {
  const required = Object.keys(fields).filter((key) => fields[key]!.required);
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, fieldJson(field)])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

export function buildCommandJson(name: CommandName): JsonSchema {
  const { fields, oneOf }: Command = COMMANDS[name];
  const schema = objectJson(fields);
  const given = oneOf?.map((key) => ({ required: [key], properties: { [key]: { not: { type: 'null' } } } }));
  if (given) return { ...schema, anyOf: given };
  // A missing payload means one without fields.
  return 'required' in schema ? schema : { ...schema, type: ['object', 'null'] };
}
