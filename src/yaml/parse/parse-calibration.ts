import type { Label } from '../../domain/evaluation/calibration';
import { isJsonObject, type Json } from '../../domain/base/json';
import type { SpecProblem } from '../../domain/base/spec-problem';
import type { EvaluationRequest } from '../../domain/step-state/standalone';
import { parseEvaluation } from '../../schemas';
import { unflattenEvaluation } from '../forms/flat-requests';
import { DATA, EVALUATION_SHAPE, type Shape } from '../key-names';
import { parseDataFile } from './parse-data';
import type { RequestFile } from './parse-standalone';
import { readDocument } from '../read-document';
import { SpecFileError } from '../spec-file-error';

const SHAPE: Shape =
  EVALUATION_SHAPE.kind === 'data'
    ? DATA
    : { ...EVALUATION_SHAPE, fields: { ...EVALUATION_SHAPE.fields, outputs: DATA } };

/**
 * Reads a YAML (or JSON) file that holds an evaluation, as `parseEvaluationFile` does, with a list of `outputs` in the place of
 * `data`: one request for each.
 *
 * @throws SpecFileError with every mistake, and where it stands
 */
export function parseCalibrationFile(text: string, file: string): RequestFile<EvaluationRequest[]> {
  const { value: whole, originsOf, problemAt, fail } = readDocument(text, file, SHAPE);
  const at = ({ path, message }: SpecProblem) => originsOf(path).map((origin) => problemAt(origin, message));
  if (!isJsonObject(whole)) return fail('InvalidSpec', at({ path: '', message: 'must be a map of keys and values' }));
  const { outputs, name, ...fields } = whole;
  const { value, writtenAt } = unflattenEvaluation(fields);
  const locate = ({ path, message }: SpecProblem) => at({ path: writtenAt(path), message });
  const parsed = parseEvaluation({ ...value, data: null });
  const problems: SpecProblem[] = [
    ...(Array.isArray(outputs) && outputs.length > 0
      ? []
      : [{ path: '/outputs', message: 'must list the outputs that are judged' }]),
    ...('data' in fields ? [{ path: '/data', message: 'has no use beside `outputs`' }] : []),
    ...(name === undefined || typeof name === 'string' ? [] : [{ path: '/name', message: 'must be a text' }]),
  ];
  const others = 'problems' in parsed ? parsed.problems.flatMap(locate) : [];
  if ('problems' in parsed || problems.length > 0) return fail('InvalidSpec', [...problems.flatMap(at), ...others]);
  const request = (outputs as Json[]).map((data) => ({ ...parsed.request, data }));
  return { file, ...(typeof name === 'string' ? { name } : {}), request, locate };
}

/**
 * Reads what people say of the outputs: a list of scores (0..1), of `true` and `false`, or of null where nobody knows.
 *
 * @throws SpecFileError when it is no such list, or has not one label for each output
 */
export function parseLabels(text: string, file: string, outputs: number): Label[] {
  const value = parseDataFile(text, file);
  const isLabel = (each: Json): each is Label =>
    each === null || typeof each === 'boolean' || (typeof each === 'number' && each >= 0 && each <= 1);
  const refuse = (message: string): never => {
    throw new SpecFileError('InvalidSpec', file, [{ path: '', message, line: 1, column: 1 }]);
  };
  if (!Array.isArray(value) || !value.every(isLabel)) {
    return refuse('must be a list of scores from 0 to 1, of true and false, or of null where nobody knows');
  }
  return value.length === outputs ? value : refuse(`has ${value.length} labels for ${outputs} outputs`);
}
