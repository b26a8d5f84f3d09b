import type { z } from 'zod';
import { callsOf, tooManyParts } from '../../contract/evaluator-list';
import { evaluator } from '../../contract/evaluators';
import { judge } from '../../contract/judge';
import { hooks } from '../../contract/loop-options';
import { loopSpec } from '../../contract/spec';
import type { Evaluator, ReflectionSpec } from '../../domain/spec/spec';
import type { Json } from '../../domain/base/json';
import { valueAt } from '../../domain/base/json-pointer';
import type { SpecProblem } from '../../domain/base/spec-problem';

function pointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function isOrFalse({ errors: [first] }: z.core.$ZodIssueInvalidUnion): boolean {
  return first?.some((issue) => issue.code === 'invalid_value' && issue.values.includes(false)) ?? false;
}

/** A mistake of a form, by its path in the value that has it. */
export function formProblems(issue: z.core.$ZodIssue, value: unknown): SpecProblem[] {
  // Something or `false`: whoever wrote an object meant the something, and wants to know what is wrong with it.
  if (issue.code === 'invalid_union' && isOrFalse(issue)) {
    const inner = issue.errors.at(-1) ?? [];
    return inner.flatMap((each) => formProblems({ ...each, path: [...issue.path, ...each.path] }, value));
  }
  const path = pointer(issue.path);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: `${path}${pointer([key])}`,
      message: 'unknown field',
    }));
  }
  const missing = issue.path.length > 0 && valueAt(value as Json, path) === undefined;
  return [{ path, message: missing ? 'is required' : issue.message }];
}

/** The parts of a spec that are well-formed, so that what is in them can be checked although other parts are not. */
export interface SpecParts extends Partial<Omit<ReflectionSpec, 'evaluator'>> {
  /** By its path in the spec. */
  evaluators: { path: string; evaluator: Evaluator }[];
}

/** The evaluators among one or several that are well-formed. */
export function evaluatorParts(value: unknown): SpecParts['evaluators'] {
  const listed = Array.isArray(value)
    ? value.map((each: unknown, index) => ({ path: `/evaluator/${index}`, each }))
    : [{ path: '/evaluator', each: value }];
  return listed.flatMap(({ path, each }) => {
    const parsed = evaluator.safeParse(each);
    return parsed.success ? [{ path, evaluator: parsed.data }] : [];
  });
}

/** What is well-formed of an object: as a whole, or each field of one whose parts are checked by themselves. */
function wellFormed(schema: z.ZodType, value: unknown, shape: z.ZodRawShape | undefined): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  if (shape === undefined || typeof value !== 'object' || value === null) return undefined;
  const fields = Object.entries(shape).flatMap(([key, field]) => {
    const inner = (field as z.ZodType).safeParse((value as Record<string, unknown>)[key]);
    return inner.success && inner.data !== undefined ? [[key, inner.data]] : [];
  });
  return Object.fromEntries(fields);
}

const PARTS: Record<string, z.ZodRawShape> = { hooks: hooks.shape, judge: judge.shape };

/** The well-formed parts of what may be a spec. */
export function specParts(value: object): SpecParts {
  const { evaluator: _evaluator, ...shape } = loopSpec.shape;
  const fields = Object.entries(shape).flatMap(([key, schema]) => {
    const part = wellFormed(schema, (value as Record<string, unknown>)[key], PARTS[key]);
    return part === undefined ? [] : [[key, part]];
  });
  return { ...Object.fromEntries(fields), evaluators: evaluatorParts((value as { evaluator?: unknown }).evaluator) };
}

/** Evaluators are counted with their votes and the second judge. */
function judgingProblems({ evaluator: judges, judge: { votes = 1, second } = {} }: ReflectionSpec): SpecProblem[] {
  const message = tooManyParts(callsOf(judges, votes) + (second ? callsOf(second, votes) : 0));
  return message === undefined ? [] : [{ path: '/evaluator', message }];
}

/** Reads a spec from outside: the spec, or every mistake of its form. Names and schemas are checked by `prepare`. */
export function parseSpec(value: unknown): { spec: ReflectionSpec } | { problems: SpecProblem[] } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problems: [{ path: '', message: 'a spec must be a JSON object' }] };
  }
  const result = loopSpec.safeParse(value);
  if (result.success) {
    const problems = judgingProblems(result.data);
    return problems.length > 0 ? { problems } : { spec: result.data };
  }
  return { problems: result.error.issues.flatMap((issue) => formProblems(issue, value)) };
}
