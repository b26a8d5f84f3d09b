export { parseCalibrationFile, parseLabels } from './parse/parse-calibration';
export { parseDataFile } from './parse/parse-data';
export { fileSchemas } from './file-schemas';
export { specFileSchema } from './spec-file-schema';
export {
  parseCorrectionFile,
  parseEvaluationFile,
  type RequestAdditions,
  type RequestFile,
} from './parse/parse-standalone';
export { type ConfigFile } from './parse/parse-config';
export { parseFile, parseSpecFile, type ReflectionFile } from './parse/parse-file';
export { type AgentsFile } from './parse/parse-agents';
export { type PlanFile } from './parse/parse-plan';
export { type PipelineFile } from './parse/parse-pipeline';
export { type SpecFile } from './parse/parse-spec';
export { type FileProblem, SpecFileError } from './spec-file-error';
