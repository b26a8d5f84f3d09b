import { firstLines } from '../../lib/text/first-lines';
import type { AttemptSummary } from '../contract/evaluation';
import type { ReflectionResult } from '../contract/results';
import type { SpecProblem } from '../../lib/contract/spec-problem';
import { renderCount } from '../../lib/text/counted';

/** @param whole the text in place of the path of a problem of the whole value */
export function renderProblems(problems: readonly SpecProblem[], whole = '(spec)'): string {
  return firstLines(problems.map(({ path, message }) => `${path === '' ? whole : path}: ${message}`)).join('\n');
}

function mistakes({ length }: readonly SpecProblem[]): string {
  return renderCount(length, 'mistake');
}

/** The error of a spec that cannot be run. `problems` has every problem with its path. */
export class InvalidSpecError extends Error {
  readonly type = 'InvalidSpec';
  override readonly name = 'InvalidSpecError';

  constructor(readonly problems: SpecProblem[]) {
    super(`The spec has ${mistakes(problems)}:\n${renderProblems(problems)}`);
  }
}

/** The error of settings that cannot be used. `problems` has every problem with its path. */
export class InvalidConfigError extends Error {
  readonly type = 'InvalidConfig';
  override readonly name = 'InvalidConfigError';

  constructor(readonly problems: SpecProblem[]) {
    super(`The settings have ${mistakes(problems)}:\n${renderProblems(problems, '(settings)')}`);
  }
}

/** The error of a loop without a version that was good enough, if the spec says `onFailure: raise`. */
export class ReflectionFailedError extends Error {
  readonly type = 'ReflectionFailedError';
  override readonly name = 'ReflectionFailedError';

  constructor(
    message: string,
    readonly history: AttemptSummary[],
  ) {
    super(message);
  }
}

/**
 * The error of a run whose final output does not have the form of the caller's schema. Nothing is lost: `result` has it.
 */
export class UnexpectedOutputError extends Error {
  readonly type = 'UnexpectedOutput';
  override readonly name = 'UnexpectedOutputError';

  constructor(
    readonly problems: SpecProblem[],
    /** The result as the run gave it. */
    readonly result: ReflectionResult,
  ) {
    super(
      `The run ended with ${result.convergenceReason}, and its final output is not what was expected:\n` +
        renderProblems(problems, '(output)'),
    );
  }
}

/** The error of a run that ended without a result: its generator failed, or it was cancelled, terminated or timed out. */
export class RunFailedError extends Error {
  override readonly name = 'RunFailedError';

  constructor(
    /** The failure's type, such as `StepFailed` or `Model.Unauthorized`; else `Cancelled`, `Terminated`, `TimedOut`. */
    readonly type: string,
    message: string,
    readonly details: unknown[] = [],
  ) {
    super(message);
  }
}

/** The error of a command that the run refused, with the reason. */
export class CommandRefusedError extends Error {
  readonly type = 'CommandRefused';
  override readonly name = 'CommandRefusedError';
}

/** The error of an id that belongs to a batch of other items, or of another loop. */
export class BatchMismatchError extends Error {
  readonly type = 'BatchMismatch';
  override readonly name = 'BatchMismatchError';

  constructor(readonly workflowId: string) {
    super(`The batch "${workflowId}" has other items, or another loop.`);
  }
}

/** The error of `startOnce` for an id that belongs to a run of another spec. */
export class DifferentSpecError extends Error {
  readonly type = 'DifferentSpec';
  override readonly name = 'DifferentSpecError';

  constructor(
    readonly workflowId: string,
    /** Whether the spec of that run is known; it is not if another method than `startOnce` started it. */
    readonly isKnown: boolean,
  ) {
    const why = isKnown
      ? `The run "${workflowId}" has another spec.`
      : `The run "${workflowId}" was not started by startOnce, so that its spec cannot be compared.`;
    super(`${why} Choose another workflowId, or read that run with get.`);
  }
}

/** The error of a run whose workflow is of another type than the method is for. */
export class WrongKindError extends Error {
  readonly type = 'WrongKind';
  override readonly name = 'WrongKindError';

  constructor(
    readonly workflowId: string,
    /** The type of its workflow. */
    readonly found: string,
    expected: string,
  ) {
    super(`The run "${workflowId}" is a workflow of the type ${found}, not ${expected}.`);
  }
}

/** Items of a batch whose results the server no longer keeps, because their page was deleted. */
export interface GoneItems {
  /** Workflow id of the page. */
  page: string;
  /** `index` of the first of them, from 0. */
  from: number;
  /** `index` of the last of them. */
  to: number;
}

/** The error of a batch some of whose results the server no longer keeps. All others were given. */
export class BatchItemsGoneError extends Error {
  readonly type = 'BatchItemsGone';
  override readonly name = 'BatchItemsGoneError';

  constructor(
    readonly workflowId: string,
    readonly missing: readonly GoneItems[],
  ) {
    const items = missing.map(({ from, to }) => `${from + 1} to ${to + 1}`);
    super(
      `The server no longer keeps the results of items ${firstLines(items).join(', ')} of the batch "${workflowId}": the runs of their pages were deleted. A retry runs these items again.`,
    );
  }
}

/** The error of a command that a run did not take: its workflow tasks fail, so it neither applied nor refused it. */
export class CommandNotTakenError extends Error {
  readonly type = 'CommandNotTaken';
  override readonly name = 'CommandNotTakenError';

  constructor(
    readonly workflowId: string,
    command: string,
  ) {
    super(
      `The run "${workflowId}" did not take "${command}": its workflow tasks fail. Look at the newest events of the run, and at the log of its worker.`,
    );
  }
}

/** The error of a report on a run of a kind that has none. */
export class NoReportError extends Error {
  readonly type = 'NoReport';
  override readonly name = 'NoReportError';

  constructor(
    readonly workflowId: string,
    kind: string,
  ) {
    super(`The run "${workflowId}" is of the kind ${kind}, which has no report: loops, plans and batches have one.`);
  }
}

/** The error of an id without a run. */
export class RunNotFoundError extends Error {
  readonly type = 'RunNotFound';
  override readonly name = 'RunNotFoundError';

  constructor(readonly workflowId: string) {
    super(`There is no run "${workflowId}". \`reflect list\` shows the runs that there are.`);
  }
}
