import { extendEntry } from '../state/command-log';
import type { LoopState, ReflectionVersion } from '../state/loop-state';
import { failedChecks } from '../versions/ranking';

export function noteAccepted(state: LoopState, version: ReflectionVersion | undefined): void {
  const entry = state.people.findLast(({ name, applied }) => name === 'accept' && applied);
  if (!entry || !version) return;
  const failed = failedChecks(version);
  extendEntry(state, entry, { version: version.iteration, ...(failed.length > 0 && { failedChecks: failed }) });
}
