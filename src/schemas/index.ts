export { type JsonSchema } from './json-schemas/convert';
export { jsonSchemas } from './json-schemas/json-schemas';
export { parseAgentReflection, parseConfig, populationSettings } from './specs/agents';
export { modelCallProblems, parsePipeline } from './specs/pipeline';
export { parsePlan, parsePlanSpec, planSettings } from './specs/plan';
export { settingsOf, timeoutsOf } from './specs/settings';
export { milliseconds } from '../contract/values';
export { parseSpec, type SpecParts, specParts } from './specs/spec';
export { parseCorrection, parseEvaluation, type StandaloneParts, standaloneParts } from './specs/standalone';
