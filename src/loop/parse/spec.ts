import { z } from 'zod';
import { callsOf, describeTooManyCalls } from '../contract/evaluator-list';
import { evaluator, type Evaluator } from '../contract/evaluators';
import { judge } from '../contract/judge';
import { hooks } from '../contract/loop-options';
import { loopSpec, type ReflectionSpec } from '../contract/spec';
import { isJsonObject } from '../../lib/json/json';
import { allProblems, expandSpec } from '../spec/short-form';
import type { SpecProblem } from '../../lib/contract/spec-problem';
import { describeValue } from '../../lib/contract/issue-sentence';
import { readForm } from '../../lib/contract/form-problems';

/** The parts of a spec that are well-formed, so that they can be checked although other parts are not. */
export interface SpecParts extends Partial<Omit<ReflectionSpec, 'evaluator'>> {
  evaluators: { path: string; evaluator: Evaluator }[];
}

export function evaluatorParts(value: unknown): SpecParts['evaluators'] {
  const listed = Array.isArray(value)
    ? value.map((each: unknown, index) => ({ path: `/evaluator/${index}`, each }))
    : [{ path: '/evaluator', each: value }];
  return listed.flatMap(({ path, each }) => {
    const parsed = evaluator.safeParse(each);
    return parsed.success ? [{ path, evaluator: parsed.data }] : [];
  });
}

export function pickWellFormedFields<Shape extends z.ZodRawShape>(
  shape: Shape,
  value: object,
  parts: Record<string, z.ZodRawShape> = {},
): { [Key in keyof Shape]?: z.output<Shape[Key]> } {
  const fields = Object.entries(shape).flatMap(([key, schema]) => {
    const given = (value as Record<string, unknown>)[key];
    const parsed = z.safeParse(schema, given);
    if (parsed.success) return parsed.data === undefined ? [] : [[key, parsed.data]];
    return parts[key] && isJsonObject(given) ? [[key, pickWellFormedFields(parts[key], given)]] : [];
  });
  return Object.fromEntries(fields) as { [Key in keyof Shape]?: z.output<Shape[Key]> };
}

const PARTS: Record<string, z.ZodRawShape> = { hooks: hooks.shape, judge: judge.shape };

export function specParts(value: object): SpecParts {
  const { evaluator: _evaluator, ...shape } = loopSpec.shape;
  return {
    ...pickWellFormedFields(shape, value, PARTS),
    evaluators: evaluatorParts((value as { evaluator?: unknown }).evaluator),
  };
}

function judgingProblems({ evaluator: judges, judge: { votes = 1, second } = {} }: ReflectionSpec): SpecProblem[] {
  const message = describeTooManyCalls(callsOf(judges, votes) + (second ? callsOf(second, votes) : 0));
  return message === undefined ? [] : [{ path: '/evaluator', message }];
}

function describeNoSpec(value: unknown): string {
  if (value instanceof Promise) return 'is a Promise: await it';
  const many = Array.isArray(value) ? ': start a run for each spec, or a batch for one spec with many inputs' : '';
  return `a spec must be a JSON object, not ${describeValue(value)}${many}`;
}

/** Names and schemas are checked by `prepare`. */
export function parseSpec(value: unknown): { spec: ReflectionSpec } | { problems: SpecProblem[] } {
  if (!isJsonObject(value) || value instanceof Promise) {
    return { problems: [{ path: '', message: describeNoSpec(value) }] };
  }
  const expanded = expandSpec(value);
  const form = readForm(loopSpec, expanded.value);
  const problems = allProblems(expanded, form.data ? judgingProblems(form.data) : form.problems);
  return form.data && problems.length === 0 ? { spec: form.data } : { problems };
}
