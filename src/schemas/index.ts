export { type JsonSchema } from './json-schemas/convert';
export { withNamedTypes } from './json-schemas/definitions';
export { jsonSchemas } from './json-schemas/json-schemas';
export { parseAgentReflection, populationSettings } from './specs/agents';
export { parseConfig } from './specs/file-config';
export { parseBatch } from './specs/batch';
export { modelCallProblems, parsePipeline } from './specs/pipeline';
export { parsePlan, parsePlanSpec, planSettings } from './specs/plan';
export { settingsOf, timeoutsOf } from './specs/settings';
export { streamedText } from '../contract/results/streamed-text';
export { milliseconds, tokenUsage } from '../contract/values';
export { parseSpec, type SpecParts, specParts } from './specs/spec';
export {
  errorListProblems,
  parseCorrection,
  parseEvaluation,
  type StandaloneParts,
  standaloneParts,
} from './specs/standalone';
