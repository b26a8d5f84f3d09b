export { parseDataFile } from './parse-data';
export { parseCorrectionFile, parseEvaluationFile, type RequestAdditions, type RequestFile } from './parse-standalone';
export { parseSpecFile, type SpecFile } from './parse-spec';
export { type FileProblem, SpecFileError } from './spec-file-error';
