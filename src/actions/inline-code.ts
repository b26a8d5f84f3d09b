import type { InlineStep } from '../domain/spec';
import { CodeFailed, type Sandbox, SandboxUnavailable } from '../sandbox/index';
import type { StepContext, StepInput, StepProblem, StepResult } from './types';

/**
 * Runs inline code as a step. It sees the state, its keys as variables, and the latest output as `output`; all of it copies.
 *
 * @throws CodeFailed, SandboxUnavailable
 */
export async function runInlineCode(step: InlineStep, input: StepInput, context: StepContext): Promise<StepResult> {
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
    throw new CodeFailed(
      language,
      'error',
      'it neither returned a value nor set `result`; set it to null when there is none',
    );
  }
  return { output: value, warnings: [] };
}

export { CodeFailed, type Sandbox, SandboxUnavailable };

const LONGEST_CODE = 256 * 1024;

/** What can be seen of code without an interpreter; paths are relative to what holds it. */
export function codeProblems({ run }: { run: string }): StepProblem[] {
  if (run.trim() === '') return [{ path: '/run', message: 'has no code' }];
  if (run.length <= LONGEST_CODE) return [];
  return [{ path: '/run', message: `is ${run.length} characters long; ${LONGEST_CODE} is the most` }];
}

/** The worker's sandbox; a caller without one runs no code. */
export function sandboxOf(sandbox: Sandbox | undefined): Sandbox {
  if (sandbox) return sandbox;
  throw new SandboxUnavailable('namespaces', 'this caller has no sandbox');
}
