import { LOOP_DEFAULTS, REVISION_DEFAULTS } from '../base/defaults';
import type { LoopSettings } from '../state/loop-settings';
import type { LoopState } from '../state/loop-state';
import { resultOf } from '../versions/result';
import type { ReflectionResult } from '../contract/results';
import { stop } from './transitions';

/** Settings in place of those of a spec that was not checked, which may be anything. No call is made with them. */
export const UNCHECKED_SETTINGS: LoopSettings = {
  maxIterations: LOOP_DEFAULTS.maxIterations,
  qualityThreshold: LOOP_DEFAULTS.qualityThreshold,
  onFailure: LOOP_DEFAULTS.onFailure,
  bestVersionSelection: LOOP_DEFAULTS.bestVersionSelection,
  preserveAllVersions: LOOP_DEFAULTS.preserveAllVersions,
  revision: REVISION_DEFAULTS,
  choosesStrategy: false,
  timeouts: { modelCallMs: 0, stepMs: 0, retryForMs: 0 },
};

/** Outputs that the person gave are kept, unjudged. `now`: epoch milliseconds. */
export function abortUnchecked(state: LoopState, now: number, at: string): ReflectionResult {
  stop(state, UNCHECKED_SETTINGS, { reason: 'aborted' }, at);
  return resultOf(state, UNCHECKED_SETTINGS, now);
}
