/** Names of the Python library that this package follows, for code that is moved from there. */
export {
  defaultTriggerConfig,
  loadTriggerConfig,
  type ReflectionTriggerConfig,
} from './kinds/agents/state/trigger-config';
export { ReflectionTrigger } from './kinds/agents/base/defaults';
export { ReflectionEngine, type TriggerContext } from './kinds/agents/state/should-reflect';
export { criteriaFromConfig } from './kinds/plan/reflector/criteria';
export { toDict } from './kinds/plan/reflector/failure-patterns';
export { type LlmClient, Reflector, type ReflectorOptions } from './kinds/plan/client/reflector';
