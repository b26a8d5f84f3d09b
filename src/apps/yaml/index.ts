export { parseCalibrationFile, parseLabels } from './parse/parse-calibration';
export { fileSchemas } from './file-schemas';
export { parseCorrectionFile, parseEvaluationFile, type RequestFile } from './parse/parse-standalone';
export { type FileOf, parseDataFile, parseFile, parseSpecFile, type ReflectionFile } from './parse/parse-file';
export { type FileProblem, problemLine, SpecFileError } from '../../lib/yaml/spec-file-error';
export { errorListProblems } from '../../kinds/standalone/parse/standalone';
