import type { ErrorObject } from 'ajv';
import type { Issue } from '../../domain/state/evaluation';
import type { Json } from '../../domain/base/json';
import { jsonPointer, readablePath } from '../../domain/base/json-pointer';
import { typesWanted } from './schema-coercion';
import { EXPLANATIONS, NOT_EXPLAINED } from './schema-messages';

/** More than this tells a corrector nothing new, and would only fill its prompt. */
const MAX_ISSUES = 50;

/** A validator's errors as issues that a tired person can act on. */
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

/** Where inside the reported object the mistake is: at the property that is missing or too many. */
function placeInside({ params, propertyName }: ErrorObject): string[] {
  const { missingProperty, additionalProperty, unevaluatedProperty, property } = params as Record<string, string>;
  if (property !== undefined && missingProperty !== undefined) return [];
  const name = missingProperty ?? additionalProperty ?? unevaluatedProperty ?? propertyName;
  return name === undefined ? [] : [name];
}

/** One error for a place whose alternatives each wanted another type. */
function mergedTypes(errors: ErrorObject[]): ErrorObject[] {
  const types = typesWanted(errors);
  return errors.flatMap((error) => {
    if (error.keyword !== 'type') return [error];
    const wanted = types.get(error.instancePath);
    types.delete(error.instancePath);
    return wanted ? [{ ...error, params: { type: [...wanted] } }] : [];
  });
}

/** Errors that only repeat in general what others say in detail. */
function withoutEchoes(errors: ErrorObject[]): ErrorObject[] {
  const typed = new Set(errors.filter(({ keyword }) => keyword === 'type').map(({ instancePath }) => instancePath));
  return errors.filter(({ keyword, instancePath, params }) => {
    if (keyword === 'if') return errors.length === 1;
    const matchesNone =
      keyword === 'anyOf' || (keyword === 'oneOf' && !(params as { passingSchemas?: unknown }).passingSchemas);
    return !(matchesNone && typed.has(instancePath));
  });
}
