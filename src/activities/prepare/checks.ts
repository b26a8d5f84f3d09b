import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { boundedProblems, boundedText, FAILURE_CHARACTERS } from '../../loop/evaluation/bounded';
import { renderProblems } from '../../loop/errors/errors';
import { type MovedPart, problemsAsWritten } from '../../loop/spec/short-form';
import { below, type TypedProblem } from '../../lib/base/spec-problem';
import { redact } from '../../lib/redact';
import { checkAt, TimeBudget, TimeBudgetExceeded, runWithinTimeBudget } from '../../lib/threads/time-budget';
import { TimeLimitExceeded } from '../../lib/threads/time-limit';
import { isUnknownHere, permanentFailure, unknownHereFailure } from '../failures';
import { messageOf } from '../../lib/base/message-of';
import type { LookedUp } from './looked-up';
import { RetryTime } from '../execution/retry-time';
import { renderCount } from '../../lib/text/counted';

function reportedType({ type }: TypedProblem): 'InvalidSpec' | 'UnknownAction' | 'UnknownModel' {
  return type === 'UnknownAction' || type === 'UnknownModel' ? type : 'InvalidSpec';
}

/** The failure is retryable, until a worker knows them, if they are only names known to the worker that checked the parent run. */
export function refuse(
  found: TypedProblem[],
  { lookedUp, moved = [] }: { lookedUp?: LookedUp; moved?: readonly MovedPart[] } = {},
): ApplicationFailure {
  const problems = problemsAsWritten(moved, found);
  if (lookedUp?.isKnownElsewhere(problems)) return knownElsewhereFailure(problems);
  const types = new Set(problems.map(reportedType));
  const [onlyType] = types;
  const told = boundedProblems(problems);
  const count = renderCount(problems.length, 'mistake');
  const type = types.size === 1 ? onlyType! : 'InvalidSpec';
  return permanentFailure(type, `The spec has ${count}:\n${renderProblems(told)}`, [told]);
}

export function knownElsewhereFailure(problems: readonly TypedProblem[]): ApplicationFailure {
  const named = problems.filter(({ type }) => type !== undefined);
  const isModel = named.every(({ type }) => type === 'UnknownModel');
  const said = boundedText(renderProblems(boundedProblems(named)), FAILURE_CHARACTERS);
  return unknownHereFailure(isModel ? 'UnknownModel' : 'UnknownAction', said, {
    attempt: currentContext()?.info.attempt ?? 1,
  });
}

/** An unexpected error is final: the same spec would go wrong again, and local activities retry forever. */
function unexpectedFailure(error: unknown): ApplicationFailure {
  const said = boundedText(redact(messageOf(error)), FAILURE_CHARACTERS);
  return permanentFailure('StepFailed', `The spec could not be checked: ${said}`, [{ step: 'prepare' }]);
}

const MAX_CHECK_MILLISECONDS = 900;

export function currentContext(): Context | undefined {
  try {
    return Context.current();
  } catch {
    return undefined;
  }
}

/** A check goes through the task queue, until a worker knows its names, if the workflow's own worker does not know one. */
export async function checkAnywhere<T>(check: () => Promise<T>): Promise<T> {
  const context = Context.current();
  if (context.info.isLocal) return check();
  const retries = new RetryTime(context.info);
  try {
    return await check();
  } catch (error) {
    const { failure, details } = isUnknownHere(error) ? retries.limitFailure(error) : { failure: error };
    // The SDK sends it before the failure.
    if (details) context.heartbeat(details);
    throw failure;
  }
}

/** Checks within a limit of processor time. An unexpected error becomes a failure that is not retried. */
export async function attemptCheck<T>(check: () => Promise<T>): Promise<T> {
  const signal = currentContext()?.cancellationSignal;
  try {
    return await runWithinTimeBudget(new TimeBudget(MAX_CHECK_MILLISECONDS, signal), check);
  } catch (error) {
    if (signal?.aborted) throw error;
    if (error instanceof TimeLimitExceeded) {
      const path = error instanceof TimeBudgetExceeded ? error.place : '';
      const message = `to check it all ${error.message}: its schemas and templates are too large together`;
      throw refuse([{ path, message }]);
    }
    throw error instanceof ApplicationFailure ? error : unexpectedFailure(error);
  }
}

export async function mistakesAt(
  path: string,
  check: () => TypedProblem[] | Promise<TypedProblem[]>,
): Promise<TypedProblem[]> {
  return (await checkAt(path, check)).map(below(path));
}

/** Lists the mistakes of many parts: one after the other, so that no other run waits for all of them. */
export async function checkInTurn<Part>(
  parts: Iterable<Part>,
  check: (part: Part) => TypedProblem[] | Promise<TypedProblem[]>,
): Promise<TypedProblem[]> {
  const problems: TypedProblem[] = [];
  for (const part of parts) for (const problem of await check(part)) problems.push(problem);
  return problems;
}
