import type { TurnMark } from '../../lib/base/turns';
import type { LoopState } from '../state/loop-state';
import { openWaits } from '../state/parking';

/** The mark of a loop. A review that is begun anew for the same version does not count as progress. */
export function markOfLoop({ commands, pending, review, versions, ...rest }: LoopState): TurnMark {
  const { accept, abort, overrides, reflect, decision } = commands;
  const asked = [accept, abort, overrides, reflect, decision];
  const judging = [pending, pending?.rounds, pending?.verdicts.length];
  const waiting = [review?.iteration, review?.until, review?.reason];
  const done = [
    rest.hint,
    rest.unappliedEdit,
    rest.underway,
    rest.tokenUsage,
    rest.timeIsUp,
    rest.recalled,
    rest.repeatsAfter,
    rest.parked,
    openWaits(rest).length,
  ];
  const ruled = [rest.ruling, rest.guidance, rest.extended, rest.failure, rest.stopped];
  return [versions, ...done, ...ruled, ...asked, ...judging, ...waiting];
}
