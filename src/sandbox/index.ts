export { createSandbox, type SandboxOptions } from './create-sandbox';
export { CodeFailed, SandboxUnavailable } from './errors';
export { checkLevel, checkLevels, defaultLevel, type LevelCheck, sandboxLevel } from './level';
export { DEFAULT_LIMITS } from './limits';
export {
  type CodeJob,
  type Execution,
  type ExitReason,
  type Sandbox,
  SANDBOX_LEVELS,
  type SandboxLevel,
  type SandboxLimits,
} from './types';
