export { type JsonSchema } from './convert';
export { jsonSchemas } from './json-schemas';
export { parseConfig } from './agent-config';
export { parseAgentReflection, populationSettings } from './agents';
export { modelCallProblems, parsePipeline } from './pipeline';
export { parsePlan, parsePlanSpec, planSettings } from './plan';
export { settingsOf } from './settings';
export { parseSpec, type SpecParts, specParts } from './spec';
export { parseCorrection, parseEvaluation, type StandaloneParts, standaloneParts } from './standalone';
