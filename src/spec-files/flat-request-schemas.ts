import { isJsonObject } from '../lib/json/json';
import type { JsonSchema } from '../lib/contract/convert';

type Properties = Record<string, JsonSchema>;

export type Form = JsonSchema & { properties: Properties; required?: string[] };

const without = (properties: Properties, ...keys: string[]): Properties =>
  Object.fromEntries(Object.entries(properties).filter(([key]) => !keys.includes(key)));

function evaluatorForms(schema: JsonSchema): Form[] {
  const { anyOf } = schema as { anyOf?: JsonSchema[] };
  return anyOf ? anyOf.flatMap(evaluatorForms) : isJsonObject(schema['properties']) ? [schema as Form] : [];
}

/** Files have `evaluator` in its short or long form, or its type (default `schema`) and fields beside the data. */
export function flatEvaluation(request: Form, short = request.properties['evaluator']!): JsonSchema {
  const beside = without(request.properties, 'evaluator');
  const flat = evaluatorForms(request.properties['evaluator']!).map((form) => {
    const { type, ...fields } = form.properties;
    const required = (form.required ?? []).filter((key) => key !== 'type');
    const isDefault = type!['const'] === 'schema';
    return {
      ...form,
      properties: { ...fields, ...beside, evaluatorType: type! },
      required: isDefault ? required : [...required, 'evaluatorType'],
    };
  });
  return { anyOf: [changeProperty(request, 'evaluator', () => short), ...flat] };
}

export function flatCorrection(request: Form): JsonSchema {
  const beside = without(request.properties, 'corrector');
  const flat = (request.properties['corrector']!['anyOf'] as Form[]).map((form) => {
    const { action, ...fields } = form.properties;
    const required = (form.required ?? []).filter((key) => key !== 'action');
    const needsAction = action !== undefined && action['const'] === undefined;
    return {
      ...form,
      properties: { ...fields, ...beside, ...(action ? { correctorAction: action } : {}) },
      required: needsAction ? [...required, 'correctorAction'] : required,
    };
  });
  return { anyOf: [request, ...flat] };
}

export function changeProperty(object: Form, key: string, change: (property: Form) => JsonSchema): Form {
  const { properties } = object;
  return { ...object, properties: { ...properties, [key]: change(properties[key] as Form) } };
}
