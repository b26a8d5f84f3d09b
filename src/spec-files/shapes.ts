import { z } from 'zod';
import { jsonSchemaHintsOf } from '../lib/contract/json-schema-hints';
import { convergence, revision, triggers } from '../loop/contract/loop-options';
import { correctionRequest, evaluationRequest } from '../loop/contract/requests';
import { loopSpec } from '../loop/contract/spec';
import { DATA, type ObjectShape, PLAIN, type Shape, shapeAt } from '../lib/yaml/key-names';

// What keys of files mean follows from the contract: an object's fields may be written in snake_case, and what may be any JSON is a
// user's data.

export const FLAT_KEYS: Record<string, readonly [object: string, field: string]> = {
  revisionStrategy: ['revision', 'strategy'],
  ...below('revision', revision.omit({ strategy: true })),
  ...below('convergence', convergence.omit({ stabilityThreshold: true, repeatedIssues: true })),
  ...below('triggers', triggers),
};

function below(object: string, { shape }: z.ZodObject): Record<string, readonly [string, string]> {
  return Object.fromEntries(Object.keys(shape).map((field) => [field, [object, field]]));
}

function either(shapes: readonly Shape[]): Shape {
  const objects = shapes.filter((shape) => shape.kind === 'object');
  if (objects.length < shapes.length) return DATA;
  const keys = [...new Set(objects.flatMap(({ fields }) => Object.keys(fields)))];
  const fieldOf = (key: string) => objects.flatMap(({ fields }) => (Object.hasOwn(fields, key) ? [fields[key]!] : []));
  return {
    kind: 'object',
    fields: Object.fromEntries(keys.map((key) => [key, either(fieldOf(key))])),
    flat: Object.assign({}, ...objects.map(({ flat }) => flat)),
  };
}

function dialectOf({ fields }: ObjectShape): Partial<ObjectShape> {
  const has = (...keys: string[]): boolean => keys.every((key) => Object.hasOwn(fields, key));
  // In a step `uses` means `action`; an evaluator has a type, and no other word for its action.
  if (has('action') && !has('type')) return { flat: { uses: ['action'] } };
  if (!has('generator', 'evaluator')) return {};
  return { fields: { ...fields, qualityCriteria: shapeAt(fields['evaluator']!, ['criteria']) }, flat: FLAT_KEYS };
}

/** The meaning of the keys of a value that a schema checks. A list has the shape of its entries. */
export function shapeOf(schema: z.core.$ZodType): Shape {
  const forms = jsonSchemaHintsOf(schema)?.forms;
  if (forms) return either(forms().map(shapeOf));
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    return shapeOf(schema.def.innerType);
  }
  if (schema instanceof z.ZodArray) return shapeOf(schema.element);
  if (schema instanceof z.ZodUnion) return either(schema.options.map(shapeOf));
  // The keys of a record are names of the user's.
  if (schema instanceof z.ZodCustom || schema instanceof z.ZodRecord) return DATA;
  return schema instanceof z.ZodObject ? objectShape(schema) : PLAIN;
}

function objectShape({ shape, def }: z.ZodObject): Shape {
  // One that takes any other keys is a user's.
  if (def.catchall instanceof z.ZodUnknown) return DATA;
  const object: ObjectShape = {
    kind: 'object',
    fields: Object.fromEntries(Object.entries(shape).map(([key, field]) => [key, shapeOf(field)])),
  };
  return { ...object, ...dialectOf(object) };
}

export const fieldsOf = (shape: Shape): ObjectShape['fields'] => (shape.kind === 'data' ? {} : shape.fields);

export const SPEC_SHAPE = shapeOf(loopSpec);

function requestShape(request: z.ZodObject, part: string): ObjectShape {
  const fields = fieldsOf(shapeOf(request));
  return { kind: 'object', fields: { ...fieldsOf(fields[part]!), ...fields } };
}

export const EVALUATION_SHAPE = requestShape(evaluationRequest, 'evaluator');
export const CORRECTION_SHAPE = requestShape(correctionRequest, 'corrector');
