import { z } from 'zod';
import type { Json, JsonObject } from '../../domain/base/json';
import type { Corrector, Evaluator } from '../../domain/spec/spec';
import { MOST_ERRORS } from '../../domain/base/maxima';
import type { SpecProblem } from '../../domain/base/spec-problem';
import {
  type CorrectionError,
  type CorrectionRequest,
  dataOf,
  type EvaluationRequest,
  givenErrors,
} from '../../domain/step-state/standalone';
import { evaluators } from '../../contract/evaluator-list';
import { evaluatorParts, formProblems } from './spec';
import { corrector } from '../../contract/steps';
import { json, jsonObject, stateKeys } from '../../contract/values';

const common = {
  data: json.optional(),
  state: jsonObject.optional(),
  material: stateKeys.optional(),
  task: z.string().optional(),
};

export const evaluationRequest = z.strictObject({ ...common, evaluator: evaluators });

export const correctionError = z.object({
  message: z.string(),
  path: z.string().optional(),
  type: z.string().optional(),
  suggestion: z.string().optional(),
  missingInformation: z.literal(true).optional(),
  criterion: z.string().optional(),
  severity: z.enum(['minor', 'major', 'critical']).optional(),
  evaluator: z.string().optional(),
});

export const error: z.ZodType<string | CorrectionError> = z.union(
  // Errors may come from other tools, which know more of them.
  [z.string(), correctionError.loose()],
  'must be a text, or an object with `message`, and with `path`, `type`, `suggestion` where known',
);

/** A loop of many evaluators may have left thousands in the state. */
export const errorList = z.array(error).max(MOST_ERRORS);

export const correctionRequest = z.strictObject({
  ...common,
  corrector: corrector.superRefine(({ mode }, context) => {
    if (mode !== 'hint') return;
    const message = 'a hint is for a generator that runs again, and there is none here: leave `mode` out';
    context.addIssue({ code: 'custom', message, path: ['mode'] });
  }),
  errors: errorList.optional(),
});

function missingData(value: object): SpecProblem[] {
  if (dataOf(value as EvaluationRequest) !== undefined) return [];
  return [{ path: '/data', message: 'is required, where the state has no `reflection_output`' }];
}

function parse<T>(value: unknown, schema: z.ZodType, missing: (value: object) => SpecProblem[]): Parsed<T> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problems: [{ path: '', message: 'must be a JSON object' }] };
  }
  const result = schema.safeParse(value);
  const problems = [
    ...(result.success ? [] : result.error.issues.flatMap((issue) => formProblems(issue, value))),
    ...missing(value),
  ];
  return problems.length > 0 ? { problems } : { request: result.data as T };
}

type Parsed<T> = { request: T } | { problems: SpecProblem[] };

/** Reads the argument of `reflectionEvaluate`: the request, or every mistake of its form. */
export function parseEvaluation(value: unknown): Parsed<EvaluationRequest> {
  return parse(value, evaluationRequest, missingData);
}

/** Errors that the state has instead of the request: a loop or an evaluation left them there. */
function errorsMistakes(value: object): SpecProblem[] {
  const { errors, state } = value as { errors?: unknown; state?: JsonObject };
  const given = givenErrors({ errors, state });
  if (given === undefined) {
    return [{ path: '/errors', message: 'is required, where the state has no `reflection_errors`' }];
  }
  if (errors !== undefined) return [];
  const result = errorList.safeParse(given);
  if (result.success) return [];
  return result.error.issues.flatMap((issue) =>
    formProblems({ ...issue, path: ['state', 'reflection_errors', ...issue.path] }, value),
  );
}

/** Reads the argument of `reflectionCorrect`: the request, or every mistake of its form. */
export function parseCorrection(value: unknown): Parsed<CorrectionRequest> {
  return parse(value, correctionRequest, (given) => [...missingData(given), ...errorsMistakes(given)]);
}

/** The well-formed parts of a request, so that what is in them can be checked although other parts are not. */
export interface StandaloneParts {
  task?: string;
  state?: JsonObject;
  data?: Json;
  corrector?: Corrector;
  evaluators: { path: string; evaluator: Evaluator }[];
}

/** The well-formed parts of what may be a request of either kind. */
export function standaloneParts(value: object): StandaloneParts {
  const shape = { ...common, corrector: correctionRequest.shape.corrector };
  const fields = Object.entries(shape).flatMap(([key, schema]) => {
    const parsed = schema.safeParse((value as Record<string, unknown>)[key]);
    return parsed.success && parsed.data !== undefined ? [[key, parsed.data]] : [];
  });
  return { ...Object.fromEntries(fields), evaluators: evaluatorParts((value as { evaluator?: unknown }).evaluator) };
}
