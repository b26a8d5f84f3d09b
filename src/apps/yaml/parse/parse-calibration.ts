import type { Label } from '../../../loop/evaluation/calibration';
import type { EvaluationRequest } from '../../../loop/contract/requests';
import type { Json, JsonObject } from '../../../lib/json/json';
import type { SpecProblem } from '../../../lib/contract/spec-problem';
import { unflattenEvaluation } from '../../../spec-files/flat-requests';
import { DATA } from '../../../lib/yaml/key-names';
import { EVALUATION_SHAPE } from '../../../spec-files/shapes';
import { SpecFileError } from '../../../lib/yaml/spec-file-error';
import { parseDataFile } from './parse-file';
import { parseRequestFile, type Parsed, parseShortEvaluation, type RequestFile } from './parse-standalone';
import { renderCount } from '../../../lib/text/counted';

const SHAPE = { ...EVALUATION_SHAPE, fields: { ...EVALUATION_SHAPE.fields, outputs: DATA } };

function parse({ outputs, ...rest }: JsonObject): Parsed<EvaluationRequest[]> {
  const parsed = parseShortEvaluation({ ...rest, data: null });
  const listed = Array.isArray(outputs) ? outputs : [];
  const problems: SpecProblem[] = [
    ...(listed.length > 0 ? [] : [{ path: '/outputs', message: 'must list the outputs that are judged' }]),
    ...('data' in rest ? [{ path: '/data', message: 'has no use beside `outputs`' }] : []),
    ...('problems' in parsed ? parsed.problems : []),
  ];
  if ('problems' in parsed || problems.length > 0) return { problems };
  return { ...parsed, request: listed.map((data) => ({ ...parsed.request, data })) };
}

/**
 * Reads a YAML (or JSON) file that holds an evaluation, as `parseEvaluationFile` does, with a list of `outputs` in the place of
 * `data`: one request for each. Throws SpecFileError with every problem and its location.
 */
export function parseCalibrationFile(text: string, file: string): RequestFile<EvaluationRequest[]> {
  const unflatten = ({ outputs, ...fields }: JsonObject) => {
    const { value, inFile } = unflattenEvaluation(fields);
    return { value: outputs === undefined ? value : { ...value, outputs }, inFile };
  };
  return parseRequestFile(text, file, { shape: SHAPE, unflatten, parse });
}

/**
 * Reads human labels of the outputs: a list of scores (0..1), of `true` and `false`, or of null for an unknown label. Throws
 * SpecFileError when it is not such a list, or does not have one label for each output.
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
  return value.length === outputs
    ? value
    : refuse(`has ${renderCount(value.length, 'label')} for ${renderCount(outputs, 'output')}`);
}
