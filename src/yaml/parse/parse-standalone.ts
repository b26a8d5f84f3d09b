import { isJsonObject, type Json, type JsonObject } from '../../domain/base/json';
import type { SpecProblem } from '../../domain/base/spec-problem';
import type { CorrectionRequest, EvaluationRequest } from '../../domain/step-state/standalone';
import { parseCorrection, parseEvaluation } from '../../schemas';
import { type Unflattened, unflattenCorrection, unflattenEvaluation } from '../forms/flat-requests';
import { CORRECTION_SHAPE, EVALUATION_SHAPE, type Shape } from '../key-names';
import { readDocument } from '../read-document';
import type { FileProblem } from '../spec-file-error';

/** A request that was read from a file. */
export interface RequestFile<Request> {
  /** The name it goes by in messages. */
  file: string;
  /** What the file calls itself. */
  name?: string;
  request: Request;
  /** Finds in the file what a mistake is about, such as one that only a worker could find. */
  locate(problem: SpecProblem): FileProblem[];
}

/** What the command line says beside the file; it comes before what the file says. */
export interface RequestAdditions {
  data?: Json;
  errors?: Json;
  state?: JsonObject;
}

/**
 * Reads a YAML (or JSON) file that holds one evaluation: `evaluator`, or the flat keys of the documents, and `data`.
 *
 * @throws SpecFileError with every mistake, and where it stands
 */
export function parseEvaluationFile(
  text: string,
  file: string,
  additions: RequestAdditions = {},
): RequestFile<EvaluationRequest> {
  return parse(text, file, additions, EVALUATION, parseEvaluation);
}

/**
 * Reads a YAML (or JSON) file that holds one correction: `corrector`, or the flat keys of the documents, `data` and `errors`.
 *
 * @throws SpecFileError with every mistake, and where it stands
 */
export function parseCorrectionFile(
  text: string,
  file: string,
  additions: RequestAdditions = {},
): RequestFile<CorrectionRequest> {
  return parse(text, file, additions, CORRECTION, parseCorrection);
}

interface Kind {
  shape: Shape;
  unflatten(value: JsonObject): Unflattened;
}

const EVALUATION: Kind = { shape: EVALUATION_SHAPE, unflatten: unflattenEvaluation };
const CORRECTION: Kind = { shape: CORRECTION_SHAPE, unflatten: unflattenCorrection };

/** Keys of a file of another kind, and what to do with it. */
const OTHER_KINDS: Record<string, string> = {
  generator: 'this file holds a loop: run it with `reflect run`',
  nodes: 'this file holds a pipeline: run it with `reflect run`',
};

function parse<Request>(
  text: string,
  file: string,
  additions: RequestAdditions,
  { shape, unflatten }: Kind,
  parseRequest: (value: unknown) => { request: Request } | { problems: SpecProblem[] },
): RequestFile<Request> {
  const { value: whole, originsOf, problemAt, fail } = readDocument(text, file, shape);
  const at = ({ path, message }: SpecProblem): FileProblem[] =>
    originsOf(path).map((origin) => problemAt(origin, message));
  if (!isJsonObject(whole)) return fail('InvalidSpec', at({ path: '', message: 'must be a map of keys and values' }));
  const other = Object.keys(OTHER_KINDS).filter((key) => key in whole);
  if (other.length > 0) {
    return fail(
      'InvalidSpec',
      other.flatMap((key) => at({ path: `/${key}`, message: OTHER_KINDS[key]! })),
    );
  }
  const { name, ...fields } = whole;
  const { value, writtenAt } = unflatten(fields);
  const locate = ({ path, message }: SpecProblem): FileProblem[] => at({ path: writtenAt(path), message });
  const { state, ...others } = additions;
  // A state that is no map is a mistake of the file, which its check will tell.
  const ownState = value['state'] ?? {};
  const merged = state && isJsonObject(ownState) ? { state: { ...ownState, ...state } } : {};
  const parsed = parseRequest({ ...value, ...others, ...merged });
  const misnamed: SpecProblem[] =
    name === undefined || typeof name === 'string' ? [] : [{ path: '/name', message: 'must be a text' }];
  if ('request' in parsed && misnamed.length === 0) {
    return { file, ...(typeof name === 'string' ? { name } : {}), request: parsed.request, locate };
  }
  return fail('InvalidSpec', [
    ...misnamed.flatMap(at),
    ...('problems' in parsed ? parsed.problems : []).flatMap(locate),
  ]);
}
