import { fnv1a } from '../../lib/base/hash';
import type { JsonObject } from '../../lib/json/json';
import { isModelCall } from '../spec/steps';
import type { Step } from '../contract/steps';
import type { LoopState } from '../state/loop-state';
import { toolRounds } from '../step-state/tools';
import type { RevisionRequest } from './revision-plan';

export interface RepeatableCall {
  step: Step;
  task: string | undefined;
  state: JsonObject;
  revision?: RevisionRequest | undefined;
}

const OTHER_SEED = 0x9747b28c;

export function isRepeatable(step: Step): boolean {
  return isModelCall(step) && step.temperature === 0 && toolRounds(step) === 0;
}

export function callKey({ step, task, state, revision }: RepeatableCall): string {
  const { reflection_iteration: iteration, ...read } = state;
  // This variable always exists and differs each time; most prompts do not show it.
  const isRead = JSON.stringify([step, task ?? null]).includes('reflection_iteration');
  const text = JSON.stringify([step, task ?? null, read, revision ?? null, isRead ? iteration : null]);
  return `${fnv1a(text).toString(36)}-${fnv1a(text, OTHER_SEED).toString(36)}`;
}

export function wasAnswered({ answered = [] }: LoopState, key: string | undefined): boolean {
  return key !== undefined && answered.includes(key);
}
