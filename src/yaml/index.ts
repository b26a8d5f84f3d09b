export { parseDataFile } from './parse-data';
export { parseSpecFile, type SpecFile } from './parse-spec';
export { type FileProblem, SpecFileError } from './spec-file-error';
