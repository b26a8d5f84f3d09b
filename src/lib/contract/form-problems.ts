import { z } from 'zod';
import { type Json, isJsonObject } from '../json/json';
import { jsonPointer, valueAt } from '../json/json-pointer';
import { unknownField } from '../names/nearest-name';
import { remedyFor } from './gone-fields';
import { OWN_WORDS } from './issue-sentence';
import type { SpecProblem } from './spec-problem';
import { jsonSchemaHintsOf } from './json-schema-hints';

type Schema = z.core.$ZodType;

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

/** The most unknown fields that get a suggestion: among thousands, none is a typing error. */
const SUGGESTED = 100;

function isOrFalse({ errors: [first] }: z.core.$ZodIssueInvalidUnion): boolean {
  return first?.some((issue) => issue.code === 'invalid_value' && issue.values.includes(false)) ?? false;
}

const MOST_NAMED = 8;

function fieldsToGive(schema: z.ZodType, issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code !== 'invalid_type' || issue.expected !== 'object') return '';
  const fields = knownFields(schema, value, issue.path);
  if (fields.length === 0) return '';
  return `; its fields are ${fields.slice(0, MOST_NAMED).join(', ')}${fields.length > MOST_NAMED ? ' and others' : ''}`;
}

function problemsOfIssue(schema: z.ZodType, issue: z.core.$ZodIssue, value: unknown): SpecProblem[] {
  // A union of something and `false`: the author of an object intended the something, and wants to know what is wrong with
  // it.
  if (issue.code === 'invalid_union' && isOrFalse(issue)) {
    const inner = issue.errors.at(-1) ?? [];
    return inner.flatMap((each) => problemsOfIssue(schema, { ...each, path: [...issue.path, ...each.path] }, value));
  }
  const path = jsonPointer(issue.path);
  if (issue.code === 'unrecognized_keys') {
    const fields = knownFields(schema, value, issue.path);
    return issue.keys.map((key, index) => {
      const place = `${path}${jsonPointer([key])}`;
      return {
        path: place,
        message: remedyFor(place) ?? (index < SUGGESTED ? unknownField(key, fields) : 'unknown field'),
      };
    });
  }
  const missing = issue.path.length > 0 && valueAt(value as Json, path) === undefined;
  return [{ path, message: missing ? 'is required' : `${issue.message}${fieldsToGive(schema, issue, value)}` }];
}

export function readForm<T>(
  schema: z.ZodType<T>,
  value: unknown,
): { data: T; problems: [] } | { data?: undefined; problems: SpecProblem[] } {
  const { data, error } = schema.safeParse(value, OWN_WORDS);
  return error
    ? { problems: error.issues.flatMap((issue) => problemsOfIssue(schema, issue, value)) }
    : { data, problems: [] };
}

export const formProblems = (schema: z.ZodType, value: unknown): SpecProblem[] => readForm(schema, value).problems;

export const moveBelow =
  (path: string) =>
  (problem: SpecProblem): SpecProblem => ({ ...problem, path: `${path}${problem.path}` });
