import {
  CONVERGENCE_DEFAULTS,
  LOOP_DEFAULTS,
  QUESTION_DEFAULTS,
  REVIEW_DEFAULTS,
  REVISION_DEFAULTS,
  TIMEOUT_DEFAULTS,
} from '../base/defaults';
import { omitUndefined } from '../../lib/base/defined';
import { choosesStrategy } from '../spec/steps';
import type { Budget, LoopSettings, QuestionSettings, ReviewSettings } from '../state/loop-settings';
import type { BudgetSpec, QuestionsSpec, ReviewSpec } from '../contract/loop-options';
import type { ReflectionSpec } from '../contract/spec';
import { milliseconds, type Duration } from '../../lib/contract/values';

function budgetOf({ wallClock, ...limits }: BudgetSpec): Budget {
  return { ...limits, ...(wallClock === undefined ? {} : { wallClockMs: milliseconds(wallClock) }) };
}

function reviewOf(spec: ReviewSpec): ReviewSettings | undefined {
  const { when, timeout, onTimeout } = { ...REVIEW_DEFAULTS, ...omitUndefined(spec) };
  return when === 'never' ? undefined : { when, timeoutMs: milliseconds(timeout), onTimeout };
}

export function questionSettings(spec: QuestionsSpec = {}): QuestionSettings {
  const { timeout, ...given } = { ...QUESTION_DEFAULTS, ...omitUndefined(spec) };
  return { ...given, timeoutMs: milliseconds(timeout) };
}

/** The longest time of a call: Node ends a longer timer at once, at about 24 days, with room for what is added to it. */
const LONGEST_CALL_MS = 2_147_000_000;

export function callMilliseconds(duration: Duration): number {
  return Math.min(milliseconds(duration), LONGEST_CALL_MS);
}

export function timeoutsOf(spec: ReflectionSpec['timeouts'] = {}) {
  const { modelCall, step, retryFor } = { ...TIMEOUT_DEFAULTS, ...omitUndefined(spec) };
  return {
    modelCallMs: callMilliseconds(modelCall),
    stepMs: callMilliseconds(step),
    retryForMs: milliseconds(retryFor),
  };
}

export function settingsOf(spec: ReflectionSpec): LoopSettings {
  const { maxIterations, qualityThreshold, onFailure, bestVersionSelection, preserveAllVersions } = {
    ...LOOP_DEFAULTS,
    ...omitUndefined(spec),
  };
  const { budget, triggers, convergence = {} } = spec;
  return omitUndefined({
    maxIterations,
    qualityThreshold,
    onFailure,
    bestVersionSelection,
    preserveAllVersions,
    budget: budget && budgetOf(budget),
    review: spec.review && reviewOf(spec.review),
    triggers,
    relaxation: spec.judge?.relaxation,
    revision: { ...REVISION_DEFAULTS, ...omitUndefined(spec.revision ?? {}) },
    choosesStrategy: choosesStrategy(spec),
    convergence: convergence === false ? undefined : { ...CONVERGENCE_DEFAULTS, ...omitUndefined(convergence) },
    timeouts: timeoutsOf(spec.timeouts),
  });
}
