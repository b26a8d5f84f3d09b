import type { CorrectionRequest, EvaluationRequest } from '../../../loop/contract/requests';
import { isJsonObject, type Json, type JsonObject } from '../../../lib/json/json';
import type { SpecProblem } from '../../../lib/contract/spec-problem';
import { parseCorrection, parseEvaluation } from '../../../kinds/standalone/parse/standalone';
import { unflattenCorrection, unflattenEvaluation } from '../../../spec-files/flat-requests';
import { allProblems, expandEvaluation, type MovedPart, problemsAsWritten } from '../../../loop/spec/short-form';
import { unknownKeys } from '../../../loop/step-state/unknown-keys';
import type { Placed } from '../../../spec-files/placed';
import type { Shape } from '../../../lib/yaml/key-names';
import { readDocument } from '../../../lib/yaml/read-document';
import { CORRECTION_SHAPE, EVALUATION_SHAPE } from '../../../spec-files/shapes';
import type { FileProblem } from '../../../lib/yaml/spec-file-error';

export interface RequestFile<Request> {
  /** The name it goes by in messages. */
  file: string;
  name?: string;
  request: Request;
  /** Finds in the file what a problem is about, such as one that only a worker could find. */
  locate(problem: SpecProblem): FileProblem[];
  /** Lists the keys that a template prints and the state lacks. */
  warnings(): FileProblem[];
}

interface RequestAdditions {
  data?: Json;
  errors?: Json;
  state?: JsonObject;
}

/** `moved`: the parts that are elsewhere in the file, which has a short form. */
export type Parsed<Request> = { request: Request; moved?: MovedPart[] } | { problems: SpecProblem[] };

interface Kind<Request> {
  shape: Shape;
  unflatten(value: JsonObject): Placed<JsonObject>;
  parse(value: JsonObject): Parsed<Request>;
}

/**
 * Reads a YAML (or JSON) file that holds one evaluation: `evaluator`, or the flat keys of the documents, and `data`. Throws
 * SpecFileError with every problem and its location.
 */
export function parseEvaluationFile(
  text: string,
  file: string,
  additions: RequestAdditions = {},
): RequestFile<EvaluationRequest> {
  const parse = (value: JsonObject) => parseShortEvaluation(withAdditions(value, additions));
  return parseRequestFile(text, file, { shape: EVALUATION_SHAPE, unflatten: unflattenEvaluation, parse });
}

export function parseShortEvaluation(value: JsonObject): Parsed<EvaluationRequest> {
  const expanded = expandEvaluation(value);
  const parsed = parseEvaluation(expanded.value);
  const problems = allProblems(expanded, 'problems' in parsed ? parsed.problems : []);
  return 'problems' in parsed || problems.length > 0 ? { problems } : { ...parsed, moved: expanded.moved };
}

/**
 * Reads a YAML (or JSON) file that holds one correction: `corrector`, or the flat keys of the documents, `data` and `errors`.
 * Throws SpecFileError with every problem and its location.
 */
export function parseCorrectionFile(
  text: string,
  file: string,
  additions: RequestAdditions = {},
): RequestFile<CorrectionRequest> {
  const parse = (value: JsonObject) => parseCorrection(withAdditions(value, additions));
  return parseRequestFile(text, file, { shape: CORRECTION_SHAPE, unflatten: unflattenCorrection, parse });
}

function withAdditions(value: JsonObject, { state, ...others }: RequestAdditions): JsonObject {
  // A state that is not a map is a problem of the file, which its check will report.
  const ownState = value['state'] ?? {};
  const merged: JsonObject = state && isJsonObject(ownState) ? { state: { ...ownState, ...state } } : {};
  return { ...value, ...others, ...merged };
}

const OTHER_KINDS: Record<string, string> = {
  generator: 'this file holds a loop: run it with `reflect run`',
  nodes: 'this file holds a pipeline: run it with `reflect run`',
};

/** Reads a file of a request of some kind. Throws SpecFileError with every problem and its location. */
export function parseRequestFile<Request>(text: string, file: string, kind: Kind<Request>): RequestFile<Request> {
  const document = readDocument(text, file, kind.shape);
  const refuse = (problems: SpecProblem[]): never =>
    document.fail(
      'InvalidSpec',
      problems.flatMap((problem) => document.locate(problem)),
    );
  const { value: whole } = document;
  if (!isJsonObject(whole)) return refuse([{ path: '', message: 'must be a map of keys and values' }]);
  const other = Object.keys(OTHER_KINDS).filter((key) => key in whole);
  if (other.length > 0) return refuse(other.map((key) => ({ path: `/${key}`, message: OTHER_KINDS[key]! })));
  const { name, ...fields } = whole;
  const { value, inFile } = kind.unflatten(fields);
  const placeInFile = ({ path, message }: SpecProblem): SpecProblem => ({ path: inFile(path), message });
  const parsed = kind.parse(value);
  const problems = 'problems' in parsed ? parsed.problems.map(placeInFile) : [];
  if (name !== undefined && typeof name !== 'string') {
    return refuse([{ path: '/name', message: 'must be a text' }, ...problems]);
  }
  if ('problems' in parsed) return refuse(problems);
  const { moved = [] } = parsed;
  const locate = (problem: SpecProblem): FileProblem[] =>
    problemsAsWritten(moved, [problem]).flatMap((each) => document.locate(placeInFile(each)));
  const state = isJsonObject(value['state']) ? value['state'] : {};
  const warnings = (): FileProblem[] => unknownKeys(value, state).flatMap((each) => document.locate(placeInFile(each)));
  return { file, name, request: parsed.request, locate, warnings };
}
