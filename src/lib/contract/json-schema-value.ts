import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../json/json';
import { foreignSchemaProblem } from './foreign-schema';
import { addJsonSchemaHints } from './json-schema-hints';
import { checkJson } from './values';

export const jsonSchema = z
  .custom<JsonObject | boolean>((value) => typeof value === 'boolean' || isJsonObject(value), {
    error: 'must be a JSON Schema: an object or a boolean',
    abort: true,
  })
  .check((payload) => {
    const message = foreignSchemaProblem(payload.value);
    if (message === undefined) checkJson(payload);
    else payload.issues.push({ code: 'custom', input: payload.value, message });
  });
addJsonSchemaHints(jsonSchema, { json: { anyOf: [{ type: 'object' }, { type: 'boolean' }] } });
