import { ApplicationFailure } from '@temporalio/common';
import type { InlineStep } from '../loop/contract/steps';
import { CodeFailed, type Sandbox, SandboxUnavailable } from '../lib/sandbox';
import type { StepContext, StepArguments } from './types';
import type { TypedProblem } from '../lib/base/spec-problem';
import type { StepOutcome } from '../loop/step-state/step-call';

/** Code sees copies of the state, its keys as variables, and the latest output as `output`. Throws CodeFailed, SandboxUnavailable. */
export async function runInlineCode(
  step: InlineStep,
  input: StepArguments,
  context: StepContext,
): Promise<StepOutcome> {
  const { language = 'python', run: code } = step;
  const { state, timeoutMs } = input;
  const value = await sandboxOf(context.sandbox).run({
    language,
    code,
    inputs: { state, ...(state['reflection_output'] !== undefined && { output: state['reflection_output'] }) },
    limits: { timeMs: timeoutMs },
    signal: context.signal,
  });
  if (value === undefined) {
    const problem = 'it neither returned a value nor set `result`; set it to null when there is none';
    throw new CodeFailed(language, 'error', problem);
  }
  return { output: value, warnings: [] };
}

export { CodeFailed, type Sandbox, SandboxUnavailable };

export const LONGEST_CODE = 256 * 1024;

const CODE_IS_OFF = 'this worker runs no inline code (`sandbox: false` or REFLECT_SANDBOX=off)';

/** Paths are relative to the object that holds the code. A worker without a sandbox runs no code. */
export function codeProblems(
  { run, language = 'python' }: Pick<InlineStep, 'run' | 'language'>,
  sandbox: Sandbox | undefined,
): TypedProblem[] {
  const tooLong = run.length > LONGEST_CODE && `is ${run.length} characters long; ${LONGEST_CODE} is the most`;
  const message = !sandbox
    ? CODE_IS_OFF
    : run.trim() === ''
      ? 'has no code'
      : tooLong || sandbox.problem(language, run);
  return message ? [{ path: '/run', message }] : [];
}

/** The worker's sandbox. Another worker checked the run, so this one may run no code: then throws `StepFailed`. */
export function sandboxOf(sandbox: Sandbox | undefined): Sandbox {
  if (sandbox) return sandbox;
  const message = `Inline code was refused: ${CODE_IS_OFF}`;
  throw ApplicationFailure.create({ type: 'StepFailed', message, nonRetryable: true });
}
