import type { StepLanguage } from './languages';
import type { ExitReason, SandboxLevel } from './types';

/** Code that threw, exceeded a limit, or returned something that is not JSON. A retry does not help. */
export class CodeFailed extends Error {
  override readonly name = 'CodeFailed';

  constructor(
    readonly language: StepLanguage,
    readonly reason: ExitReason,
    problem: string,
    /** The line, from 1, if the language reports it. */
    readonly line?: number,
  ) {
    super(`${NAMES[language]}${line === undefined ? '' : `, line ${line}`}: ${problem}`);
  }
}

/** Thrown when this machine cannot isolate code as the worker demands: nothing was run. */
export class SandboxUnavailable extends Error {
  override readonly name = 'SandboxUnavailable';

  constructor(
    readonly level: SandboxLevel,
    why: string,
  ) {
    super(
      `inline code was refused: the worker demands sandbox level "${level}", which this machine does not grant (${why}). ` +
        '`reflect doctor` shows what is missing. A weaker level is the worker’s `sandbox.level` or REFLECT_SANDBOX; ' +
        'only use `trusted` for code of your own.',
    );
  }
}

const NAMES: Record<StepLanguage, string> = {
  python: 'Python',
  lua: 'Lua',
  prolog: 'Prolog',
  javascript: 'JavaScript',
};
