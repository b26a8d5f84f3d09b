import { metricMeter } from '@temporalio/workflow';
import type { LoopState } from '../../loop/state/loop-state';
import { hasSucceeded } from '../../loop/state/success';

/** Counts a loop that ended, once: a replay counts nothing. Labels have few values. */
export function countLoop(state: LoopState): void {
  const reason = state.stopped?.reason ?? 'none';
  const labels = { reason, success: String(hasSucceeded(state)) };
  metricMeter.createCounter('reflect_loops_total', undefined, 'Loops that ended, by the reason.').add(1, labels);
  metricMeter
    .createHistogram('reflect_loop_versions', 'int', undefined, 'Versions of loops that ended.')
    .record(state.versions.at(-1)?.iteration ?? 0, labels);
}
