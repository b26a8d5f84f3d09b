export { type JsonSchema } from '../../lib/contract/convert';
export { nameTypes } from '../../lib/contract/definitions';
export { jsonSchemas } from '../list/schemas';
export { parseAgentReflection, populationSettings } from '../agents/parse/agents';
export { parseConfig } from '../file-config/parse';
export { parseBatch } from '../batch/parse/batch';
export { modelCallProblems, parsePipeline } from '../pipeline/parse/pipeline';
export { parsePlan, parsePlanSpec, planSettings } from '../plan/parse/plan';
export { settingsOf, timeoutsOf } from '../../loop/parse/settings';
export { streamedText } from '../../loop/contract/streamed-text';
export { milliseconds, tokenUsage } from '../../lib/contract/values';
export { parseSpec, type SpecParts, specParts } from '../../loop/parse/spec';
export {
  errorListProblems,
  parseCorrection,
  parseEvaluation,
  type StandaloneParts,
  standaloneParts,
} from '../standalone/parse/standalone';
