import { ApplicationFailure } from '@temporalio/common';
import { problemText } from '../domain/errors';
import type { SpecProblem } from '../domain/spec-problem';
import { withinCompileTime } from '../evaluators/index';
import { redact } from '../observability/redact';
import { TimeLimitExceeded } from '../templates/time-limit';

/** A mistake with the failure type that it has when it is the only kind of mistake. */
export interface TypedProblem extends SpecProblem {
  type?: 'UnknownAction' | 'UnknownModel';
}

/** The failure that tells all mistakes; typed `UnknownAction` or `UnknownModel` when they are all of that kind. */
export function refuse(problems: TypedProblem[]): ApplicationFailure {
  const types = new Set(problems.map((problem) => problem.type ?? 'InvalidSpec'));
  const [onlyType] = types;
  return ApplicationFailure.create({
    type: types.size === 1 ? onlyType! : 'InvalidSpec',
    message: `The spec has ${problems.length} ${problems.length === 1 ? 'mistake' : 'mistakes'}:\n${problemText(problems)}`,
    nonRetryable: true,
    details: [problems.map(({ path, message }) => ({ path, message }))],
  });
}

/** The same spec would go wrong the same way, and a local activity is tried again for ever. */
function unexpected(error: unknown): ApplicationFailure {
  const said = error instanceof Error ? error.message : String(error);
  return ApplicationFailure.create({
    type: 'StepFailed',
    message: `The spec could not be checked: ${redact(said)}`,
    nonRetryable: true,
    details: [{ step: 'prepare' }],
  });
}

/** Each schema and each template has a limit of its own, but there may be hundreds, and the worker does nothing else meanwhile. */
const MAX_CHECK_MILLISECONDS = 900;
/** How much longer, where other programs have the processor. What was compiled in the first attempt is known in the second. */
const PATIENCE = 3;

/** Makes a check. What it throws by mistake becomes a failure, typed and not retryable; so does taking too long. */
export function attempted<T>(check: () => T): T {
  try {
    return withinCompileTime(check, MAX_CHECK_MILLISECONDS, PATIENCE);
  } catch (error) {
    if (error instanceof TimeLimitExceeded) {
      const message = `to check it all ${error.message}: its schemas and templates are too large together`;
      throw refuse([{ path: '', message }]);
    }
    throw error instanceof ApplicationFailure ? error : unexpected(error);
  }
}
