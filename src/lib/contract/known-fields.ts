import { z } from 'zod';
import { jsonSchemaHintsOf } from './json-schema-hints';
import { isJsonObject } from '../json/json';

type Schema = z.core.$ZodType;

/** Returns the possible forms of a value; only those that its `type` names, if it names any. */
function formsOf(schema: Schema, value: unknown): Schema[] {
  const forms = jsonSchemaHintsOf(schema)?.forms;
  if (forms)
    return ofType(
      forms().flatMap((form) => formsOf(form, value)),
      value,
    );
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    return formsOf(schema.def.innerType, value);
  }
  if (schema instanceof z.ZodUnion)
    return ofType(
      schema.options.flatMap((form) => formsOf(form, value)),
      value,
    );
  return [schema];
}

function ofType(forms: Schema[], value: unknown): Schema[] {
  const type = isJsonObject(value) ? value['type'] : undefined;
  if (type === undefined) return forms;
  const named = forms.filter((form) => form instanceof z.ZodObject && form.shape['type']?.safeParse(type).success);
  return named.length === 0 ? forms : named;
}

function at(schema: Schema, value: unknown, key: PropertyKey): Schema[] {
  return formsOf(schema, value).flatMap((form) => {
    if (form instanceof z.ZodArray) return [form.element];
    if (form instanceof z.ZodRecord) return [form.valueType];
    const field = form instanceof z.ZodObject ? (form.shape as Record<string, Schema>)[String(key)] : undefined;
    return field === undefined ? [] : [field];
  });
}

/** Lists the fields that the object at a path in a value of a schema may have. */
export function knownFields(schema: Schema, value: unknown, path: readonly PropertyKey[]): string[] {
  let schemas = [schema];
  let here = value;
  for (const key of path) {
    schemas = schemas.flatMap((each) => at(each, here, key));
    here = (here as Record<PropertyKey, unknown> | null | undefined)?.[key];
  }
  const objects = schemas.flatMap((each) => formsOf(each, here));
  return [...new Set(objects.flatMap((form) => (form instanceof z.ZodObject ? Object.keys(form.shape) : [])))];
}
