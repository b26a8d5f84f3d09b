import type { KeptCalls } from '../contract/calls';
import {
  currentIteration,
  guidedVersion,
  type LoopState,
  type PendingOutput,
  type ReflectionVersion,
  versionOf,
} from '../state/loop-state';
import { boundCalls, joinCalls, keptCalls, SHOWN_CALLS_BYTES, VERSION_CALLS_BYTES } from '../evidence/bounded-calls';

type Chain = Pick<LoopState, 'versions' | 'inherited' | 'continued'>;

type Made = Pick<PendingOutput | ReflectionVersion, 'origin' | 'basedOn'> & KeptCalls;

function baseOf({ continued }: Chain, { origin, basedOn }: Made, iteration: number): number | undefined {
  const isAnew = origin === 'draft' || (origin === 'regeneration' && !continued?.includes(iteration));
  return isAnew || iteration <= 1 ? undefined : (basedOn ?? iteration - 1);
}

function earlierCalls(state: Chain, made: Made, iteration: number): KeptCalls {
  let [each, at] = [made, iteration];
  let found: KeptCalls = {};
  for (;;) {
    const inherited = state.inherited?.[at];
    if (inherited) return joinCalls(inherited, found);
    const base = baseOf(state, each, at);
    const version = base === undefined ? undefined : versionOf(state, base);
    if (!version) return found;
    found = joinCalls(version, found);
    [each, at] = [version, version.iteration];
  }
}

/** Calls for the output and for the versions that it was made from, the oldest first. A person's own output has those of the one before. */
export function evidenceOf(state: Chain, made: Made, iteration: number): KeptCalls {
  return keptCalls(joinCalls(earlierCalls(state, made, iteration), made));
}

/** The evidence of the latest output, judged or not, as judges, revisers and code are shown it. */
export function shownEvidence(state: LoopState, most = SHOWN_CALLS_BYTES): KeptCalls {
  const { pending } = state;
  const made = pending ?? guidedVersion(state) ?? state.versions.at(-1);
  if (!made) return {};
  const iteration = 'iteration' in made ? made.iteration : currentIteration(state);
  return keptCalls(boundCalls(evidenceOf(state, made, iteration), most));
}

/** The calls that some versions inherit, for a run that takes over without the versions that they were made from. */
export function inheritedCalls(state: Chain, keep: ReadonlySet<number>): LoopState['inherited'] {
  const inherited = [...keep].flatMap((iteration) => {
    const version = versionOf(state, iteration);
    const calls = version
      ? keptCalls(boundCalls(earlierCalls(state, version, iteration), VERSION_CALLS_BYTES / 2))
      : {};
    return calls.calls || calls.callsOmitted ? [[iteration, calls] as const] : [];
  });
  return inherited.length === 0 ? undefined : Object.fromEntries(inherited);
}
