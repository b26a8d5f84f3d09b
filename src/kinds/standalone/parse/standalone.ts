import type { z } from 'zod';
import {
  type CorrectionRequest,
  correctionRequest,
  errorList,
  type EvaluationRequest,
  evaluationRequest,
  requestCommon,
} from '../../../loop/contract/requests';
import { json } from '../../../lib/contract/values';
import { isJsonObject, type Json, type JsonObject } from '../../../lib/json/json';
import type { Corrector } from '../../../loop/contract/steps';
import type { Evaluator } from '../../../loop/contract/evaluators';
import type { SpecProblem } from '../../../lib/contract/spec-problem';
import { dataOf, givenErrors } from '../state';
import { moveBelow, formProblems, readForm } from '../../../lib/contract/form-problems';
import { evaluatorParts, pickWellFormedFields } from '../../../loop/parse/spec';
import { omitNulls } from '../../../loop/spec/omit-nulls';

function missingData(value: object): SpecProblem[] {
  if (dataOf(value as EvaluationRequest) !== undefined) return [];
  return [{ path: '/data', message: 'is required, where the state has no `reflection_output`' }];
}

function parse<T>(given: unknown, schema: z.ZodType<T>, missing: (value: object) => SpecProblem[]): Parsed<T> {
  if (!isJsonObject(given)) return { problems: [{ path: '', message: 'must be a JSON object' }] };
  const value = omitNulls(given);
  const form = readForm(schema, value);
  const problems = [...form.problems, ...missing(value)];
  return form.data && problems.length === 0 ? { request: form.data } : { problems };
}

type Parsed<T> = { request: T } | { problems: SpecProblem[] };

export function parseEvaluation(value: unknown): Parsed<EvaluationRequest> {
  return parse(value, evaluationRequest, missingData);
}

/** The problems of a list of errors for a correction, apart from the request that it belongs to. */
export function errorListProblems(errors: unknown): SpecProblem[] {
  return formProblems(errorList, errors);
}

function errorsMistakes(value: object): SpecProblem[] {
  const { errors, state } = value as { errors?: unknown; state?: JsonObject };
  const given = givenErrors({ errors, state });
  if (given === undefined) {
    return [{ path: '/errors', message: 'is required, where the state has no `reflection_errors`' }];
  }
  if (errors !== undefined) return [];
  return errorListProblems(given).map(moveBelow('/state/reflection_errors'));
}

export function parseCorrection(value: unknown): Parsed<CorrectionRequest> {
  return parse(value, correctionRequest, (given) => [...missingData(given), ...errorsMistakes(given)]);
}

/** The well-formed parts of a request, so that they can be checked although other parts are not. */
export interface StandaloneParts {
  task?: string;
  state?: JsonObject;
  data?: Json;
  corrector?: Corrector;
  evaluators: { path: string; evaluator: Evaluator }[];
}

export function standaloneParts(value: object): StandaloneParts {
  const shape = { ...requestCommon, data: json.optional(), corrector: correctionRequest.shape.corrector };
  return {
    ...pickWellFormedFields(shape, value),
    evaluators: evaluatorParts((value as { evaluator?: unknown }).evaluator),
  };
}
