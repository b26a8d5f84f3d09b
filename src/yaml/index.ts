export { parseDataFile } from './parse-data';
export { fileSchemas } from './file-schemas';
export { specFileSchema } from './spec-file-schema';
export { parseCorrectionFile, parseEvaluationFile, type RequestAdditions, type RequestFile } from './parse-standalone';
export { type ConfigFile } from './parse-config';
export { parseFile, parseSpecFile, type ReflectionFile } from './parse-file';
export { type PipelineFile } from './parse-pipeline';
export { type SpecFile } from './parse-spec';
export { type FileProblem, SpecFileError } from './spec-file-error';
