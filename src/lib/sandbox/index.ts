export { createSandbox, type SandboxOptions } from './create-sandbox';
export { CodeFailed, SandboxUnavailable } from './errors';
export { checkLevels, defaultLevel, type LevelCheck, sandboxLevel } from './level';
export type { Execution, Sandbox, SandboxLevel, SandboxLimits } from './types';
